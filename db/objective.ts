import type { Criteria } from '../contracts/criteria.js';

/** What a campaign is called where nobody named it: its criteria are what people look for it by. */
export const objectiveOf = (cuentas: number, { cargo, giro, estado }: Criteria): string =>
  `${cuentas} · ${cargo} · ${giro}${estado ? ` · ${estado}` : ''}`;

export interface Aims {
  cuentas: number;
  criteria: Criteria;
}
/** Counted in the same number, but not accounts: «empresas de más de 50 empleados». */
const OTHER_THINGS = String.raw`(?!\s*(?:%|por ciento|percent|mil\b|mill[oó]n|emplead|trabajador|employees|workers|a[ñn]os?\b|years?\b|d[ií]as?\b|days?\b|meses\b|months?\b|km\b))`;
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
const grouped = (n: number): string => String(n).replace(/\B(?=(?:\d{3})+$)/g, '[,.\u00a0 ]?');

/** The name after a change of plan: with the new number and the new role where the old ones stood. Whatever else was written stays. */
export const objectiveAfter = (objetivo: string, before: Aims, after: Aims): string => {
  if (objetivo === objectiveOf(before.cuentas, before.criteria)) return objectiveOf(after.cuentas, after.criteria);
  const counted =
    before.cuentas === after.cuentas
      ? objetivo
      : objetivo.replace(
          new RegExp(String.raw`(?<![\p{L}\d]|\d[.,])${grouped(before.cuentas)}(?![\p{L}\d]|[.,]\d)${OTHER_THINGS}`, 'giu'),
          String(after.cuentas),
        );
  const role = before.criteria.cargo;
  return role === after.criteria.cargo
    ? counted
    : counted.replace(new RegExp(String.raw`(?<![\p{L}\d])${escaped(role)}(?![\p{L}\d])`, 'giu'), () => after.criteria.cargo).slice(0, 300);
};
