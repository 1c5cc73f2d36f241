/** Limits of a fake server. Each limit corresponds to an option of `larder serve`. */
export interface FakeLimits {
  /**
   * Maximum time to live in whole milliseconds (`--max-ttl`): 1,000 … 31,536,000,000 (365 days). The default is a day.
   * @defaultValue 86,400,000
   */
  readonly maxTtlMs: number;
  /**
   * Maximum number of topics per cache (`--max-topics`): 1 … 10,000.
   * @defaultValue 10,000
   */
  readonly maxTopics: number;
  /**
   * Maximum number of subscribers per topic (`--max-topic-subscribers`): 1 … 10,000.
   * @defaultValue 10,000
   */
  readonly maxTopicSubscribers: number;
}

const defaults = { maxTtlMs: 86_400_000, maxTopics: 10_000, maxTopicSubscribers: 10_000 };
const ranges: Readonly<Record<keyof FakeLimits, readonly [least: number, most: number]>> = {
  maxTtlMs: [1_000, 31_536_000_000],
  maxTopics: [1, 10_000],
  maxTopicSubscribers: [1, 10_000],
};

/**
 * Returns the limits with defaults applied.
 * @throws TypeError or RangeError that names the first invalid limit.
 */
export function checkedLimits(given: Partial<FakeLimits>): FakeLimits {
  const limits: { -readonly [name in keyof FakeLimits]: FakeLimits[name] } = { ...defaults };
  for (const [name, [least, most]] of Object.entries(ranges)) {
    const value: unknown = given[name as keyof FakeLimits];
    if (value === undefined) continue;
    if (typeof value !== "number") throw new TypeError(`${name} must be a number`);
    if (!Number.isInteger(value) || value < least || value > most)
      throw new RangeError(`${name} must be an integer from ${least} to ${most}, not ${value}`);
    limits[name as keyof FakeLimits] = value;
  }
  return limits;
}
