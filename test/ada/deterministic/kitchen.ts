import { CATALOGUE } from '../../../contracts/tools/catalogue.js';
import type { AdaPorts } from '../../../ada/types.js';
import type { Library } from '../../../kitchen/library.js';
import { ToolFailure } from '../../../kitchen/failure.js';
import { page } from '../../../kitchen/cursor.js';
import { generateDemo } from '../../../kitchen/sample/generate.js';
import type { CompanyRow, Sample } from '../../../kitchen/sample/types.js';
import type { Store } from '../../../kitchen/store.js';
import { refCounter, type CallContext, type Tool } from '../../../kitchen/runtime.js';
import { TOOLS } from '../../../kitchen/tools/index.js';

/** The tools over arrays: the handlers of the sample's own, without a database. Only the CRM is written anew here. */
const DAY_MS = 86_400_000;
/** The day of the tests; the sample's days are counted from it. */
export const TODAY = new Date('2026-11-30T12:00:00.000Z');

const groupBy = <T>(rows: readonly T[], key: (row: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const one = groups.get(key(row));
    if (one) one.push(row);
    else groups.set(key(row), [row]);
  }
  return groups;
};
let sample: Sample | null = null;
const libraryOf = (change: (rows: CompanyRow[]) => CompanyRow[]): Library => {
  sample ??= generateDemo();
  const companies = change(sample.companies.map((one) => ({ ...one })));
  const suppliers = companies.filter((c) => c.supplier_id !== null);
  return {
    companies,
    companyById: new Map(companies.map((c) => [c.company_id, c])),
    companiesByTrade: groupBy(companies, (c) => `${c.activity}|${c.state}`),
    personById: new Map(sample.people.map((p) => [p.person_id, p])),
    peopleByCompany: groupBy(sample.people, (p) => p.company_id),
    suppliers,
    supplierById: new Map(suppliers.map((c) => [c.supplier_id ?? '', c])),
    supplierByRfc: new Map(suppliers.map((c) => [c.rfc ?? '', c])),
    awards: sample.awards,
    awardsBySupplier: groupBy(sample.awards, (a) => a.supplier_id),
    opportunities: sample.opportunities,
    topics: sample.topics,
    day: (offset) => new Date(Math.floor(TODAY.getTime() / DAY_MS) * DAY_MS + offset * DAY_MS).toISOString(),
  };
};

export interface CrmRow {
  record_id: string;
  company_id: string;
  name: string;
  rfc: string | null;
  domain: string | null;
  stage: string;
  amount_mxn: number;
  owner: string;
  days_in_stage: number;
  state: string;
  changed_at: string;
}
/** The 40 records that a new workspace gets. */
const pipelineOf = (companies: readonly CompanyRow[]): CrmRow[] =>
  companies
    .filter((c) => c.activity !== 'empaque' && c.pos % 97 === 11)
    .slice(0, 40)
    .map((c, i) => {
      const n = i + 1;
      return {
        record_id: `rec-${n}`,
        company_id: c.company_id,
        name: c.name,
        rfc: c.rfc,
        domain: c.domain,
        stage: ['contactado', 'propuesta', 'negociacion'][((n * 31) % 11) % 3] ?? 'contactado',
        amount_mxn: 40_000 + ((n * 7919) % 97) * 5_000,
        owner: ['Mariana', 'Octavio', 'Ximena'][n % 3] ?? 'Mariana',
        days_in_stage: (n * 31) % 60,
        state: c.state,
        changed_at: '2026-11-30T10:00:00.000Z',
      };
    });

export class Tools {
  readonly library: Library;
  crm: Map<string, CrmRow[]>;
  balances = { credits: 32, queries: 1_000, inference: 5_000_000 };
  prices = { min: 1, max: 1 };
  acquired: Array<{ person_id: string; credits: number }> = [];
  calls: Array<{ name: string; args: Record<string, unknown> }> = [];
  /** What a tool says instead of its answer, once or as often as given. */
  faults: Array<{ name: string; code: string; params?: Record<string, unknown>; times: number }> = [];
  private readonly ref = refCounter();
  private readonly byName = new Map<string, Tool>(TOOLS.map((tool) => [tool.contract.name, tool]));

  constructor(change: (rows: CompanyRow[]) => CompanyRow[] = (rows) => rows) {
    this.library = libraryOf(change);
    this.crm = new Map([
      ['pipeline', pipelineOf(this.library.companies)],
      ['prospectos', []],
    ]);
  }
  count(name: string): number {
    return this.calls.filter((one) => one.name === name).length;
  }

