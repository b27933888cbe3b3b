import type { Pool } from 'pg';
import type { AwardRow, CompanyRow, OpportunityRow, PersonRow, TopicRow } from './sample/types.js';

const DAY_MS = 86_400_000;

/** The sample in memory with the indexes that the tools need. It never changes after the start. */
export interface Library {
  companies: CompanyRow[];
  companyById: Map<string, CompanyRow>;
  /** Companies by `activity|state`, in the order of the sample. */
  companiesByTrade: Map<string, CompanyRow[]>;
  personById: Map<string, PersonRow>;
  peopleByCompany: Map<string, PersonRow[]>;
  suppliers: CompanyRow[];
  supplierById: Map<string, CompanyRow>;
  supplierByRfc: Map<string, CompanyRow>;
  awards: AwardRow[];
  awardsBySupplier: Map<string, AwardRow[]>;
  opportunities: OpportunityRow[];
  topics: TopicRow[];
  /** Midnight UTC of a day counted from today, as ISO. Negative is the past. */
  day: (offset: number) => string;
}

const groupBy = <T>(rows: readonly T[], key: (row: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const k = key(row);
    const group = groups.get(k);
    if (group) group.push(row);
    else groups.set(k, [row]);
  }
  return groups;
};

/** Reads the sample into memory: about 40 MB for the demo. */
export const loadLibrary = async (pool: Pool): Promise<Library> => {
  const [companies, people, awards, opportunities, topics] = await Promise.all([
    pool.query<CompanyRow>('SELECT * FROM companies ORDER BY pos'),
    pool.query<PersonRow>('SELECT * FROM people ORDER BY pos'),
    pool.query<AwardRow>(
      'SELECT pos, award_id, supplier_id, buyer, product, activity, state, amount_mxn, awarded_on::text, procedure FROM awards ORDER BY pos',
    ),
    pool.query<OpportunityRow>('SELECT * FROM opportunities ORDER BY pos'),
    pool.query<TopicRow>('SELECT pos, topic_id, title, summary, body, updated_on::text FROM topics ORDER BY pos'),
  ]);
  const suppliers = companies.rows.filter((c) => c.supplier_id !== null);
  return {
    companies: companies.rows,
    companyById: new Map(companies.rows.map((c) => [c.company_id, c])),
    companiesByTrade: groupBy(companies.rows, (c) => `${c.activity}|${c.state}`),
    personById: new Map(people.rows.map((p) => [p.person_id, p])),
    peopleByCompany: groupBy(people.rows, (p) => p.company_id),
    suppliers,
    supplierById: new Map(suppliers.map((c) => [c.supplier_id ?? '', c])),
    supplierByRfc: new Map(suppliers.map((c) => [c.rfc ?? '', c])),
    awards: awards.rows,
    awardsBySupplier: groupBy(awards.rows, (a) => a.supplier_id),
    opportunities: opportunities.rows,
    topics: topics.rows,
    day: (offset) => new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS + offset * DAY_MS).toISOString(),
  };
};
