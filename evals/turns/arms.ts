import { MANUAL } from '../../ada/manual.js';
import { loadSnapshot } from '../../ada/library/read/snapshot.js';
import { memoryStore } from '../../ada/library/read/memory-store.js';
import { openLibraries } from '../../ada/library/home.js';
import type { Snapshot } from '../../ada/library/types.js';
import type { Model } from '../../ada/ports/model.js';
import { CATALOGUE } from '../../contracts/tools/catalogue.js';
import type { Arm } from './dump.js';

/** What each arm takes away. */
export interface ArmSetup {
  snapshot: Snapshot;
  denied: string[];
  always: string[];
  model: (model: Model) => Model;
}

/** The manual's place, for the arm without it: who she is and what is expected, no more. */
const BASELINE = 'Eres Ada, asistente de ventas. Responde en el idioma de la persona con un solo objeto JSON según el esquema.';
const NAME = 'herramientas';

/** One recipe without a recipe: the read tools and not a word on how. */
const bareFile = (): string =>
  [
    '---',
    `name: ${NAME}`,
    'description: "Herramientas de lectura, sin receta."',
    'metadata:',
    '  version: "1.0.0"',
    '  reasoning: "medio"',
    `  tools: "${CATALOGUE.filter((tool) => tool.scope === 'read' && tool.readOnly)
      .map((tool) => tool.name)
      .join(' ')}"`,
    '  cierra_con: "lista"',
    '---',
    '# Herramientas',
    '',
    'Usa las que hagan falta.',
    '',
  ].join('\n');

const withoutManual = (model: Model): Model => ({
  ...model,
  cost: (usage) => model.cost(usage),
  complete: (request) => model.complete({ ...request, prefix: request.prefix.replace(MANUAL, BASELINE) }),
});

export const platform = (): Promise<Snapshot> =>
  openLibraries({ CAMPANA_SKILLS_HOME: '/nonexistent', CAMPANA_STATE_DIR: '/nonexistent' }).of('evals').snapshot();

export const setUp = async (arm: Arm, snapshot: Snapshot): Promise<ArmSetup> => {
  const same = (model: Model): Model => model;
  switch (arm) {
    case 'con_receta':
      return { snapshot, denied: [], always: [], model: same };
    case 'sin_receta':
      return { snapshot, denied: [...snapshot.skills.keys()], always: [], model: same };
    case 'sin_manual':
      return { snapshot, denied: [], always: [], model: withoutManual };
    case 'solo_herramientas': {
      const bare = await loadSnapshot([
        { id: 'evals', store: memoryStore({ [`evals/${NAME}/SKILL.md`]: bareFile() }), trust: 'plataforma', shell: false, directory: null },
      ]);
      if (!bare.skills.has(NAME))
        throw new Error(`The arm without recipes has no tools: ${bare.problems.map((problem) => problem.code).join(', ')}`);
      return { snapshot: bare, denied: [], always: [NAME], model: same };
    }
  }
};
