import type { ToolContract } from './common.js';
import { companySearch } from './companies.js';
import { contextGet, contextRetrieve } from './context.js';
import { collectionQuery, crmSaveCompanies, crmUndo } from './crm.js';
import {
  marketAggregateAwards,
  marketCompare,
  marketCountSuppliers,
  marketGetOpportunity,
  marketGetSupplierHistory,
  marketScreen,
  marketSearchAwards,
  marketSearchOpportunities,
  marketSearchSuppliers,
} from './market.js';
import { peopleAcquired, peopleQuote, peopleReveal, peopleSearch } from './people.js';
import { sequenceCheck, sequenceCreateDraft } from './sequences.js';
import { usage } from './usage.js';

/** Every tool of the product, in the order in which a server lists them. */
export const CATALOGUE: readonly ToolContract[] = [
  marketCountSuppliers,
  marketSearchSuppliers,
  marketSearchAwards,
  marketGetSupplierHistory,
  marketAggregateAwards,
  marketCompare,
  marketScreen,
  marketSearchOpportunities,
  marketGetOpportunity,
  companySearch,
  peopleSearch,
  peopleQuote,
  peopleReveal,
  peopleAcquired,
  collectionQuery,
  crmSaveCompanies,
  crmUndo,
  contextRetrieve,
  contextGet,
  sequenceCreateDraft,
  sequenceCheck,
  usage,
];
