import type { ModelAttempt } from '../contracts/turn.js';
import { TurnRefusal } from './preflight.js';
import { ModelFailure, type Model, type ModelReply, type ModelRequest, type TokenUse } from './ports/model.js';

/** Calls to models that one turn may make, all attempts together. */
export const MAX_MODEL_CALLS = 14;
/** How far a timer and the clock may be apart, ms. */
const CLOCK_MS = 50;
/** Longest wait that a model may ask for inside a turn, ms. */
const MAX_WAIT_MS = 5_000;

export interface Session {
  complete(request: Omit<ModelRequest, 'output' | 'deadlineMs' | 'signal'> & { schema: Record<string, unknown> }): Promise<ModelReply>;
  readonly attempts: ModelAttempt[];
  readonly usage: TokenUse;
  /** micro-USD; null when an attempt had no price. */
  cost(): number | null;
  /** micro-USD that are known to have been used, whatever else was: never above what it cost. */
  known(): number;
  ttft(): number | null;
}

export interface SessionOptions {
  primary: Model;
  escalation: Model | null;
  deadline: number;
  signal: AbortSignal;
  now?: () => number;
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });

/**
 * 5 · The models of one turn. `json_schema` first; only "not capable" degrades to `json_object`. A passing failure is tried once more on the same
 * model and then, if there is one, on the escalation model; nothing else goes there. Every attempt is written down with its route and its price.
 */
export const createSession = ({ primary, escalation, deadline, signal, now = Date.now, wait = pause }: SessionOptions): Session => {
  const attempts: ModelAttempt[] = [];
  const usage: TokenUse = { in: 0, out: 0 };
  let unpriced = false;
  let micros = 0;
  let ttft: number | null = null;
  const mode = new Map<Model, 'json_schema' | 'json_object'>();
  const escalated = { now: false };

  const attempt = async (model: Model, request: Parameters<Session['complete']>[0]): Promise<ModelReply> => {
    if (attempts.length >= MAX_MODEL_CALLS) throw new TurnRefusal('model_unavailable', { calls: attempts.length });
    const left = deadline - now();
    if (left <= 0) throw new TurnRefusal('deadline');
    const since = now();
    const output = { mode: mode.get(model) ?? ('json_schema' as const), name: 'turn', schema: request.schema };
    const done = (outcome: string, used: TokenUse | null): void => {
      // Nobody knows what a failed call cost when it did not say.
      const cost = used ? model.cost(used) : outcome === 'ok' || model.kind === 'deterministic' ? 0 : null;
      if (
        cost === null &&
        outcome !== 'unreachable' &&
        outcome !== 'rate_limited' &&
        outcome !== 'quota' &&
        outcome !== 'unauthorized' &&
        outcome !== 'not_capable'
      )
        unpriced = true;
      micros += cost ?? 0;
      usage.in += used?.in ?? 0;
      usage.out += used?.out ?? 0;
      attempts.push({
        model: model.name,
        route: model === primary ? 'primary' : 'escalation',
        mode: model.kind === 'deterministic' ? 'none' : output.mode,
        outcome,
        tokens_in: used?.in ?? 0,
        tokens_out: used?.out ?? 0,
        cost_micros: cost,
        ms: Math.round(now() - since),
      });
    };
    try {
      const reply = await model.complete({ ...request, output, deadlineMs: left, signal });
      done('ok', reply.usage);
      ttft ??= reply.ttftMs === null ? null : Math.round(since - started + reply.ttftMs);
      return reply;
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error;
      done(error.code, error.usage);
      throw error;
    }
  };
  const started = now();

  const tried = async (model: Model, request: Parameters<Session['complete']>[0]): Promise<ModelReply> => {
    for (let again = 0; ; again++) {
      try {
        return await attempt(model, request);
      } catch (error) {
        if (!(error instanceof ModelFailure)) throw error;
        // The port has already left out what was refused: the same again.
        if (error.code === 'not_capable' && error.adapted) {
          again--;
          continue;
        }
        if (error.code === 'not_capable' && (error.lacks === 'output' || error.lacks === null) && mode.get(model) !== 'json_object') {
          mode.set(model, 'json_object');
          again--;
          continue;
        }
        if (!error.passing || again >= 1 || signal.aborted) throw error;
        const ms = Math.min(error.retryAfterMs ?? 300, MAX_WAIT_MS);
        if ((error.retryAfterMs ?? 0) > MAX_WAIT_MS || now() + ms >= deadline) throw error;
        await wait(ms, signal);
      }
    }
  };

  const refusal = (error: ModelFailure): TurnRefusal => {
    if (error.code === 'quota') return new TurnRefusal('model_quota');
    if (error.code === 'unauthorized') return new TurnRefusal('model_unauthorized');
    // Timers and the clock differ by a little: what was given the rest of the time and used it up is late.
    if (error.code === 'timeout' && now() >= deadline - CLOCK_MS) return new TurnRefusal('deadline');
    return new TurnRefusal('model_unavailable', { cause: error.code });
  };

  return {
    attempts,
    usage,
    cost: () => (unpriced ? null : micros),
    known: () => micros,
    ttft: () => ttft,
    complete: async (request) => {
      try {
        if (escalated.now && escalation) return await tried(escalation, request);
        return await tried(primary, request);
      } catch (error) {
        if (!(error instanceof ModelFailure)) throw error;
        const worth = (error.passing || error.code === 'not_capable') && !escalated.now && escalation !== null && !signal.aborted;
        if (!worth) throw refusal(error);
        escalated.now = true;
        try {
          return await tried(escalation, request);
        } catch (second) {
          if (!(second instanceof ModelFailure)) throw second;
          throw refusal(second);
        }
      }
    },
  };
};
