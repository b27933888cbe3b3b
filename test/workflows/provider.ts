import { randomUUID } from 'node:crypto';
import { ToolFailure, type Tools } from '../../activities/mcp.js';
import type { Company } from '../../contracts/tools/companies.js';
import type { RevealedContact } from '../../contracts/tools/people.js';

export interface Call {
  tool: string;
  args: Record<string, unknown>;
  n: number;
  at: number;
}
/** What a tool does instead; `proceed` does what it usually does. `n` counts the calls of this tool, from 1. */
export type Handler = (args: Record<string, unknown>, n: number, proceed: () => Promise<unknown>) => Promise<unknown>;

export interface ProviderOptions {
  /** Companies that the filters find; default as many as anybody asks for. */
  companies?: number;
  /** Whether a search with these filters finds anything. */
  finds?: (filters: { activity: string; state?: string; size?: string }) => boolean;
  /** Companies (by number; 1 is the first of the first activity) at which nobody is found. */
  nobodyAt?: (n: number) => boolean;
  balances?: { credits: number; queries: number; inference: number };
  price?: number;
  honoursKeys?: boolean;
  /** Whether a sequence can be told which one it replaces; default yes. */
  replaces?: boolean;
}

interface StoredDraft {
  draft_id: string;
  person_id: string;
  subject: string;
  body: string;
}
interface StoredSequence {
  sequence_id: string;
  drafts: StoredDraft[];
  replaces: string | null;
  replaced_by: string | null;
}

const DAY_MS = 86_400_000;
const META = { shown: 0, has_more: false, next_cursor: null, coverage: 'arrays' };
const isoIn = (ms: number): string => new Date(Date.now() + ms).toISOString();

/**
 * A provider made of arrays: the tools that a campaign calls, with balances, charges and a call log to count. It charges like a
 * careful one; with `honoursKeys: false` it forgets keys and charges a person once more when asked again.
 */
export class Provider {
  readonly calls: Call[] = [];
  readonly charges: Array<{ tool: string; target: string; key: string | null; amount: number }> = [];
  readonly acquired = new Map<string, { key: string | null; contact: RevealedContact }>();
  readonly saves = new Map<string, { token: string; saved: number; companies: string[]; undone: boolean }>();
  readonly sequences = new Map<string, StoredSequence>();
  /** Whether a mailbox is connected: without one no drafts are stored. */
  mailbox = true;
  readonly balances: { credits: number; queries: number; inference: number };
  price: number;
  private readonly bases = new Map<string, number>();
  private readonly handlers = new Map<string, Handler>();
  private readonly counts = new Map<string, number>();

  constructor(private readonly options: ProviderOptions = {}) {
    this.balances = { ...(options.balances ?? { credits: 10_000, queries: 20_000, inference: 50_000_000 }) };
    this.price = options.price ?? 1;
  }

  /** Makes a tool do something else from now on; without a handler it does the usual again. */
  on(tool: string, handler?: Handler): void {
    if (handler) this.handlers.set(tool, handler);
    else this.handlers.delete(tool);
  }

  /** Lets the first `after` calls of a tool through and keeps the others until released. */
  hold(tool: string, after = 0): { reached: Promise<void>; release(): void } {
    let reach: () => void = () => undefined;
    let open: () => void = () => undefined;
    const reached = new Promise<void>((resolve) => (reach = resolve));
    const opened = new Promise<void>((resolve) => (open = resolve));
    const from = this.count(tool);
    this.on(tool, async (_args, n, proceed) => {
      if (n - from <= after) return proceed();
      reach();
      await opened;
      return proceed();
    });
    return {
      reached,
      release: () => {
        this.on(tool);
        open();
      },
    };
  }

  count(tool: string): number {
    return this.counts.get(tool) ?? 0;
  }

  /** The keys under which a person was asked to be revealed, in order. */
  revealKeys(personId: string): string[] {
    return this.calls
      .filter((c) => c.tool === 'people_reveal' && c.args['person_id'] === personId)
      .map((c) => String(c.args['idempotency_key']));
  }

  readonly tools: Tools = {
    call: (async (_workspace: string, contract: { name: string }, args: Record<string, unknown>) => {
      const tool = contract.name;
      const n = this.count(tool) + 1;
      this.counts.set(tool, n);
      this.calls.push({ tool, args, n, at: Date.now() });
      const usual = (): Promise<unknown> => Promise.resolve().then(() => this.run(tool, args));
      const handler = this.handlers.get(tool);
      return handler ? handler(args, n, usual) : usual();
    }) as Tools['call'],
    accepts: (_workspace, { name }, input) =>
      Promise.resolve(name === 'sequence_create_draft' && input === 'replaces' && (this.options.replaces ?? true)),
    close: () => Promise.resolve(),
  };

