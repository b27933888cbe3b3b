import { share } from '../figures.js';
import { allTurns, miss, percent, type Meter } from './meter.js';

/** Calls that came back as an error, by code. What a limit of the product answers (no balance, several campaigns) is not an error of the model. */
const ANSWERS = new Set([
  'selection_empty',
  'no_open_run',
  'which_run',
  'insufficient_queries',
  'insufficient_credits',
  'query_not_selective',
  'replan_only_less',
  'mailbox_missing',
  'run_final',
]);

export const toolErrors: Meter = {
  id: 'errores_herramienta',
  title: 'Tool calls that failed',
  measure: (dump, _briefs, arm) => {
    const turns = allTurns(dump, arm);
    const calls = turns.flatMap(({ run, turn }) => turn.tools.filter((call) => call.tool !== 'router').map((call) => ({ run, call })));
    const failed = calls.filter(({ call }) => call.error !== null && !ANSWERS.has(call.error));
    const codes: Record<string, number> = {};
    for (const { call } of calls)
      if (call.error !== null) codes[`${call.tool} ${call.error}`] = (codes[`${call.tool} ${call.error}`] ?? 0) + 1;
    const value = calls.length === 0 ? 0 : 1 - share(calls.length - failed.length, calls.length);
    return {
      id: 'errores_herramienta',
      title: 'Tool calls that failed',
      aim: '≤ 5 %',
      seen: `${failed.length} of ${calls.length} (${percent(value)})`,
      value,
      ok: value <= 0.05,
      misses: failed.map(({ run, call }) => miss(run, `${call.tool} ${call.error} ${JSON.stringify(call.args).slice(0, 160)}`)),
      detail: codes,
    };
  },
};
