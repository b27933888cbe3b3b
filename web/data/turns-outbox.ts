/** A message that the server does not know yet. Its key was made with it, so that however often it is sent it is one turn. */
export interface Kept {
  key: string;
  text: string;
  /** When it was written, server's ms. */ at: number;
}
interface Stored {
  threadKey?: string;
  messages: Kept[];
}

/** What of the browser's storage is used: a browser that keeps nothing still works. */
export type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const isKept = (value: unknown): value is Kept => {
  const one = value as Partial<Kept> | null;
  return typeof one?.key === 'string' && typeof one.text === 'string' && typeof one.at === 'number';
};

/**
 * What one person has written on this device and the server has not confirmed: drafts, messages under way, the conversation of last time.
 * It outlives a reload in the middle of anything.
 * @param who names the person: another one on the same device finds none of it
 */
export class Outbox {
  constructor(
    private readonly store: Store | null,
    private readonly who: string,
  ) {}

  /** Messages under way in a conversation (`null`: one that has not begun), oldest first. */
  messages(thread: string | null): Kept[] {
    return this.read(thread).messages;
  }
  keep(thread: string | null, message: Kept): void {
    const stored = this.read(thread);
    this.write(thread, { ...stored, messages: [...stored.messages.filter((one) => one.key !== message.key), message] });
  }
  /** Another tab may have changed the rest meanwhile, so only this one goes. */
  drop(thread: string | null, key: string): void {
    const stored = this.read(thread);
    this.write(thread, { ...stored, messages: stored.messages.filter((one) => one.key !== key) });
  }
  /** The key under which the conversation that has not begun is created, however often that is tried. */
  threadKey(make: () => string): string {
    const stored = this.read(null);
    const key = stored.threadKey ?? make();
    if (stored.threadKey === undefined) this.write(null, { ...stored, threadKey: key });
    return key;
  }
  /** The conversation has begun: what was written for it is its own now. */
  begun(thread: string): void {
    for (const message of this.read(null).messages) this.keep(thread, message);
    this.write(null, { messages: [] });
  }

  draft(thread: string | null): string {
    return this.get(`draft.${thread ?? 'new'}`) ?? '';
  }
  keepDraft(thread: string | null, text: string): void {
    this.set(`draft.${thread ?? 'new'}`, text === '' ? null : text);
  }

  /** The conversation of last time. */
  last(): string | null {
    return this.get('last');
  }
  remember(thread: string | null): void {
    this.set('last', thread);
  }

  private read(thread: string | null): Stored {
    try {
      const stored = JSON.parse(this.get(`outbox.${thread ?? 'new'}`) ?? '{}') as Partial<Stored>;
      return {
        ...(typeof stored.threadKey === 'string' ? { threadKey: stored.threadKey } : {}),
        messages: (Array.isArray(stored.messages) ? stored.messages : []).filter(isKept),
      };
    } catch {
      return { messages: [] };
    }
  }
  private write(thread: string | null, stored: Stored): void {
    this.set(`outbox.${thread ?? 'new'}`, stored.messages.length === 0 && stored.threadKey === undefined ? null : JSON.stringify(stored));
  }
  private get(name: string): string | null {
    try {
      return this.store?.getItem(`campana.chat.${this.who}.${name}`) ?? null;
    } catch {
      return null;
    }
  }
  private set(name: string, value: string | null): void {
    try {
      if (value === null) this.store?.removeItem(`campana.chat.${this.who}.${name}`);
      else this.store?.setItem(`campana.chat.${this.who}.${name}`, value);
    } catch {
      /* full, or not allowed: it lives as long as the page */
    }
  }
}
