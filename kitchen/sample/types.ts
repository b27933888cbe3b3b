import type { Seniority } from './words.js';

/** Immutable rows of the sample, as stored. Days are counted back (or forward) from today so that the sample never gets old. */
export interface CompanyRow {
  pos: number;
  company_id: string;
  name: string;
  rfc: string | null;
  domain: string | null;
  activity: string;
  state: string;
  size: string;
  supplier_id: string | null;
  sanctioned: boolean;
}
export interface PersonRow {
  pos: number;
  person_id: string;
  company_id: string;
  name: string;
  email: string;
  phone: string | null;
  title: string;
  area: string;
  seniority: Seniority;
  seen_days: number;
}
export interface AwardRow {
  pos: number;
  award_id: string;
  supplier_id: string;
  buyer: string;
  product: string;
  activity: string;
  state: string;
  amount_mxn: number;
  awarded_on: string;
  procedure: string;
}
export interface OpportunityRow {
  pos: number;
  opportunity_id: string;
  title: string;
  buyer: string;
  product: string;
  activity: string;
  state: string;
  published_days: number;
  deadline_days: number;
  outcome: 'none' | 'awarded' | 'canceled';
  participation: 'none' | 'following' | 'questions_sent' | 'proposal_sent';
}
export interface TopicRow {
  pos: number;
  topic_id: string;
  title: string;
  summary: string;
  body: string;
  updated_on: string;
}
export interface Sample {
  companies: CompanyRow[];
  people: PersonRow[];
  awards: AwardRow[];
  opportunities: OpportunityRow[];
  topics: TopicRow[];
}
