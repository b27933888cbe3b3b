import { brokenBrackets } from '../anchors.js';
import { defect, type Rule } from './rule.js';

const bare = (salida: string): string => salida.replace(/^\[\[|\]\]$/g, '');

/** Every anchor written, and every one handed over at a close, was given in this turn or stands on the board. */
export const refs: Rule = ({ output, narration }, { known }) => [
  ...narration.anchors.flatMap((anchor) => {
    const quote = `[[${anchor.ref}]]`;
    if (known.anchors.has(anchor.ref)) return anchor.problem === 'malformed' ? [defect('refs', 'refs.malformed', quote, anchor.at)] : [];
    return [
      defect(
        'refs',
        anchor.problem === 'duplicate_type' ? 'refs.duplicate_type' : anchor.problem === 'malformed' ? 'refs.malformed' : 'refs.unknown',
        quote,
        anchor.at,
      ),
    ];
  }),
  ...brokenBrackets(narration.raw).map((broken) => defect('refs', 'refs.malformed', broken, Math.max(0, narration.raw.indexOf(broken)))),
  ...(output.intent.kind === 'cierre'
    ? output.intent.salidas
        .filter((salida) => !known.anchors.has(bare(salida)))
        .map((salida) => defect('refs', 'refs.salida', salida, null, 'intent'))
    : []),
];
