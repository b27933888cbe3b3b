import { z } from 'zod';
import { ToolFailure } from './failure.js';
import { HOSTILE_NAMES } from './sample/hostile.js';
import { hash32, Random } from './sample/random.js';

/** Which calls a fault meets. Every field narrows; without any it meets every call for ever. */
const selector = {
  id: z.string().max(60).optional(),
  tool: z.string().default('*'),
  workspace: z.string().optional(),
  /** Lets this many matching calls pass first. */
  after: z.int().min(0).default(0),
  /** Fires at most this often. */
  times: z.int().min(1).optional(),
  probability: z.number().min(0).max(1).optional(),
  seed: z.int().default(1),
  /** An argument value that must be there (`"per-000123"`), or arguments by name (`{ "person_id": "per-000123" }`). */
  match: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
};
const fault = <K extends string, S extends z.ZodRawShape>(kind: K, shape: S) =>
  z.object({ kind: z.literal(kind), ...selector, ...shape }).strict();

/** A fault on demand, as `KITCHEN_FAULTS` and `POST /faults` take it. */
export const Fault = z.discriminatedUnion('kind', [
  fault('latency', { latency_ms: z.int().min(0).max(150_000), jitter_ms: z.int().min(0).max(150_000).default(0) }),
  fault('rate_limit', { retry_after_ms: z.int().min(0).default(1_000) }),
  fault('http_429', { retry_after_s: z.int().min(0).default(1) }),
  fault('http_5xx', { status: z.int().min(500).max(599).default(503) }),
  /** Never answers; `effect` says whether the work is done all the same. */
  fault('timeout', { effect: z.boolean().default(false) }),
  fault('lost_reply_after_effect', {}),
  fault('lost_reply_before_effect', {}),
  /** `rows` repeats the rows inside the result, `reply` delivers the same reply twice. */
  fault('duplicate_reply', { mode: z.enum(['rows', 'reply', 'both']).default('both') }),
  fault('malformed_json', {}),
  fault('changed_price', { min: z.int().min(0), max: z.int().min(0).optional() }),
  fault('changed_balance', {
    credits: z.int().min(0).optional(),
    queries: z.int().min(0).optional(),
    inference: z.int().min(0).optional(),
  }),
  fault('tool_missing', {}),
  fault('hostile_text', {}),
  /** Waits until released, before or after the effect. */
  fault('hold', { at: z.enum(['before_effect', 'after_effect']).default('before_effect') }),
  fault('no_read_back', {}),
  /** A real limit: more calls than this per second or at once are refused like `rate_limit`. */
  fault('limit', {
    per_second: z.number().positive().optional(),
    concurrency: z.int().min(1).optional(),
    retry_after_ms: z.int().min(0).default(200),
  }),
]);
export type Fault = z.infer<typeof Fault>;
export type FaultInput = z.input<typeof Fault>;
type Of<K extends Fault['kind']> = Extract<Fault, { kind: K }>;

/** How a reply leaves, when not in the usual way. */
export type Delivery =
  | { how: 'sent' }
  | { how: 'destroyed' }
  | { how: 'never' }
  | { how: 'truncated' }
  | { how: 'twice' }
  | { how: 'http'; status: number; retryAfterS?: number };

/** What the faults make of one call. */
export interface Plan {
  delayMs: number;
  holdBefore: Of<'hold'>[];
  holdAfter: Of<'hold'>[];
  /** Present: the tool does not run; this is what happens instead. */
  instead: Delivery | ToolFailure | null;
  delivery: Delivery;
  change: (Of<'changed_price'> | Of<'changed_balance'>)[];
  duplicateRows: boolean;
  hostile: boolean;
  missing: boolean;
  /** Called when the call is over. */
  release: () => void;
}
interface Call {
  tool: string;
  workspace: string;
  args: Record<string, unknown>;
}
interface Active {
  fault: Fault;
  id: string;
  matched: number;
  fired: number;
  random: Random;
  inFlight: number;
  recent: number[];
}
interface Holding {
  faultId: string;
  call: Call;
  go: () => void;
}

/** The faults that are on, and the calls they hold. */
export class Faults {
  private active: Active[] = [];
  private holding: Holding[] = [];
  private lastId = 0;

  constructor(initial: readonly Fault[]) {
    for (const f of initial) this.add(f);
  }

  add(given: Fault): string {
    const id = given.id ?? `fault-${++this.lastId}`;
    this.remove(id);
    this.active.push({ fault: given, id, matched: 0, fired: 0, random: new Random(given.seed), inFlight: 0, recent: [] });
    return id;
  }

  /** Ends one fault, or all; calls held by it go on. @returns how many ended. */
  remove(id?: string): number {
    const before = this.active.length;
    this.active = id === undefined ? [] : this.active.filter((a) => a.id !== id);
    this.release({ fault_id: id });
    return before - this.active.length;
  }

  /** Lets held calls go on, oldest first. @returns how many. */
  release(which: { fault_id?: string | undefined; tool?: string | undefined; count?: number | undefined }): number {
    const go = this.holding
      .filter(
        (h) => (which.fault_id === undefined || h.faultId === which.fault_id) && (which.tool === undefined || h.call.tool === which.tool),
      )
      .slice(0, which.count ?? Infinity);
    this.holding = this.holding.filter((h) => !go.includes(h));
    for (const h of go) h.go();
    return go.length;
  }

  list(): unknown[] {
    return this.active.map((a) => ({
      ...a.fault,
      id: a.id,
      matched: a.matched,
      fired: a.fired,
      holding: this.holding
        .filter((h) => h.faultId === a.id)
        .map((h) => ({ tool: h.call.tool, workspace: h.call.workspace, args: h.call.args })),
    }));
  }

