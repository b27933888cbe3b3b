import { STATES } from '../vocabulary.js';
import { PINNED } from './pinned.js';
import { Random } from './random.js';
import { rfcCheckDigit } from './rfc.js';
import { generateAwards, generateOpportunities } from './market.js';
import { TOPICS } from './topics.js';
import type { CompanyRow, PersonRow, Sample } from './types.js';
import { FIRST_NAMES, LEGAL_FORMS, NAME_ROOTS, NAME_TAILS, RANKS, SURNAMES, TITLES, TRADES, type Seniority } from './words.js';

/** Sizes of the sets. `grande` comes after `demo` and never changes what `demo` answers first. */
export const SIZES = {
  demo: { companies: 5_000, people: 20_000, packagingEvery: 41, packaging: 120 },
  grande: { companies: 35_000, people: 140_000, packagingEvery: 5, packaging: 6_500 },
} as const;
const SEED = { demo: 20_260_901, grande: 20_260_902 } as const;
export type SetName = keyof typeof SIZES;

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ALNUM = `${LETTERS}123456789`;
const plain = (text: string): string => text.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
const slug = (text: string): string =>
  plain(text)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** Names, RFCs and domains already given in this set. */
interface Taken {
  names: Set<string>;
  rfcs: Set<string>;
  domains: Set<string>;
}

const makeName = (r: Random, activity: string, taken: Taken): string => {
  const nouns = TRADES[activity]?.nouns ?? ['Grupo'];
  for (let attempt = 0; ; attempt++) {
    const base = `${r.pick(nouns)} ${r.pick(NAME_ROOTS)} ${r.pick(NAME_TAILS)}${attempt > 3 ? ` ${r.int(2, 99)}` : ''}`;
    if (taken.names.has(base)) continue;
    taken.names.add(base);
    return `${base}, ${r.pick(LEGAL_FORMS)}`;
  }
};

/**
 * A well-formed company RFC meant for nobody: the year (27–35) reads as one still to come, and the two characters that the
 * authority derives from a registered name are drawn at random.
 */
const makeRfc = (r: Random, name: string, taken: Taken): string => {
  const initials = plain(name)
    .toUpperCase()
    .split(/[^A-Z]+/)
    .filter((w) => w.length > 2)
    .map((w) => w.charAt(0))
    .join('')
    .padEnd(3, 'X')
    .slice(0, 3);
  for (;;) {
    const date = `${r.int(27, 35)}${String(r.int(1, 12)).padStart(2, '0')}${String(r.int(1, 28)).padStart(2, '0')}`;
    const body = `${initials}${date}${ALNUM.charAt(r.int(0, ALNUM.length - 1))}${ALNUM.charAt(r.int(0, ALNUM.length - 1))}`;
    const rfc = body + rfcCheckDigit(body);
    if (taken.rfcs.has(rfc)) continue;
    taken.rfcs.add(rfc);
    return rfc;
  }
};

const makeDomain = (name: string, taken: Taken): string => {
  const base = slug(name.split(',')[0] ?? name);
  let domain = `${base}.example`;
  for (let n = 2; taken.domains.has(domain); n++) domain = `${base}-${n}.example`;
  taken.domains.add(domain);
  return domain;
};

const SIZE_DRAW = ['micro', 'pequena', 'pequena', 'pequena', 'mediana', 'mediana', 'grande'] as const;
const STATE_DRAW = [
  ...STATES,
  'Nuevo León',
  'Nuevo León',
  'Jalisco',
  'Jalisco',
  'Estado de México',
  'Ciudad de México',
  'Ciudad de México',
  'Guanajuato',
  'Querétaro',
  'Puebla',
];

const generateCompanies = (
  set: SetName,
  firstPos: number,
  taken: Taken,
): { companies: CompanyRow[]; packagingPlace: Map<string, number> } => {
  const size = SIZES[set];
  const r = new Random(SEED[set]);
  const activities = Object.keys(TRADES);
  const companies: CompanyRow[] = [];
  // The place of each packaging company of Jalisco in the order of the answer, within this set.
  const packagingPlace = new Map<string, number>();
  for (let i = 0; i < size.companies; i++) {
    const pos = firstPos + i;
    const company_id = `emp-${String(pos + 1).padStart(6, '0')}`;
    const isPackaging = i % size.packagingEvery === 3 && packagingPlace.size < size.packaging;
    let activity = 'empaque';
    let state = 'Jalisco';
    while (!isPackaging && activity === 'empaque' && state === 'Jalisco') [activity, state] = [r.pick(activities), r.pick(STATE_DRAW)];
    let name = makeName(r, activity, taken);
    let rfc: string | null = makeRfc(r, name, taken);
    let domain: string | null = makeDomain(name, taken);
    if (r.chance(0.06)) rfc = null;
    const place = packagingPlace.size;
    if (isPackaging) {
      packagingPlace.set(company_id, place);
      if (set === 'demo' && place === PINNED.suppressedByRfc.place) {
        name = PINNED.suppressedByRfc.name;
        rfc = PINNED.suppressedByRfc.rfcBody + rfcCheckDigit(PINNED.suppressedByRfc.rfcBody);
        domain = makeDomain(name, taken);
      }
      if (set === 'demo' && place === PINNED.suppressedByDomain.place)
        [name, domain] = [PINNED.suppressedByDomain.name, PINNED.suppressedByDomain.domain];
    } else if (r.chance(0.05)) domain = null;
    const registered = rfc !== null && r.chance(0.34);
    companies.push({
      pos,
      company_id,
      name,
      rfc,
      domain,
      activity,
      state,
      size: r.pick(SIZE_DRAW),
      supplier_id: registered ? `prv-${String(pos + 1).padStart(6, '0')}` : null,
      sanctioned: registered && r.chance(0.02),
    });
  }
  return { companies, packagingPlace };
};

