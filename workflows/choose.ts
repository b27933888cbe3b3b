import type { Candidate } from '../contracts/tools/people.js';

/** Why a person was chosen, 0–100 each; `score` is 60 % role, 25 % seniority, 15 % freshness. Stored with the account. */
export interface Choice {
  person_id: string;
  title: string;
  score: number;
  role: number;
  seniority: number;
  freshness: number;
}

/** Words that people use for the same area. The first of each is the name of the area at the provider. */
const AREAS: string[][] = [
  ['compras', 'comprador', 'compradora', 'abastecimiento', 'procurement', 'adquisiciones', 'suministros', 'sourcing'],
  ['operaciones', 'operacion', 'planta', 'produccion', 'manufactura'],
  ['logistica', 'almacen', 'cadena', 'distribucion'],
  ['finanzas', 'contabilidad', 'tesoreria', 'administracion'],
  ['ventas', 'comercial', 'marketing', 'mercadotecnia'],
  ['recursos humanos', 'rh', 'talento', 'personal'],
  ['sistemas', 'ti', 'tecnologia', 'informatica'],
  ['calidad', 'inocuidad'],
  ['direccion', 'director general', 'gerencia general', 'dueno'],
];
/** Areas close enough that a person there often decides for the other. */
const NEIGHBOURS: Record<string, string[]> = {
  compras: ['operaciones', 'logistica'],
  logistica: ['operaciones', 'compras'],
  operaciones: ['logistica', 'calidad'],
  finanzas: ['compras'],
};
const SENIORITY: Record<Candidate['seniority'], number> = { gerente: 100, director: 95, jefe: 85, coordinador: 65, analista: 40, otro: 20 };
const MONTH_MS = 30 * 24 * 3600 * 1000;

/** Lower case without accents. */
export const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .trim();

/** The area that a role names, or the role itself when it is none of ours. */
export const areaOf = (role: string): string => {
  const folded = ` ${fold(role).replace(/[^a-z0-9ñ]+/g, ' ')} `;
  return AREAS.find((words) => words.some((w) => folded.includes(` ${w} `)))?.[0] ?? fold(role);
};

/** How well a candidate fits a role. Pure: the moment that freshness is measured against is an argument. */
export const scoreCandidate = (candidate: Candidate, role: string, asOf: number): Choice => {
  const wanted = areaOf(role);
  const area = areaOf(candidate.area);
  const named = areaOf(candidate.title);
  const roleScore = area === wanted || named === wanted ? 100 : (NEIGHBOURS[wanted] ?? []).includes(area) ? 55 : 0;
  const seniority = SENIORITY[candidate.seniority];
  const months = Math.max(0, (asOf - Date.parse(candidate.seen_at)) / MONTH_MS);
  const freshness = Math.max(0, Math.round(100 - 4 * months));
  return {
    person_id: candidate.person_id,
    title: candidate.title,
    role: roleScore,
    seniority,
    freshness,
    score: Math.round(0.6 * roleScore + 0.25 * seniority + 0.15 * freshness),
  };
};

/** The best candidate for a role, or why there is none. Ties go to the fresher, then to the smaller id, so that the answer repeats. */
export const choosePerson = (
  candidates: Candidate[],
  role: string,
  asOf: number,
): { choice: Choice } | { choice: null; reason: 'no_candidates' | 'no_role_match' } => {
  if (candidates.length === 0) return { choice: null, reason: 'no_candidates' };
  const ranked = candidates
    .map((c) => scoreCandidate(c, role, asOf))
    .filter((c) => c.role > 0)
    .sort((a, b) => b.score - a.score || b.freshness - a.freshness || (a.person_id < b.person_id ? -1 : 1));
  const [best] = ranked;
  return best ? { choice: best } : { choice: null, reason: 'no_role_match' };
};