  /** Tools that a workspace does not see now. Asking does not use up `times`. */
  hidden(workspace: string): Set<string> {
    return new Set(
      this.active
        .filter(
          (a) =>
            a.fault.kind === 'tool_missing' && (a.fault.workspace ?? workspace) === workspace && this.left(a) && a.matched >= a.fault.after,
        )
        .map((a) => a.fault.tool),
    );
  }

  /** Waits until somebody releases the call. */
  hold(faultId: string, call: Call): Promise<void> {
    return new Promise((go) => this.holding.push({ faultId, call, go }));
  }

  private left(a: Active): boolean {
    return a.fault.times === undefined || a.fired < a.fault.times;
  }

  private fires(a: Active, call: Call): boolean {
    const { tool, workspace, match, after, probability } = a.fault;
    if (tool !== '*' && tool !== call.tool) return false;
    if (workspace !== undefined && workspace !== call.workspace) return false;
    if (typeof match === 'string' && !Object.values(call.args).includes(match)) return false;
    if (typeof match === 'object' && !Object.entries(match).every(([name, value]) => call.args[name] === value)) return false;
    if (!this.left(a)) return false;
    a.matched++;
    if (a.matched <= after) return false;
    if (probability !== undefined && !a.random.chance(probability)) return false;
    a.fired++;
    return true;
  }

  /** Decides what happens to one call; each fault that fires is counted. */
  plan(call: Call): Plan {
    const plan: Plan = {
      delayMs: 0,
      holdBefore: [],
      holdAfter: [],
      instead: null,
      delivery: { how: 'sent' },
      change: [],
      duplicateRows: false,
      hostile: false,
      missing: false,
      release: () => undefined,
    };
    for (const a of this.active) if (this.fires(a, call)) this.apply(a, plan, call);
    return plan;
  }

  private apply(a: Active, plan: Plan, call: Call): void {
    const f = a.fault;
    switch (f.kind) {
      case 'latency':
        plan.delayMs += f.latency_ms + Math.floor(a.random.next() * (f.jitter_ms + 1));
        break;
      case 'rate_limit':
        plan.instead ??= limited(f.retry_after_ms);
        break;
      case 'http_429':
        plan.instead ??= { how: 'http', status: 429, retryAfterS: f.retry_after_s };
        break;
      case 'http_5xx':
        plan.instead ??= { how: 'http', status: f.status };
        break;
      case 'timeout':
        if (f.effect) plan.delivery = { how: 'never' };
        else plan.instead ??= { how: 'never' };
        break;
      case 'lost_reply_after_effect':
        plan.delivery = { how: 'destroyed' };
        break;
      case 'lost_reply_before_effect':
        plan.instead ??= { how: 'destroyed' };
        break;
      case 'duplicate_reply':
        plan.duplicateRows ||= f.mode !== 'reply';
        if (f.mode !== 'rows') plan.delivery = { how: 'twice' };
        break;
      case 'malformed_json':
        plan.delivery = { how: 'truncated' };
        break;
      case 'changed_price':
      case 'changed_balance':
        plan.change.push(f);
        break;
      case 'tool_missing':
        plan.missing = true;
        break;
      case 'hostile_text':
        plan.hostile = true;
        break;
      case 'hold':
        (f.at === 'before_effect' ? plan.holdBefore : plan.holdAfter).push({ ...f, id: a.id });
        break;
      case 'no_read_back':
        if (call.tool === 'people_acquired')
          plan.instead ??= new ToolFailure('read_back_unavailable', 'What was acquired cannot be read now.', { counted: false });
        break;
      case 'limit':
        this.limit(a, f, plan);
        break;
    }
  }

  private limit(a: Active, f: Of<'limit'>, plan: Plan): void {
    const now = performance.now();
    a.recent = a.recent.filter((at) => now - at < 1_000);
    if ((f.concurrency !== undefined && a.inFlight >= f.concurrency) || (f.per_second !== undefined && a.recent.length >= f.per_second)) {
      plan.instead ??= limited(f.retry_after_ms);
      return;
    }
    a.recent.push(now);
    a.inFlight++;
    const others = plan.release;
    plan.release = () => {
      a.inFlight--;
      others();
    };
  }
}

const limited = (retry_after_ms: number): ToolFailure =>
  new ToolFailure('rate_limited', 'Too many calls. Wait and try again.', { retry_after_ms, counted: false });

type Row = Record<string, unknown>;
const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Lists of rows inside a result, with the field that holds each. */
const rowLists = (result: Row): [string, Row[]][] =>
  Object.entries(result).flatMap(([field, value]) =>
    Array.isArray(value) && value.every(isRow) ? [[field, value] as [string, Row[]]] : [],
  );

/** Changes a right result as the plan says: rows twice, names that try something. */
export const spoil = (result: Row, plan: Plan): Row => {
  let out = result;
  for (const [field, rows] of rowLists(result)) {
    let changed = rows;
    if (plan.hostile && (field === 'companies' || field === 'suppliers' || field === 'rows')) {
      changed = changed.map((row) =>
        typeof row['name'] === 'string' ? { ...row, name: HOSTILE_NAMES[hash32(row['name']) % HOSTILE_NAMES.length] ?? row['name'] } : row,
      );
    }
    if (plan.duplicateRows) changed = changed.flatMap((row) => [row, row]);
    if (changed !== rows) out = { ...out, [field]: changed };
  }
  return out;
};
