import type { GetOrSetOptions } from "../client/client-options.js";
import type { ErrorResponse } from "../client/responses.js";
import { checkTtl, maxTtlMs, refusal } from "../client/validation.js";
import { type Bytes, ownBytes } from "../operations/proto-writer.js";
import { checkTags, tagsOf } from "../operations/tag-list.js";

/** How a value is made by one of all processes, and kept: as `GetOrSetOptions` has it, with every default. */
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

/** Milliseconds, of a lease and of a factory's timeouts. Source: LEASE-3, GOC-8. */
export const maxLeaseMs = 600_000;
const defaults = {
  // Longer than most loads take, and how long the others wait for one that died.
  leaseMs: 30_000,
  refreshAheadForMs: 0,
  revalidateForMs: 0,
  failSafeForMs: 0,
  // None, either of them.
  softTimeoutMs: Number.POSITIVE_INFINITY,
  hardTimeoutMs: Number.POSITIVE_INFINITY,
  jitter: 0,
};
const numberNames = Object.keys(defaults) as (keyof typeof defaults)[];

/** The names of `LeaseOptions`. */
export const leaseOptionNames: readonly (keyof LeaseOptions)[] = [...numberNames, "tags", "ttlOf"];

/**
 * What was asked for; null: none of it. Throws a TypeError for what is of a wrong type, and a CacheError for what is
 * out of its range (GOC-8, GOC-12). `ttlMs`: the call's time to live.
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
  // What a caller does to a tag's bytes while the value is made changes nothing.
  return { ...settings, tags: settings.tags.map(ownBytes) };
}

function checked(settings: LeaseSettings, ttlMs: number): ErrorResponse | null {
  const { leaseMs, refreshAheadForMs, revalidateForMs, failSafeForMs, softTimeoutMs, hardTimeoutMs, jitter, tags } =
    settings;
  for (const [name, ms] of Object.entries({ leaseMs, softTimeoutMs, hardTimeoutMs }))
    if (!(ms > 0 && (ms <= maxLeaseMs || (ms === Number.POSITIVE_INFINITY && name !== "leaseMs"))))
      return refusal(`${name} must be over 0 and at most ${maxLeaseMs} (10 minutes), not ${ms}`);
  for (const [name, ms] of Object.entries({ refreshAheadForMs, revalidateForMs, failSafeForMs }))
    if (!(ms >= 0 && ms <= maxTtlMs)) return refusal(`${name} must be from 0 to ${maxTtlMs} (365 days), not ${ms}`);
  if (refreshAheadForMs > ttlMs / 2 && checkTtl(ttlMs) === null)
    return refusal(`refreshAheadForMs must be at most half the time to live of ${ttlMs} ms, not ${refreshAheadForMs}`);
  if (!(jitter >= 0 && jitter <= 1)) return refusal(`jitter must be from 0 to 1, not ${jitter}`);
  return tags.length === 0 ? null : checkTags(tags);
}
