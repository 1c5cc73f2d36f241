// @ts-check
/** @typedef {import("./answers").Bucket} Bucket */
/** @typedef {import("./answers").Reading} Reading */
/** @typedef {import("./answers").Rpc} Rpc */

/**
 * Returns the number of calls per histogram bucket between two readings.
 * @param {readonly Bucket[]} before
 * @param {readonly Bucket[]} after
 * @returns {Bucket[]} in ascending order
 */
export function between(before, after) {
  const counted = new Map(before.map(([upperUs, count]) => [upperUs, count]));
  return after.map(([upperUs, count]) => /** @type {Bucket} */ ([upperUs, count - (counted.get(upperUs) ?? 0)])).filter(([, count]) => count > 0);
}

/**
 * Returns a quantile in microseconds; null if there were no calls.
 * @param {readonly Bucket[]} buckets in ascending order
 * @param {number} share the quantile, from 0 to 1
 */
export function quantile(buckets, share) {
  const total = buckets.reduce((sum, [, count]) => sum + count, 0);
  const wanted = Math.max(1, Math.ceil(total * share));
  let seen = 0;
  for (const [upperUs, count] of buckets) {
    seen += count;
    if (seen >= wanted) {
      return upperUs;
    }
  }
  return null;
}

/** Merges several lists of buckets. @param {readonly (readonly Bucket[])[]} lists @returns {Bucket[]} in ascending order */
export function together(lists) {
  /** @type {Map<number, number>} */
  const sum = new Map();
  for (const [upperUs, count] of lists.flat()) {
    sum.set(upperUs, (sum.get(upperUs) ?? 0) + count);
  }
  return [...sum].sort(([a], [b]) => a - b);
}

/**
 * Returns the activity of each rpc between two readings.
 * @param {Reading} before
 * @param {Reading} after
 */
export function byRpc(before, after) {
  const seconds = after.at - before.at;
  const named = new Map(before.overview.stats.rpcs.map((rpc) => [nameOf(rpc), rpc]));
  return after.overview.stats.rpcs.map((rpc) => {
    const earlier = named.get(nameOf(rpc));
    const buckets = between(earlier?.buckets ?? [], rpc.buckets);
    return {
      name: rpc.rpc,
      transport: rpc.transport,
      total: rpc.count,
      perSecond: (rpc.count - (earlier?.count ?? 0)) / seconds,
      failures: failuresOf(rpc),
      buckets,
    };
  });
}

/**
 * Returns the rate of increase of a counter between two readings.
 * @param {Reading} before
 * @param {Reading} after
 * @param {(reading: Reading) => number} read
 */
export const risePerSecond = (before, after, read) => (read(after) - read(before)) / (after.at - before.at);

/**
 * Returns the hit ratio between two readings; null if there were no lookups.
 * @param {Reading} before
 * @param {Reading} after
 */
export function hitRatio(before, after) {
  const earlier = before.overview.stats.store.total;
  const later = after.overview.stats.store.total;
  const hits = later.hits - earlier.hits;
  const lookups = hits + later.misses - earlier.misses;
  return lookups > 0 ? hits / lookups : null;
}

/**
 * Sorts active rpcs before idle rpcs. An rpc is active if it had calls in the last seconds. Sorts each group by the total number of calls, so that rows rarely
 * move.
 * @template {{ perSecond: number, total: number }} T
 * @param {readonly T[]} rows
 */
export const busyFirst = (rows) => [...rows].sort((a, b) => Number(b.perSecond > 0) - Number(a.perSecond > 0) || b.total - a.total);

/** @param {Rpc} rpc */
const nameOf = (rpc) => `${rpc.transport} ${rpc.rpc}`;

/** @param {Rpc} rpc */
const failuresOf = (rpc) => Object.values(rpc.failures).reduce((sum, count) => sum + count, 0);