  private run(tool: string, args: Record<string, unknown>): unknown {
    switch (tool) {
      case 'usage':
        return this.usage();
      case 'company_search':
        return this.companies(args as { activity: string; state?: string; size?: string; limit: number; cursor?: string });
      case 'people_search':
        return this.people(String(args['company_id']));
      case 'people_quote':
        return this.quote(args['person_ids'] as string[]);
      case 'people_reveal':
        return this.reveal(args as { person_id: string; max_credits: number; idempotency_key: string });
      case 'people_acquired':
        return { ...META, ref: 'pa', total: 0, acquired: (args['person_ids'] as string[]).flatMap((id) => this.owned(id)) };
      case 'crm_save_companies':
        return this.save(args as { client_key: string; companies: Array<{ company_id: string }> });
      case 'crm_undo':
        return this.undo(String(args['undo_token']));
      case 'collection_query':
        return { ...META, ref: 'cq', total: 0, rows: [], save: this.savedAs(String(args['client_key'])) };
      case 'sequence_create_draft':
        return this.sequence(
          args as { client_key: string; replaces?: string; drafts: Array<{ person_id: string; subject: string; body: string }> },
        );
      case 'sequence_check':
        return this.check(args);
      default:
        throw new Error(`not a tool of a campaign: ${tool}`);
    }
  }

  private usage(): unknown {
    const until = isoIn(30 * DAY_MS);
    return {
      ...META,
      ref: 'us',
      total: 1,
      reading_id: randomUUID(),
      read_at: new Date().toISOString(),
      provider: 'arrays',
      balances: { ...this.balances },
      prices: [
        { kind: 'credits', unit: 'contact', min: this.price, max: this.price, valid_until: until },
        { kind: 'queries', unit: 'search', min: 1, max: 1, valid_until: until },
      ],
      honours_idempotency_keys: this.options.honoursKeys ?? true,
      topup_url: null,
    };
  }

  private chargeQuery(tool: string, target: string): void {
    if (this.balances.queries < 1) throw new ToolFailure(tool, 'refused', 'insufficient_queries');
    this.balances.queries -= 1;
    this.charges.push({ tool, target, key: null, amount: 1 });
  }

  private companies(args: { activity: string; state?: string; size?: string; limit: number; cursor?: string }): unknown {
    const from = Number(args.cursor ?? 0);
    const base = this.baseOf(args.activity);
    const total = this.options.finds && !this.options.finds(args) ? 0 : (this.options.companies ?? 100_000);
    const rows: Company[] = [];
    for (let i = from + 1; i <= Math.min(total, from + args.limit); i += 1) {
      const n = base + i;
      rows.push({
        ref: `record:com-${n}`,
        company_id: `com-${n}`,
        name: `Empaques ${n} SA`,
        rfc: `EMP0101${String(n).padStart(5, '0')}`,
        domain: `empaques-${n}.example`,
        activity: args.activity,
        state: args.state ?? 'Jalisco',
        size: args.size ?? 'mediana',
      });
    }
    this.chargeQuery('company_search', String(from));
    const more = from + rows.length < total;
    return {
      ...META,
      ref: 'cs',
      companies: rows,
      shown: rows.length,
      total,
      has_more: more,
      next_cursor: more ? String(from + rows.length) : null,
    };
  }

  /** Companies of different activities are different companies. */
  private baseOf(activity: string): number {
    const known = this.bases.get(activity) ?? this.bases.size * 10_000;
    this.bases.set(activity, known);
    return known;
  }

  private people(companyId: string): unknown {
    const n = Number(companyId.slice(companyId.lastIndexOf('-') + 1));
    this.chargeQuery('people_search', companyId);
    const people = this.options.nobodyAt?.(n)
      ? []
      : [
          {
            ref: `record:per-${n}`,
            person_id: `per-${n}`,
            title: 'Gerente de Compras',
            area: 'compras',
            seniority: 'gerente',
            seen_at: isoIn(-DAY_MS),
          },
          {
            ref: `record:per-${n}b`,
            person_id: `per-${n}b`,
            title: 'Analista de Compras',
            area: 'compras',
            seniority: 'analista',
            seen_at: isoIn(-90 * DAY_MS),
          },
        ];
    return { ...META, ref: 'ps', people, shown: people.length, total: people.length };
  }

  private quote(ids: string[]): unknown {
    return {
      ...META,
      ref: 'pq',
      total: ids.length,
      quote_id: `quo-${randomUUID()}`,
      valid_until: isoIn(DAY_MS),
      prices: ids.map((id) => ({
        ref: id,
        person_id: id,
        credits: this.acquired.has(id) ? 0 : this.price,
        already_acquired: this.acquired.has(id),
        available: true,
      })),
    };
  }

  private owned(id: string): unknown[] {
    const mine = this.acquired.get(id);
    return mine
      ? [
          {
            ref: id,
            person_id: id,
            acquired_at: mine.contact.acquired_at,
            charge_id: mine.contact.charge_id,
            key: mine.key,
            contact: mine.contact,
          },
        ]
      : [];
  }

