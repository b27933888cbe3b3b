import { companySearch, type Company } from '../../contracts/tools/index.js';
import { page } from '../cursor.js';
import { ToolFailure } from '../failure.js';
import { implement, type CallContext } from '../runtime.js';
import type { CompanyRow } from '../sample/types.js';
import { activityLabel, matchActivities, matchSize, matchStates, STATES } from '../vocabulary.js';

const toCompany = (c: CompanyRow): Company => ({
  ref: `record:${c.company_id}`,
  company_id: c.company_id,
  name: c.name,
  rfc: c.rfc,
  domain: c.domain,
  activity: activityLabel(c.activity),
  state: c.state,
  size: c.size,
});

/** Companies of some activities in some states, in the order of the sample. */
const select = (context: CallContext, activities: string[], states: string[], size: string | null): CompanyRow[] => {
  const groups = activities.flatMap((a) =>
    states.flatMap((s) => {
      const group = context.library.companiesByTrade.get(`${a}|${s}`);
      return group ? [group] : [];
    }),
  );
  const rows = groups.length === 1 ? (groups[0] ?? []) : groups.flat().sort((a, b) => a.pos - b.pos);
  return size === null ? rows : rows.filter((c) => c.size === size);
};

/** Charges the query of a page whose answer is ready. @throws ToolFailure `insufficient_queries`. */
export const chargePage = async (context: CallContext, tool: string, target: string): Promise<void> => {
  if (!(await context.store.chargeQuery(context.workspace, tool, target))) {
    throw new ToolFailure('insufficient_queries', 'No monthly query is left in this plan.', { counted: false });
  }
};

export const companySearchTool = implement(companySearch, async (args, context) => {
  const activities = matchActivities(args.activity);
  const states = args.state === undefined ? STATES : matchStates(args.state);
  const size = args.size === undefined ? null : matchSize(args.size);
  const unknown = [
    ...(activities.length === 0 ? [`activity "${args.activity.slice(0, 60)}"`] : []),
    ...(states.length === 0 ? [`state "${(args.state ?? '').slice(0, 60)}"`] : []),
    ...(args.size !== undefined && size === null ? [`size "${args.size}"`] : []),
  ];
  const query = ['company_search', activities, args.state === undefined ? null : states, size];
  const { rows, meta } = page(unknown.length > 0 ? [] : select(context, activities, states, size), args.limit, args.cursor, query);
  await chargePage(context, 'company_search', `${activities.join('+')}|${args.state ?? '*'}|${args.cursor ?? 'first'}`);
  const where = args.state === undefined ? 'every state' : states.join(', ');
  return {
    ref: context.ref('cs'),
    ...meta,
    companies: rows.map(toCompany),
    coverage:
      unknown.length > 0
        ? `Private companies of the sample; nothing is filed under ${unknown.join(', ')}`
        : `Private companies of the sample: ${activities.map(activityLabel).join(', ')}, ${where}${size === null ? '' : `, size ${size}`}`,
  };
});
