const linearLimit = 2_048;
const subBuckets = 1_024;
const largestNs = 2 ** 42 - 1;
const bucketCount = 33 * subBuckets;

/** The histogram of conformance/AGENT.md: integer nanoseconds with three significant digits. */
export class Histogram {
  readonly #counts = new Float64Array(bucketCount);
  total = 0;
  maxNs = 0;
  sumNs = 0;

  record(ns: number): void {
    const value = Math.min(largestNs, Math.max(0, Math.round(ns)));
    this.#counts[indexOf(value)]! += 1;
    this.total++;
    this.sumNs += value;
    if (value > this.maxNs) this.maxNs = value;
  }

  copyCounts(): Float64Array {
    return this.#counts.slice();
  }

  /**
   * Returns quantiles in µs. If `before` is an earlier copy of the counts, only values recorded after that copy count.
   * Without `before`, all values count.
   */
  quantilesUs(quantiles: readonly number[], before?: Float64Array): number[] {
    const counts = this.#counts.map((count, i) => count - (before?.[i] ?? 0));
    const total = counts.reduce((sum, count) => sum + count, 0);
    return quantiles.map((quantile) => {
      if (total === 0) return 0;
      const target = Math.max(1, Math.ceil(quantile * total));
      let running = 0;
      const index = counts.findIndex((count) => {
        running += count;
        return running >= target;
      });
      return largestIn(index) / 1_000;
    });
  }

  /** Returns the coarse buckets of the values recorded since `before`. Sets `before` to the current counts. */
  cellsSince(before: Float64Array): [bucket: number, count: number][] {
    const cells = new Map<number, number>();
    this.#counts.forEach((count, index) => {
      const gained = count - before[index]!;
      if (gained > 0) cells.set(bucketOf(index), (cells.get(bucketOf(index)) ?? 0) + gained);
    });
    before.set(this.#counts);
    return [...cells];
  }

  toJson(): object {
    const counts: [number, number][] = [];
    this.#counts.forEach((count, index) => {
      if (count > 0) counts.push([index, count]);
    });
    return { unit: "ns", counts, maxNs: this.maxNs, sumNs: this.sumNs };
  }
}

/** Returns the index of a value from 0 to 2^42 − 1. */
export function indexOf(value: number): number {
  if (value < linearLimit) return value;
  const shift = value < 2 ** 31 ? 21 - Math.clz32(value) : 53 - Math.clz32(Math.floor(value / 2 ** 32));
  return shift * subBuckets + Math.floor(value / 2 ** shift);
}

/** Returns the largest value that has this index in the histogram. */
export function largestIn(index: number): number {
  if (index < linearLimit) return index;
  const shift = Math.floor(index / subBuckets) - 1;
  return (index - shift * subBuckets + 1) * 2 ** shift - 1;
}

/** Returns the coarse bucket of an index. Bucket b begins at 2^(b / 4) µs; all values up to 1 µs are in bucket 0. */
export function bucketOf(index: number): number {
  const us = largestIn(index) / 1_000;
  return us <= 1 ? 0 : Math.floor(Math.log2(us) * 4);
}
