const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of "90s", "1h30m", "500ms" or a plain number of seconds; null when it is none of those. */
export const parseDuration = (value: string): number | null => {
  const given = value.trim().toLowerCase();
  if (/^\d+$/.test(given)) return Number(given) * 1000;
  if (!/^(\d+(ms|s|m|h|d))+$/.test(given)) return null;
  return [...given.matchAll(/(\d+)(ms|s|m|h|d)/g)].reduce((sum, [, n, unit]) => sum + Number(n) * (UNITS[unit ?? ''] ?? 0), 0);
};
