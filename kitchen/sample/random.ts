/** A small seeded generator (mulberry32): the same seed gives the same sample on every machine. */
export class Random {
  private state: number;
  constructor(seed: number) {
    this.state = seed >>> 0;
  }
  /** A number in [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }
  /** An integer in [min, max]. */
  int(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }
  pick<T>(from: readonly T[]): T {
    const item = from[Math.floor(this.next() * from.length)];
    if (item === undefined) throw new Error('Nothing to pick from');
    return item;
  }
  chance(probability: number): boolean {
    return this.next() < probability;
  }
}

/** A 32-bit hash of a text (FNV-1a), for stable choices that depend on an id only. */
export const hash32 = (text: string): number => {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
};
