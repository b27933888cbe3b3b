import type { Tool } from '../runtime.js';
import { companySearchTool } from './companies.js';
import { contextGetTool, contextRetrieveTool } from './context.js';
import { collectionQueryTool, crmSaveTool, crmUndoTool } from './crm.js';
import { aggregateAwardsTool, compareTool, getOpportunityTool, searchAwardsTool, searchOpportunitiesTool } from './market-awards.js';
import { countSuppliersTool, screenTool, searchSuppliersTool, supplierHistoryTool } from './market-suppliers.js';
import { peopleAcquiredTool, peopleQuoteTool, peopleRevealTool, peopleSearchTool } from './people.js';
import { sequenceCheckTool, sequenceCreateTool } from './sequences.js';
import { usageTool } from './usage.js';

/** Every tool this server fulfils. */
export const TOOLS: readonly Tool[] = [
  countSuppliersTool,
  searchSuppliersTool,
  searchAwardsTool,
  supplierHistoryTool,
  aggregateAwardsTool,
  compareTool,
  screenTool,
  searchOpportunitiesTool,
  getOpportunityTool,
  companySearchTool,
  peopleSearchTool,
  peopleQuoteTool,
  peopleRevealTool,
  peopleAcquiredTool,
  collectionQueryTool,
  crmSaveTool,
  crmUndoTool,
  contextRetrieveTool,
  contextGetTool,
  sequenceCreateTool,
  sequenceCheckTool,
  usageTool,
];
