const walk = (value: unknown): boolean => {
  if (typeof value === 'string') return !value.includes('\u0000') && !/\p{Surrogate}/u.test(value);
  if (Array.isArray(value)) return value.every(walk);
  if (value !== null && typeof value === 'object') return Object.entries(value).every(([key, inner]) => walk(key) && walk(inner));
  return true;
};

/** False for text that PostgreSQL cannot hold: a NUL or half a surrogate pair, both only possible through an escape. */
export const isWellFormed = (text: string, value: unknown): boolean => !/\\u(0000|d[89a-f])/i.test(text) || walk(value);
