import type { GetOrSetOptions } from "../client/client-options.js";
import type { ErrorResponse } from "../client/responses.js";
import { checkTtl, maxTtlMs, refusal } from "../client/validation.js";
import { type Bytes, copyBytes } from "../operations/proto-writer.js";
import { checkTags, tagsOf } from "../operations/tag-list.js";

/** The options of `GetOrSetOptions` that need a lease, with defaults applied. */
export interface LeaseSettings {
  readonly leaseMs: number;
  readonly refreshAheadForMs: number;
  readonly revalidateForMs: number;
  readonly failSafeForMs: number;
  readonly softTimeoutMs: number;
  readonly hardTimeoutMs: number;
  readonly jitter: number;
  readonly tags: readonly Bytes[];
}

export type LeaseOptions = Pick<GetOrSetOptions<never>, keyof LeaseSettings | "ttlOf">;

/** Maximum duration of a lease and of a factory's timeouts, in milliseconds (LEASE-3, GOC-8). */
export const maxLeaseMs = 600_000;
const defaults = {
  // Longer than most loads take. If the loading process dies, other processes wait for this time.
  leaseMs: 30_000,
  refreshAheadForMs: 0,
  revalidateForMs: 0,
  failSafeForMs: 0,
  // There is no limit by default.
  softTimeoutMs: Number.POSITIVE_INFINITY,
  hardTimeoutMs: Number.POSITIVE_INFINITY,
  jitter: 0,
};
const numberNames = Object.keys(defaults) as (keyof typeof defaults)[];

/** The names of the options in `LeaseOptions`. */
export const leaseOptionNames: readonly (keyof LeaseOptions)[] = [...numberNames, "tags", "ttlOf"];

/**
 * Returns the lease settings of a call. Null if the call has no option that needs a lease (GOC-8, GOC-12).
 * @param ttlMs - The call's TTL.
 * @throws TypeError for an option of a wrong type.
 * @throws CacheError for an option that is out of range.
 */
export function leaseSettingsOf(given: LeaseOptions, ttlMs: number): LeaseSettings | null {
  if (leaseOptionNames.every((name) => given[name] === undefined)) return null;
  const numbers = { ...defaults };
  for (const name of numberNames) {
    const value = given[name];
    if (value === undefined) continue;
    if (typeof value !== "number") throw new TypeError(`${name} must be a number`);
    if (value === Number.POSITIVE_INFINITY) throw refusal(`${name} must be finite`).error;
    numbers[name] = value;
  }
  const { ttlOf } = given;
  if (ttlOf !== undefined && typeof ttlOf !== "function") throw new TypeError("ttlOf must be a function");
  const settings = { ...numbers, tags: tagsOf(given.tags === undefined ? [] : given.tags) };
  const invalid = checked(settings, ttlMs);
  if (invalid !== null) throw invalid.error;
  // Copy the tags, so that later changes by the caller have no effect.
  return { ...settings, tags: settings.tags.map(copyBytes) };
}

function checked(settings: LeaseSettings, ttlMs: number): ErrorResponse | null {
  const { leaseMs, refreshAheadForMs, revalidateForMs, failSafeForMs, softTimeoutMs, hardTimeoutMs, jitter, tags } =
    settings;
  for (const [name, ms] of Object.entries({ leaseMs, softTimeoutMs, hardTimeoutMs }))
    if (!(ms > 0 && (ms <= maxLeaseMs || (ms === Number.POSITIVE_INFINITY && name !== "leaseMs"))))
      return refusal(`${name} must be above 0 and at most ${maxLeaseMs} (10 minutes), not ${ms}`);
  for (const [name, ms] of Object.entries({ refreshAheadForMs, revalidateForMs, failSafeForMs }))
    if (!(ms >= 0 && ms <= maxTtlMs)) return refusal(`${name} must be from 0 to ${maxTtlMs} (365 days), not ${ms}`);
  if (refreshAheadForMs > ttlMs / 2 && checkTtl(ttlMs) === null)
    return refusal(`refreshAheadForMs must be at most half the time to live of ${ttlMs} ms, not ${refreshAheadForMs}`);
  if (!(jitter >= 0 && jitter <= 1)) return refusal(`jitter must be from 0 to 1, not ${jitter}`);
  return tags.length === 0 ? null : checkTags(tags);
}
