import { z } from 'zod';
import { LIMITS, limitRows } from '../../disclose/limits.js';
import { type Problem } from '../../types.js';
import { BACKGROUND, type Library, type LibraryRule, pathBeside, TOOLS } from '../rule.js';

/** Which argument of which tool holds a limit that the table tells, by the row's code. */
const HELD_BY: Readonly<Record<string, readonly [tool: string, ...fields: string[]]>> = {
  comparacion: ['market_compare', 'segments', 'geographies'],
  empresas_por_pagina: ['company_search', 'limit'],
  rfc_por_llamada: ['market_screen', 'rfcs'],
  filas_mercado: ['market_search_awards', 'limit'],
  registros_crm: ['collection_query', 'limit'],
  personas_por_llamada: ['people_search', 'limit'],
  contactos_por_precio: ['people_quote', 'person_ids'],
  borradores_por_lote: ['sequence_create_draft', 'drafts'],
  temas_por_consulta: ['context_retrieve', 'limit'],
  cuentas_por_campana: ['crm_save_companies', 'companies'],
};
const EVERY_SKILL = 'todas';

interface Bounds {
  properties?: Record<string, { maximum?: number; maxItems?: number }>;
}
const known = new Map<string, ReadonlyMap<string, number>>();
/** How much of each argument a tool takes in one call. */
const boundsOf = (tool: string): ReadonlyMap<string, number> => {
  const cached = known.get(tool);
  if (cached) return cached;
  const schema = z.toJSONSchema(TOOLS.get(tool)!.input, { io: 'input', unrepresentable: 'any' }) as Bounds;
  const bounds = new Map(
    Object.entries(schema.properties ?? {}).flatMap(([field, p]) => {
      const most = p.maxItems ?? p.maximum;
      return most === undefined || most > 1_000_000 ? [] : [[field, most] as const];
    }),
  );
  known.set(tool, bounds);
  return bounds;
};
/** `5,000`, `5 000` and `5000` are one number. */
const numbersIn = (text: string): number[] =>
  [...text.matchAll(/\d{1,3}(?:[ ,]\d{3})+|\d+/g)].map((m) => Number(m[0].replace(/[ ,]/g, '')));

/** What the references say a tool takes is what its schema takes. */
export const limits: LibraryRule = {
  codes: ['limit_differs', 'limit_skill_unknown'],
  checkAll: (library) => [...sharedTable(library), ...backgroundTables(library)],
};

const sharedTable = ({ snapshot }: Library): Problem[] => {
  const text = snapshot.shared.get(LIMITS)?.text ?? '';
  const lines = text.split('\n');
  return limitRows(text).flatMap((row): Problem[] => {
    const line = lines.findIndex((l) => l.includes(`\`${row.code}\``) || l.startsWith(`| ${row.code} `)) + 1;
    const at = { path: LIMITS, ...(line > 0 ? { line } : {}) };
    const problems: Problem[] = row.skills
      .filter((name) => name !== EVERY_SKILL && !snapshot.skills.has(name))
      .map((name) => ({ severity: 'error', code: 'limit_skill_unknown', ...at, params: { row: row.code, skill: name } }));
    const held = Object.hasOwn(HELD_BY, row.code) ? HELD_BY[row.code]! : null;
    if (held) {
      const [tool, ...fields] = held;
      const said = numbersIn(row.amount);
      fields.forEach((field, i) => {
        const most = boundsOf(tool).get(field);
        if (most !== undefined && said[i] !== most)
          problems.push({
            severity: 'error',
            code: 'limit_differs',
            ...at,
            params: { row: row.code, said: said[i] ?? 0, tool, field, most },
          });
      });
    }
    return problems;
  });
};

/** Rows `| step | tool | per call | … |`: one, or as many as the tool takes. */
const backgroundTables = ({ snapshot }: Library): Problem[] =>
  [...snapshot.skills.values()].flatMap((skill) => {
    const text = skill.references.find((r) => r.name === BACKGROUND)?.text ?? '';
    return text.split('\n').flatMap((line, i): Problem[] => {
      const cells = line.split('|').map((cell) => cell.trim().replace(/`/g, ''));
      const at = cells.findIndex((cell) => TOOLS.has(cell));
      const said = at < 0 ? undefined : numbersIn(cells[at + 1] ?? '')[0];
      if (said === undefined || said === 1) return [];
      const tool = cells[at]!;
      const bounds = [...boundsOf(tool)];
      if (bounds.some(([, most]) => most === said)) return [];
      const [field, most] = bounds.sort((a, b) => b[1] - a[1])[0] ?? ['', 1];
      return [
        {
          severity: 'error',
          code: 'limit_differs',
          path: pathBeside(skill, BACKGROUND),
          root: skill.root,
          line: i + 1,
          params: { row: tool, said, tool, field, most },
        },
      ];
    });
  });