  private reveal(args: { person_id: string; max_credits: number; idempotency_key: string }): unknown {
    const { person_id: id } = args;
    const before = this.acquired.get(id);
    if (this.price > args.max_credits && !before) throw new ToolFailure('people_reveal', 'refused', 'price_changed');
    if (before && this.options.honoursKeys !== false) return { ...META, ref: 'pr', total: 1, contact: before.contact };
    if (this.balances.credits < this.price) throw new ToolFailure('people_reveal', 'refused', 'insufficient_credits');
    this.balances.credits -= this.price;
    this.charges.push({ tool: 'people_reveal', target: id, key: args.idempotency_key, amount: this.price });
    const contact: RevealedContact = {
      ref: `record:${id}`,
      person_id: id,
      name: `Persona ${id}`,
      email: `${id}@empaques.example`,
      phone: null,
      title: 'Gerente de Compras',
      company_id: `com-${id.replace(/\D/g, '')}`,
      charge_id: `chg-${this.charges.length}`,
      credits: this.price,
      acquired_at: new Date().toISOString(),
    };
    this.acquired.set(id, { key: this.options.honoursKeys === false ? null : args.idempotency_key, contact });
    return { ...META, ref: 'pr', total: 1, contact };
  }

  private savedAs(
    key: string,
  ): { saved: number; already_there: number; undo_token: string; undo_until: string; client_key: string } | null {
    const save = this.saves.get(key);
    return save && !save.undone
      ? { saved: save.saved, already_there: 0, undo_token: save.token, undo_until: isoIn(600_000), client_key: key }
      : null;
  }

  private save(args: { client_key: string; companies: Array<{ company_id: string }> }): unknown {
    if (!this.saves.has(args.client_key))
      this.saves.set(args.client_key, {
        token: `undo-${args.client_key}`,
        saved: args.companies.length,
        companies: args.companies.map((c) => c.company_id),
        undone: false,
      });
    return { ...META, ref: 'cr', total: args.companies.length, ...this.savedAs(args.client_key) };
  }

  private undo(token: string): unknown {
    const save = [...this.saves.values()].find((s) => s.token === token);
    if (!save) throw new ToolFailure('crm_undo', 'refused', 'not_found');
    save.undone = true;
    return { ...META, ref: 'cu', total: 1, removed: save.saved };
  }

  private sequence(args: {
    client_key: string;
    replaces?: string;
    drafts: Array<{ person_id: string; subject: string; body: string }>;
  }): unknown {
    let made = this.sequences.get(args.client_key);
    if (!made) {
      if (!this.mailbox) throw new ToolFailure('sequence_create_draft', 'refused', 'mailbox_missing');
      if (args.replaces !== undefined && this.options.replaces === false)
        throw new ToolFailure('sequence_create_draft', 'refused', 'invalid_input');
      const old = args.replaces === undefined ? null : [...this.sequences.values()].find((s) => s.sequence_id === args.replaces);
      if (old === undefined) throw new ToolFailure('sequence_create_draft', 'refused', 'not_found');
      const n = this.sequences.size + 1;
      made = {
        sequence_id: `seq-${n}`,
        replaces: args.replaces ?? null,
        replaced_by: null,
        drafts: args.drafts.map((d) => ({ draft_id: `dra-${n}-${d.person_id}`, ...d })),
      };
      if (old) old.replaced_by = made.sequence_id;
      this.sequences.set(args.client_key, made);
    }
    return {
      ...META,
      ref: 'sq',
      total: made.drafts.length,
      sequence_id: made.sequence_id,
      created: made.drafts.length,
      client_key: args.client_key,
      drafts: refs(made),
    };
  }

  private check(args: { client_key?: string; sequence_id?: string }): unknown {
    const there =
      args.client_key === undefined
        ? [...this.sequences.values()].find((s) => s.sequence_id === args.sequence_id)
        : this.sequences.get(args.client_key);
    const problems = there?.replaced_by ? [{ code: 'replaced', count: 1 }] : [];
    return {
      ...META,
      ref: 'sc',
      total: 0,
      found: there !== undefined,
      sequence_id: there?.sequence_id ?? null,
      ready: there !== undefined && problems.length === 0,
      drafts: there ? refs(there) : [],
      problems,
      ...(this.options.replaces === false ? {} : { replaced_by: there?.replaced_by ?? null }),
    };
  }
}
const refs = (sequence: StoredSequence): Array<{ ref: string; draft_id: string; person_id: string }> =>
  sequence.drafts.map(({ draft_id, person_id }) => ({ ref: draft_id, draft_id, person_id }));

/** A call whose reply never arrived: nobody here knows whether it did anything. */
export const lostReply = (tool: string): ToolFailure => new ToolFailure(tool, 'unknown', 'connection_lost');
