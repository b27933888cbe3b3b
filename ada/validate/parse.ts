import { TurnOutput } from '../../contracts/turn.js';
import { defect, type Defect } from './rule.js';

export type Parsed = { output: TurnOutput; defects: [] } | { output: null; defects: Defect[] };

const wrong = (tag: 'parse' | 'schema', code: string, quote: string): Parsed => ({
  output: null,
  defects: [defect(tag, code, quote, null, 'text')],
});

/** One JSON object and nothing around it; then the shape of an answer. Each stops whatever comes after. */
export const parse = (text: string): Parsed => {
  const whole = text.trim();
  if (whole === '') return wrong('parse', 'parse.empty', '');
  let value: unknown;
  try {
    value = JSON.parse(whole);
  } catch {
    const fenced = /^```/.test(whole) || /```\s*$/.test(whole);
    return wrong(
      'parse',
      fenced ? 'parse.fence' : whole.startsWith('{') && whole.endsWith('}') ? 'parse.broken' : 'parse.prose',
      whole.slice(0, 120),
    );
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return wrong('parse', 'parse.object', whole.slice(0, 120));
  const read = TurnOutput.safeParse(value);
  if (!read.success) {
    return {
      output: null,
      defects: read.error.issues
        .slice(0, 6)
        .map((issue) => defect('schema', 'schema.shape', `${issue.path.join('.') || '{}'}: ${issue.message}`, null, 'text')),
    };
  }
  // Anchors that only cite are not read by anybody.
  if (!/[\p{L}\p{N}]/u.test(read.data.narration.replace(/\[\[(?:run|decision|board):[^[\]\n]*\]\]/g, '')))
    return wrong('schema', 'schema.blank', 'narration');
  return { output: { ...read.data, narration: read.data.narration.normalize('NFC') }, defects: [] };
};