  private context(): CallContext {
    const rows = (): Array<{ person_id: string; charge_id: string; key: null; credits: number; acquired_at: Date }> =>
      this.acquired.map((one, i) => ({ ...one, charge_id: String(i + 1), key: null, acquired_at: TODAY }));
    const store: Partial<Store> = {
      workspace: async () => ({
        workspace: 'ws_demo',
        ...this.balances,
        price_min: this.prices.min,
        price_max: this.prices.max,
        honours_keys: true,
        mailbox: true,
      }),
      acquired: async (_w, ids, limit, offset) =>
        rows()
          .filter((one) => ids === null || ids.includes(one.person_id))
          .slice(offset, offset + limit),
      countAcquired: async (_w, ids) => rows().filter((one) => ids === null || ids.includes(one.person_id)).length,
      chargeQuery: async () => (this.balances.queries > 0 ? (this.balances.queries--, true) : false),
      priceOf: (_row, id) =>
        this.prices.min + ([...id].reduce((sum, c) => sum + c.charCodeAt(0), 0) % (this.prices.max - this.prices.min + 1)),
      rows: async () => [],
    };
    return { workspace: 'ws_demo', library: this.library, store: store as Store, undoWindowMs: 600_000, ref: this.ref };
  }

  readonly port: AdaPorts['tools'] = {
    call: async (_workspace, name, args) => {
      this.calls.push({ name, args });
      const fault = this.faults.find((one) => one.name === name && one.times > 0);
      if (fault) {
        fault.times--;
        throw new ToolFailure(fault.code, fault.code, { counted: false, params: fault.params ?? {} });
      }
      if (name === 'collection_query') return this.collection(args);
      const tool = this.byName.get(name);
      if (!tool) throw new Error(`unknown tool ${name}`);
      return tool.run(args, this.context());
    },
  };

  private collection(given: Record<string, unknown>): unknown {
    const args = CATALOGUE.find((one) => one.name === 'collection_query')?.input.parse(given) as {
      op: string;
      collection?: string;
      record_id?: string;
      text?: string;
      group_by?: string;
      limit: number;
      cursor?: string;
    };
    const ref = this.ref('cq');
    const whole = { has_more: false, next_cursor: null, save: null };
    const row = (r: CrmRow): Record<string, unknown> => ({ ref: `record:${r.record_id}`, ...r, version: 1 });
    if (args.op === 'list') {
      const rows = [...this.crm].map(([name, records]) => ({
        ref: `record:col-${name}`,
        collection: name,
        label: name === 'pipeline' ? 'Pipeline' : 'Prospectos',
        records: records.length,
      }));
      return { ref, shown: rows.length, total: rows.length, ...whole, rows, coverage: 'Collections of this workspace' };
    }
    if (args.op === 'get') {
      const found = [...this.crm.values()].flat().find((r) => r.record_id === args.record_id);
      if (!found) throw new ToolFailure('not_found', 'Record not found', { counted: false });
      return { ref, shown: 1, total: 1, ...whole, rows: [row(found)], coverage: 'One record' };
    }
    const records = this.crm.get(args.collection ?? '');
    if (!records)
      throw new ToolFailure('collection_not_found', 'Collection not found', {
        counted: false,
        params: { collections: [...this.crm.keys()] },
      });
    const like = args.text?.toLowerCase();
    const some = records.filter(
      (r) => like === undefined || [r.name, r.rfc, r.domain, r.stage].some((v) => v?.toLowerCase().includes(like)),
    );
    if (args.op === 'aggregate') {
      const groups = [...groupBy(some, (r) => String(r[(args.group_by ?? 'stage') as 'stage']))].sort((a, b) => b[1].length - a[1].length);
      const rows = groups.map(([group, rs], i) => {
        const sum = rs.reduce((s, r) => s + r.amount_mxn, 0);
        return {
          ref: `${ref}-${i + 1}`,
          group,
          records: { ref: `${ref}-${i + 1}-n`, value: rs.length },
          amount_mxn: { ref: `${ref}-${i + 1}-sum`, value: sum },
          average_mxn: { ref: `${ref}-${i + 1}-avg`, value: Math.round(sum / rs.length) },
        };
      });
      return { ref, shown: rows.length, total: rows.length, ...whole, rows, coverage: 'Collection' };
    }
    const { rows, meta } = page(some, args.limit, args.cursor, ['cq', args.collection, args.text ?? null]);
    return { ref, ...meta, save: null, rows: rows.map(row), coverage: 'Collection' };
  }
}