const OTHER_AREAS = Object.keys(TITLES).filter((a) => a !== 'compras');
const BELOW: Record<string, Seniority[]> = {
  director: ['jefe', 'coordinador', 'analista'],
  gerente: ['coordinador', 'analista', 'otro'],
  jefe: ['analista', 'otro'],
  coordinador: ['analista', 'otro'],
};

/**
 * How many people each company gets: 1 to 7, adding up to exactly the wanted total so that the sizes of the sets are facts.
 * @param atLeast the smallest number for some companies.
 */
const headcounts = (r: Random, companies: number, total: number): number[] => {
  const counts = Array.from({ length: companies }, () => r.int(2, 6));
  let difference = total - counts.reduce((a, b) => a + b, 0);
  for (let i = 0; difference !== 0; i = (i + 1) % companies) {
    const now = counts[i] ?? 0;
    if (difference > 0 && now < 7) [counts[i], difference] = [now + 1, difference - 1];
    else if (difference < 0 && now > 2) [counts[i], difference] = [now - 1, difference + 1];
  }
  return counts;
};

const generatePeople = (set: SetName, firstPos: number, companies: CompanyRow[], packagingPlace: Map<string, number>): PersonRow[] => {
  const r = new Random(SEED[set] + 7);
  const counts = headcounts(r, companies.length, SIZES[set].people);
  const people: PersonRow[] = [];
  companies.forEach((company, index) => {
    const emails = new Set<string>();
    const place = packagingPlace.get(company.company_id);
    // In the demo the first 50 are known; elsewhere 96 % of the packaging companies and 85 % of the rest buy through somebody.
    const pinned = set === 'demo' && place !== undefined && place < 50;
    const buys = pinned ? !PINNED.withoutPurchasing.includes(place) : r.chance(place === undefined ? 0.85 : 0.96);
    const count = counts[index] ?? 2;
    const buyers = buys ? Math.min(count, r.pick([1, 1, 2, 2, 3])) : 0;
    const lead = r.pick(['director', 'gerente', 'gerente', 'gerente', 'jefe', 'jefe', 'coordinador'] as const);
    for (let k = 0; k < count; k++) {
      // The first purchasing person outranks the others and was seen last: one clear best choice.
      const area = k < buyers ? 'compras' : r.pick(OTHER_AREAS);
      const seniority: Seniority =
        k === 0 && buys
          ? lead
          : k < buyers
            ? r.pick(BELOW[lead] ?? ['otro'])
            : area === 'direccion'
              ? 'director'
              : r.pick(['gerente', 'jefe', 'coordinador', 'analista', 'otro'] as const);
      const seen_days = k === 0 && buys ? r.int(3, 60) : k < buyers ? r.int(90, 400) : r.int(5, 700);
      const pos = firstPos + people.length;
      const [first, one, two] = [r.pick(FIRST_NAMES), r.pick(SURNAMES), r.pick(SURNAMES)];
      const user = `${slug(first)}.${slug(one)}`;
      let email = `${user}@${company.domain ?? 'correo.example'}`;
      if (company.domain === null || emails.has(email)) email = `${user}.${pos + 1}@${company.domain ?? 'correo.example'}`;
      emails.add(email);
      people.push({
        pos,
        person_id: `per-${String(pos + 1).padStart(6, '0')}`,
        company_id: company.company_id,
        name: `${first} ${one} ${two}`,
        email,
        // No Mexican subscriber number starts with 000.
        phone: r.chance(0.7) ? `+52 ${r.pick(['33', '55', '81', '442', '477'])} 000 ${String(r.int(0, 9999)).padStart(4, '0')}` : null,
        title: `${RANKS[seniority]} ${r.pick(TITLES[area]?.words ?? ['General'])}`,
        area,
        seniority,
        seen_days,
      });
    }
  });
  return people;
};

/**
 * The demo sample: 5,000 companies, 20,000 people, 10,000 awards, 1,500 opportunities and 12 topics. Pure: the same rows every time.
 */
export const generateDemo = (): Sample => {
  const taken: Taken = { names: new Set(), rfcs: new Set(), domains: new Set([PINNED.suppressedByDomain.domain]) };
  const { companies, packagingPlace } = generateCompanies('demo', 0, taken);
  const people = generatePeople('demo', 0, companies, packagingPlace);
  return { companies, people, awards: generateAwards(companies), opportunities: generateOpportunities(), topics: TOPICS };
};

/** The bench set that follows a demo: 35,000 companies (6,500 of packaging in Jalisco) and 140,000 people. */
export const generateGrande = (demo: Sample): Pick<Sample, 'companies' | 'people'> => {
  const taken: Taken = {
    names: new Set(demo.companies.map((c) => c.name.split(',')[0] ?? c.name)),
    rfcs: new Set(demo.companies.flatMap((c) => (c.rfc === null ? [] : [c.rfc]))),
    domains: new Set(demo.companies.flatMap((c) => (c.domain === null ? [] : [c.domain]))),
  };
  const { companies, packagingPlace } = generateCompanies('grande', SIZES.demo.companies, taken);
  return { companies, people: generatePeople('grande', SIZES.demo.people, companies, packagingPlace) };
};
