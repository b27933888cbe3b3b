import { STATES } from '../vocabulary.js';
import { Random } from './random.js';
import type { AwardRow, CompanyRow, OpportunityRow } from './types.js';
import { BUYERS, PROCEDURES, TRADES } from './words.js';

const AWARDS = 10_000;
const OPPORTUNITIES = 1_500;
/** Awards fall inside these four years, whole. */
const FIRST_DAY = Date.UTC(2022, 11, 1);
const DAYS = 4 * 365;
const DAY_MS = 86_400_000;

/** Amounts with a long tail: most are some hundred thousand pesos, a few tens of millions. */
const amount = (r: Random): number => Math.round(Math.exp(10.4 + 5.2 * ((r.next() + r.next() + r.next()) / 3)) / 100) * 100;

/** 10,000 awards over four years to the registered suppliers; one supplier in nine never won. */
export const generateAwards = (companies: CompanyRow[]): AwardRow[] => {
  const r = new Random(31_415);
  const winners = companies.filter((c) => c.supplier_id !== null && !r.chance(0.11));
  const awards: AwardRow[] = [];
  for (let pos = 0; pos < AWARDS; pos++) {
    // Squaring favours the first suppliers: repeat winners exist.
    const company = winners[Math.floor(r.next() ** 2 * winners.length)] ?? winners[0];
    if (!company?.supplier_id) throw new Error('The sample has no suppliers');
    awards.push({
      pos,
      award_id: `adj-${String(pos + 1).padStart(6, '0')}`,
      supplier_id: company.supplier_id,
      buyer: r.pick(BUYERS),
      product: r.pick(TRADES[company.activity]?.products ?? ['Varios']),
      activity: company.activity,
      state: r.chance(0.6) ? company.state : r.pick(STATES),
      amount_mxn: amount(r),
      awarded_on: new Date(FIRST_DAY + r.int(0, DAYS - 1) * DAY_MS).toISOString().slice(0, 10),
      procedure: r.pick(PROCEDURES),
    });
  }
  return awards;
};

/** 1,500 tenders around today: about one in six still open. */
export const generateOpportunities = (): OpportunityRow[] => {
  const r = new Random(27_182);
  const activities = Object.keys(TRADES);
  return Array.from({ length: OPPORTUNITIES }, (_, pos) => {
    const activity = r.pick(activities);
    const product = r.pick(TRADES[activity]?.products ?? ['Varios']);
    const deadline_days = r.chance(0.17) ? r.int(1, 55) : r.int(-720, -1);
    return {
      pos,
      opportunity_id: `lic-${String(pos + 1).padStart(6, '0')}`,
      title: `Contratación de ${product.charAt(0).toLowerCase()}${product.slice(1)}`,
      buyer: r.pick(BUYERS),
      product,
      activity,
      state: r.pick(STATES),
      published_days: deadline_days - r.int(12, 45),
      deadline_days,
      outcome: deadline_days > 0 ? 'none' : r.pick(['none', 'awarded', 'awarded', 'awarded', 'canceled'] as const),
      participation: r.chance(0.9) ? 'none' : r.pick(['following', 'following', 'questions_sent', 'proposal_sent'] as const),
    };
  });
};
