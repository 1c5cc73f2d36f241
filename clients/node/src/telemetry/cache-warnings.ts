import type { CacheError, CacheErrorCode } from "../client/errors.js";
import { thrownText } from "../client/thrown-text.js";
import type { ClientLog } from "./client-log.js";

// Errors that no retry can solve, and errors caused by the item itself.
const permanentCodes: ReadonlySet<CacheErrorCode> = new Set([
  "NotFound",
  "PermissionDenied",
  "Unauthenticated",
  "FailedPrecondition",
  "InvalidArgument",
  "LimitExceeded",
]);
const maxReported = 1_000;

/**
 * Reports problems that `getOrSet` hides from its callers: to the client's logger, or without one as process warnings.
 * Each is reported once per cache.
 */
export class CacheWarnings {
  readonly #reported = new Set<string>();

  constructor(private readonly log: ClientLog) {}

  /** A call failed, so a loaded value was not stored. If the error is permanent, it is reported. */
  notStored(cacheName: string, { code, message }: CacheError, lasts = permanentCodes.has(code)): void {
    if (!lasts || !this.#isFirst(code, cacheName)) this.log.loadedWithoutCache(cacheName, code);
    else if (this.log.isEnabled) this.log.cacheUnusable(cacheName, code, message);
    else warn(cacheName, `${code}: ${message}. Values are loaded and not stored.`);
  }

  /** A factory threw, and a stale value was returned. */
  servedStale(cacheName: string, error: unknown): void {
    if (this.log.isEnabled) this.log.staleReturned(cacheName, error ?? null);
    else if (this.#isFirst("stale", cacheName))
      warn(cacheName, `a stale value was returned, because the factory threw: ${thrownText(error)}.`);
  }

  /** A factory exceeded its soft timeout, and a stale value was returned, as the options allow. */
  softTimeoutExceeded(cacheName: string): void {
    this.log.staleReturned(cacheName);
  }

  /** A factory that refreshed a stale value in the background threw. The next caller tries again. */
  refreshFailed(cacheName: string, error: unknown): void {
    if (this.log.isEnabled) this.log.refreshFailed(cacheName, error);
    else if (this.#isFirst("anew", cacheName))
      warn(cacheName, `a stale value could not be refreshed, because the factory threw: ${thrownText(error)}.`);
  }

  /** A refresh was skipped because the client already runs the maximum number of background loads (GOC-13). */
  refreshPostponed(cacheName: string): void {
    this.log.refreshPostponed(cacheName);
  }

  #isFirst(what: string, cacheName: string): boolean {
    const name = `${what} ${cacheName}`;
    if (this.#reported.has(name) || this.#reported.size >= maxReported) return false;
    this.#reported.add(name);
    return true;
  }
}

function warn(cacheName: string, message: string): void {
  process.emitWarning(`Cache '${cacheName}': ${message} This warning is emitted once.`, "LarderWarning");
}
