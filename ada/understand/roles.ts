import { plain } from './text.js';

/** Areas of a company: the word asked for, the words that people say, and what to try when nobody is there. */
const AREAS: ReadonlyArray<{ area: string; label: string; next: string; words: readonly string[] }> = [
  {
    area: 'compras',
    label: 'compras',
    next: 'operaciones',
    words: [
      'compras',
      'comprador',
      'compradora',
      'compradores',
      'compradoras',
      'abastecimiento',
      'procurement',
      'purchasing',
      'adquisiciones',
      'suministros',
      'sourcing',
      'buyers',
      'buyer',
    ],
  },
  {
    area: 'operaciones',
    label: 'operaciones',
    next: 'direccion',
    words: ['operaciones', 'operacion', 'planta', 'produccion', 'manufactura', 'operations', 'plant', 'coo'],
  },
  {
    area: 'logistica',
    label: 'logística',
    next: 'operaciones',
    words: ['logistica', 'almacen', 'embarques', 'distribucion', 'supply chain', 'logistics', 'trafico'],
  },
  {
    area: 'finanzas',
    label: 'finanzas',
    next: 'direccion',
    words: ['finanzas', 'contabilidad', 'contador', 'tesoreria', 'cfo', 'cfos', 'finance', 'financiero'],
  },
  {
    area: 'recursos humanos',
    label: 'recursos humanos',
    next: 'direccion',
    words: ['recursos humanos', 'rh', 'nomina', 'talento', 'hr', 'human resources'],
  },
  { area: 'sistemas', label: 'sistemas', next: 'operaciones', words: ['sistemas', 'ti', 'cto', 'cio', 'informatica'] },
  { area: 'mercadotecnia', label: 'mercadotecnia', next: 'ventas', words: ['mercadotecnia', 'marketing', 'marca'] },
  { area: 'mantenimiento', label: 'mantenimiento', next: 'operaciones', words: ['mantenimiento', 'maintenance'] },
  { area: 'calidad', label: 'calidad', next: 'operaciones', words: ['calidad', 'inocuidad', 'quality'] },
  { area: 'ventas', label: 'ventas', next: 'direccion', words: ['ventas', 'comercial', 'sales'] },
  {
    area: 'direccion',
    label: 'dirección',
    next: 'compras',
    words: [
      'direccion general',
      'director general',
      'directora general',
      'gerente general',
      'ceo',
      'dueno',
      'duena',
      'duenos',
      'duenas',
      'propietario',
      'owner',
      'owners',
      'direccion',
    ],
  },
];
const FORMS = AREAS.flatMap((one) =>
  one.words.map((word) => ({ area: one.area, pattern: new RegExp(`(?<![\\w])${word.replaceAll(' ', '\\s+')}(?![\\w])`) })),
).sort((a, b) => b.pattern.source.length - a.pattern.source.length);

/** The area of a company that a message names ("gerente de planta" → operaciones); null when none. */
export const areaIn = (flat: string): string | null => {
  let best: { area: string; at: number } | null = null;
  for (const { area, pattern } of FORMS) {
    const at = flat.search(pattern);
    if (at >= 0 && (best === null || at < best.at)) best = { area, at };
  }
  if (best) return best.area;
  return /\b(?:director(?:es|as?)?)\b/.test(flat) ? 'direccion' : null;
};
const ENGLISH: Record<string, string> = {
  compras: 'purchasing',
  operaciones: 'operations',
  logistica: 'logistics',
  finanzas: 'finance',
  'recursos humanos': 'human resources',
  sistemas: 'systems',
  mercadotecnia: 'marketing',
  mantenimiento: 'maintenance',
  calidad: 'quality',
  ventas: 'sales',
  direccion: 'management',
};
export const labelOfArea = (area: string, language: 'es-MX' | 'en' = 'es-MX'): string =>
  (language === 'en' ? ENGLISH[plain(area)] : undefined) ?? AREAS.find((one) => one.area === plain(area))?.label ?? area;
/** The area to try when nobody of the wanted one is known. */
export const neighbourOf = (area: string): string | null => AREAS.find((one) => one.area === plain(area))?.next ?? null;
const RANK: Record<string, number> = { gerente: 100, director: 95, jefe: 85, coordinador: 65, analista: 40, otro: 20 };
const MONTH_MS = 30 * 24 * 3_600_000;
/** How well somebody fits: 60 % area, 25 % rank, 15 % how lately they were seen; as in a campaign. */
export const fitOf = (person: { area: string; seniority: string; seen_at: string }, area: string, now: number): number => {
  const months = Math.max(0, (now - Date.parse(person.seen_at)) / MONTH_MS);
  return Math.round(
    0.6 * (plain(person.area).replaceAll('_', ' ') === plain(area) ? 100 : 55) +
      0.25 * (RANK[person.seniority] ?? 20) +
      0.15 * Math.max(0, 100 - 4 * months),
  );
};
