import { sentenceAt } from './narration.js';
import { defect, type Rule } from './rule.js';

/** A row is named with its anchor: in the sentence, or before it once. */
export const fila: Rule = ({ narration }, { known }) =>
  narration.mentions.flatMap((mention) => {
    const row = known.rows.get(mention.folded);
    const sentence = sentenceAt(narration, mention.at);
    if (!row || narration.anchors.some((anchor) => row.refs.has(anchor.ref) && anchor.at < (sentence?.end ?? narration.raw.length)))
      return [];
    return [defect('fila', 'fila.anchor', narration.raw.slice(mention.at, mention.end), mention.at)];
  });
