import { z } from 'zod';
import { CATALOGUE } from '../../contracts/tools/catalogue.js';
import type { ToolSchema } from '../../ada/library/disclose/savings.js';
import { openLibraries } from '../../ada/library/home.js';
import { memoryStore } from '../../ada/library/read/memory-store.js';
import { loadSnapshot } from '../../ada/library/read/snapshot.js';
import type { Snapshot } from '../../ada/library/types.js';
import { readLibrary, type MadeUp } from './cases.js';

/** The recipes of the product, as a release ships them. */
export const platformSnapshot = async (): Promise<Snapshot> => {
  const library = openLibraries({ CAMPANA_SKILLS_HOME: '/nonexistent', CAMPANA_STATE_DIR: '/nonexistent' });
  return library.of('nobody').snapshot();
};

/** A body as long as people write them, from what the row says. */
const bodyOf = (row: MadeUp): string => {
  const title = row.name.replace(/-/g, ' ');
  const phrase = (i: number): string => row.gatillos[i % row.gatillos.length] ?? title;
  return [
    `# ${title.charAt(0).toUpperCase()}${title.slice(1)}`,
    row.description,
    '## Antes de empezar',
    `- Revisa en el tablero si «${phrase(0)}» ya trae datos; lo que ya se dijo no se pregunta otra vez.`,
    '- Si falta algo, propón un valor y sigue con él; pregunta una sola cosa al final.',
    '## Pasos',
    ...[1, 2, 3, 4].map(
      (n) =>
        `${n}. \`skill_reference\` {"skill": "${row.name}", "ref": "references/paso-${n}.md"}: aplica lo que dice a «${phrase(n)}» y anota de dónde salió cada dato. Con cero filas: cambia una sola condición, dilo y vuelve a intentar; si sigue en cero, di qué se revisó.`,
    ),
    '## Cómo cierras',
    'Una frase con el resultado y su denominador, una salida concreta, y lo que no se pudo con el lugar en donde sí se hace.',
    '## Ejemplo',
    `«${phrase(2)}»`,
    '→ `board_read` {} → lo que había',
    `→ «Listo: ${title}, con lo que me diste y dos supuestos que puedes cambiar.»`,
    '## Errores frecuentes',
    '- `datos_incompletos` → falta una cifra → propón un rango y dilo.',
    '- `fuente_vieja` → el dato es de otro año → di el año junto a la cifra.',
  ].join('\n\n');
};

const quoted = (text: string): string => JSON.stringify(text);
const fileOf = (row: MadeUp): string =>
  `---\nname: ${row.name}\ndescription: ${quoted(row.description)}\nmetadata:\n  version: "1.0.0"\n  gatillos: ${quoted(row.gatillos.join(' | '))}\n---\n${bodyOf(row)}\n`;

/** The recipes of the product and 189 made-up ones in one space. */
export const library200 = async (): Promise<Snapshot> => {
  const platform = await platformSnapshot();
  const files = Object.fromEntries(readLibrary().map((row) => [`${row.category}/${row.name}/SKILL.md`, fileOf(row)]));
  return loadSnapshot([...platform.roots, { id: 'hechas', store: memoryStore(files), trust: 'propia', shell: false, directory: null }]);
};

/** The catalogue's tools as a model is sent them. */
export const catalogueSchemas = (): ToolSchema[] =>
  CATALOGUE.map(({ name, description, input }) => ({ name, description, schema: z.toJSONSchema(input, { io: 'input' }) }));

/** A tool for each made-up skill, as large as the catalogue's are: what a library of that size would bring. */
export const madeUpSchemas = (): ToolSchema[] => {
  const real = catalogueSchemas();
  return readLibrary().map((row, i) => ({
    name: `${row.name.replace(/-/g, '_')}_consulta`,
    description: row.description,
    schema: real[i % real.length]?.schema,
  }));
};
