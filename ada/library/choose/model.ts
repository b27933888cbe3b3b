/** A linear judge per class, learnt from example phrases: the same phrases give the same weights, to the bit. */
export interface Example {
  features: readonly string[];
  label: string;
  weight?: number;
}
export interface Linear {
  labels: readonly string[];
  /** Log-odds per label that a message with these features means it. */
  score(features: readonly string[]): Float64Array;
}

export interface Training {
  epochs: number;
  rate: number;
  decay: number;
  positive: number;
}
/** Examples that must share a feature for it to count. */
const SHARED = 2;
export const TRAINING: Training = { epochs: 30, rate: 0.5, decay: 1e-4, positive: 4 };

/**
 * One-against-the-rest logistic regression with AdaGrad over all labels at once. A message of unknown words gets each label's
 * bias, which is far below zero: it means none of them.
 */
export const learn = (examples: readonly Example[], labels: readonly string[], training: Training = TRAINING): Linear => {
  // What one example alone has says nothing about the next.
  const times = new Map<string, number>();
  for (const { features } of examples) for (const feature of features) times.set(feature, (times.get(feature) ?? 0) + 1);
  const ids = new Map<string, number>();
  for (const [feature, n] of times) if (n >= SHARED) ids.set(feature, ids.size);
  const rows = examples.map(({ features }) => Int32Array.from(features.flatMap((feature) => ids.get(feature) ?? [])));
  const n = labels.length;
  const weights = new Float64Array(ids.size * n);
  const squares = new Float64Array(ids.size * n).fill(1);
  const bias = new Float64Array(n).fill(-2);
  const biasSquares = new Float64Array(n).fill(1);
  const sums = new Float64Array(n);
  // Every seventh, so that phrases of one label do not follow each other; any step without a common divisor would do.
  const order = spread(rows.length);
  for (let epoch = 0; epoch < training.epochs; epoch++) {
    for (const at of order) {
      const row = rows[at];
      const example = examples[at];
      if (!row || !example) continue;
      const norm = 1 / Math.sqrt(row.length || 1);
      sums.set(bias);
      for (const id of row) for (let k = 0, w = id * n; k < n; k++, w++) sums[k]! += weights[w]! * norm;
      for (let k = 0; k < n; k++) {
        const positive = labels[k] === example.label;
        const p = 1 / (1 + Math.exp(-sums[k]!));
        const error = (p - (positive ? 1 : 0)) * (positive ? training.positive : 1) * (example.weight ?? 1);
        // Told apart well enough: the next example needs the time more.
        if (Math.abs(error) < 0.01) continue;
        biasSquares[k]! += error * error;
        bias[k]! -= (training.rate * error) / Math.sqrt(biasSquares[k]!);
        const g = error * norm;
        for (const id of row) {
          const w = id * n + k;
          const grad = g + training.decay * weights[w]!;
          squares[w]! += grad * grad;
          weights[w]! -= (training.rate * grad) / Math.sqrt(squares[w]!);
        }
      }
    }
  }
  return {
    labels,
    score: (features) => {
      const out = Float64Array.from(bias);
      const row = features.flatMap((feature) => ids.get(feature) ?? []);
      // Over everything it has, known or not: a message of mostly unknown words says little, and scores little.
      const norm = 1 / Math.sqrt(features.length || 1);
      for (const id of row) for (let k = 0, w = id * n; k < n; k++, w++) out[k]! += weights[w]! * norm;
      return out;
    },
  };
};

/** The numbers below n in an order that visits far ones one after another. */
const spread = (n: number): number[] => {
  let step = Math.max(1, Math.floor(n * 0.618));
  const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));
  while (gcd(step, n) > 1) step++;
  return Array.from({ length: n }, (_, i) => (i * step) % n);
};
