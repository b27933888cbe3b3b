const refuse = (): never => {
  throw new TypeError('a snapshot does not change');
};

/** A map that refuses changes: `Object.freeze` does not reach what a Map holds. */
export const frozenMap = <V>(entries: Iterable<readonly [string, V]>): ReadonlyMap<string, V> =>
  Object.freeze(Object.defineProperties(new Map(entries), { set: { value: refuse }, delete: { value: refuse }, clear: { value: refuse } }));

/** Freezes a plain object and the plain objects and arrays in it. */
export const deepFreeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
};
