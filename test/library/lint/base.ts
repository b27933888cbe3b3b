import { loadSnapshot } from '../../../ada/library/read/snapshot.js';
import { memoryStore } from '../../../ada/library/read/memory-store.js';
import type { Snapshot, Trust } from '../../../ada/library/types.js';

export type Tree = Readonly<Record<string, string>>;
/** A library that has the fault and one that nearly has it. */
export interface Pair {
  code: string;
  ok: Tree;
  bad: Tree;
  /** What the bad one says, at least. Lines are those of the file. */
  expected: Array<{ path?: string; key?: string; line?: number; severity?: 'error' | 'warning'; params?: Record<string, string | number> }>;
  trust?: Trust;
}

export interface Parts {
  name: string;
  description: string;
  metadata: Record<string, string>;
  title: string;
  antes: string;
  pasos: string;
  cierre: string;
  ejemplo: string;
  errores: string;
  body?: string;
}
const COUNT: Parts = {
  name: 'contar-talleres',
  description: 'Cuenta talleres de un giro: «cuántos talleres hay». No para verlos en lista (listar-talleres).',
  metadata: {
    version: '1.0.0',
    reasoning: 'bajo',
    tools: 'market_count_suppliers market_compare',
    cierra_con: 'conteo',
    siguiente: 'listar-talleres',
    requiere: 'giro',
    costo: 'gratis',
    gatillos: 'cuántos talleres hay | hay muchos talleres | cuenta los talleres | número de talleres | qué tantos talleres son',
    excluye: 'cuántos créditos tengo',
  },
  title: 'Contar talleres',
  antes: 'Toma giro y estado del mensaje; lo que falte, del hilo.',
  pasos:
    '1. `market_count_suppliers` con giro y estado: esperas `count`. Con cero filas: quita el estado y dilo.\n2. `market_compare` solo si compara. Con cero filas: la celda en 0 se dice como 0.',
  cierre: 'Una frase con la cifra y sus filtros.',
  ejemplo:
    '«cuántos talleres hay en Puebla»\n→ `market_count_suppliers` {"activity": "talleres"}\n→ count 6\n→ «En Puebla hay 6 talleres.» Botón: Ver los 6.',
  errores: '- `invalid_input` → un filtro vacío → quítalo.\n- `rate_limited` → muchas llamadas → espera y repite.',
};
const LIST: Parts = {
  ...COUNT,
  name: 'listar-talleres',
  title: 'Listar talleres',
  description: 'Lista talleres de un giro: «búscame talleres». No para contarlos (contar-talleres).',
  metadata: {
    ...COUNT.metadata,
    tools: '',
    profiles: 'mercado',
    cierra_con: 'lista',
    siguiente: 'contar-talleres',
    gatillos: 'búscame talleres | lista de talleres | talleres de Puebla | muéstrame talleres | encuéntrame talleres',
  },
};

export const render = (p: Parts): string => {
  const metadata = Object.entries(p.metadata)
    .map(([k, v]) => `  ${k}: ${JSON.stringify(v)}`)
    .join('\n');
  const body =
    p.body ??
    [
      `# ${p.title}`,
      `## Antes de empezar\n\n${p.antes}`,
      `## Pasos\n\n${p.pasos}`,
      `## Cómo cierras\n\n${p.cierre}`,
      `## Ejemplo\n\n${p.ejemplo}`,
      `## Errores frecuentes\n\n${p.errores}`,
    ].join('\n\n');
  return `---\nname: ${p.name}\ndescription: ${JSON.stringify(p.description)}\nmetadata:\n${metadata}\n---\n${body}\n`;
};

export type Change = Partial<Omit<Parts, 'metadata'>> & { metadata?: Record<string, string> };
const changed = (p: Parts, change: Change): Parts => ({ ...p, ...change, metadata: { ...p.metadata, ...change.metadata } });

export const COUNT_PATH = 'mercado/contar-talleres/SKILL.md';
/** Two recipes that lead to each other and have nothing wrong; the first with `change`, and files beside or over them. */
export const tree = (change: Change = {}, more: Tree = {}): Tree => ({
  [`mercado/${change.name ?? COUNT.name}/SKILL.md`]: render(changed(COUNT, change)),
  'mercado/listar-talleres/SKILL.md': render(LIST),
  ...more,
});
export const beside = (name: string): string => `mercado/contar-talleres/${name}`;
export const base = { count: COUNT, list: LIST };

export const load = (files: Tree, trust: Trust = 'plataforma'): Promise<Snapshot> =>
  loadSnapshot([{ id: 'prueba', store: memoryStore(files), trust, shell: false, directory: null }]);
/** A pair about the first recipe. */
export const pair = (
  code: string,
  ok: Change,
  bad: Change,
  expected: Pair['expected'] = [{}],
  options: { trust?: Trust; files?: Tree; okFiles?: Tree } = {},
): Pair => ({
  code,
  ok: tree(ok, options.okFiles ?? options.files),
  bad: tree(bad, options.files),
  expected,
  ...(options.trust ? { trust: options.trust } : {}),
});
