import type { Language } from '../contracts/catalog/index.js';
import type { Reason } from '../contracts/progress.js';

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;
// C0 and C1 controls and the bidirectional overrides: a company's name must not move the cursor or turn the line around.
const UNSAFE = /[\p{Cc}\p{Bidi_Control}]/gu;

/** Something that can be seen: a name of zero-width characters alone is no name. */
const SEEN = /[^\p{Default_Ignorable_Code_Point}\p{White_Space}\u2800]/u;

/** Text that came from outside (names, objectives), safe to print in a terminal and harmless in a page. */
export const clean = (value: string): string => {
  const shown = value.replace(UNSAFE, ' ').trim();
  return SEEN.test(shown) ? shown : '';
};

const knownZone = (zone: string | undefined): string | undefined => {
  try {
    return zone ? new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone : undefined;
  } catch {
    return undefined;
  }
};

/** Where texts come from: all of them in a process, one language of them in a page. */
export interface Catalog {
  has(code: string): boolean;
  text(code: string, params: Record<string, unknown>): string;
}

/** Says catalog codes in one language (each method may be taken off the object), with numbers, money and moments as people of that language write them. */
export class Words {
  /** The device's own where it does not know the workspace's: zones are newer than some browsers. */
  private readonly zone: string | undefined;
  private readonly number: Intl.NumberFormat;
  private readonly usd: Intl.NumberFormat;
  private readonly mxn: Intl.NumberFormat;
  private readonly relative: Intl.RelativeTimeFormat;

  constructor(
    readonly language: Language,
    private readonly catalog: Catalog,
    zone?: string,
  ) {
    this.zone = knownZone(zone);
    this.number = new Intl.NumberFormat(language);
    this.usd = new Intl.NumberFormat(language, { style: 'currency', currency: 'USD', minimumFractionDigits: 2, maximumFractionDigits: 4 });
    this.mxn = new Intl.NumberFormat(language, { style: 'currency', currency: 'MXN', maximumFractionDigits: 0 });
    this.relative = new Intl.RelativeTimeFormat(language, { numeric: 'always', style: 'short' });
  }

  /** The text of a code. Strings are cleaned and moments become local times. */
  say = (code: string, params: Record<string, unknown> = {}): string => {
    const shown = Object.fromEntries(
      Object.entries(params).map(([name, value]) => {
        if (typeof value === 'string') return [name, ISO.test(value) ? this.moment(value) : clean(value)];
        return [name, value ?? ''];
      }),
    );
    return this.catalog.text(code, shown);
  };

  has = (code: string): boolean => this.catalog.has(code);

  /** Why something stopped or waits. A provider's own code nobody has a text for is named, not hidden. */
  reason = (reason: Reason): string => {
    // Some stops were done by nobody in particular.
    const params = { by: this.somebody, ...reason.params };
    if (this.has(reason.code)) return this.say(reason.code, params);
    return this.say(reason.code.startsWith('sequence.') ? 'sequence.other' : 'reason.other', { code: reason.code });
  };

  /** Why an account or contact is missing: its reason, or where it stayed. */
  missing = (code: string, params: Reason['params'] = {}): string => {
    const known = [code, `contact.state.${code}`, `account.state.${code}`].find((one) => this.has(one));
    return known ? this.say(known, params) : code;
  };

  private get somebody(): string {
    return this.say('somebody');
  }

  count = (n: number): string => this.number.format(n);

  /** Whole pesos of a contract: "$18,232,200". */
  pesos = (n: number): string => this.mxn.format(n);

  /** An amount with its noun: "32 créditos", "53 consultas", "USD 0.31". */
  amount = (kind: 'credits' | 'queries' | 'inference', n: number): string =>
    kind === 'inference' ? this.usd.format(n / 1_000_000) : this.say(`unit.${kind}`, { n });

  /** "10:42" today, "3 dic, 10:42" any other day. */
  moment = (iso: string, now = new Date()): string => {
    const at = new Date(iso);
    if (Number.isNaN(at.getTime())) return '—';
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: this.zone, dateStyle: 'short' });
    const today = day.format(at) === day.format(now);
    return new Intl.DateTimeFormat(this.language, {
      timeZone: this.zone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      ...(today ? {} : { day: 'numeric', month: 'short' }),
    }).format(at);
  };

  /** "hace 3 s", "hace 2 h". */
  ago = (ms: number): string => {
    const seconds = Math.max(0, Math.floor(ms / 1000));
    if (seconds < 60) return this.relative.format(-seconds, 'second');
    if (seconds < 3600) return this.relative.format(-Math.floor(seconds / 60), 'minute');
    if (seconds < 86_400) return this.relative.format(-Math.floor(seconds / 3600), 'hour');
    return this.relative.format(-Math.floor(seconds / 86_400), 'day');
  };

  /** "3.2 s", "1 min 5 s", "3 h 12 min", "2 d 4 h". */
  lasted = (ms: number): string => {
    const seconds = ms / 1000;
    if (seconds < 59.95) return `${new Intl.NumberFormat(this.language, { maximumFractionDigits: 1 }).format(seconds)} s`;
    const whole = Math.round(seconds);
    if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
    const minutes = Math.round(seconds / 60);
    if (minutes < 1440) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
    const hours = Math.round(seconds / 3600);
    return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  };
}
