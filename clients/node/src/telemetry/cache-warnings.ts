import type { CacheError, CacheErrorCode } from "../client/errors.js";
import { thrownText } from "../client/thrown-text.js";
import type { ClientLog } from "./client-log.js";

// Errors that no retry can solve, and errors that the item itself causes.
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
 * Reports problems that `getOrSet` hides from its callers. They are reported to the client's logger. Without a logger,
 * they become process warnings. Each kind of process warning is emitted once per cache.
 */
export class CacheWarnings {
  readonly #reported = new Set<string>();

  constructor(private readonly log: ClientLog) {}

  /**
   * Reports that a loaded value was not stored because a call failed. If the error is permanent (`lasts`), reports that
   * the cache is unusable. Without a logger, only permanent errors are reported.
   */
  notStored(cacheName: string, { code, message }: CacheError, lasts = permanentCodes.has(code)): void {
    if (!lasts || !this.#isFirst(code, cacheName)) this.log.loadedWithoutCache(cacheName, code);
    else if (this.log.isEnabled) this.log.cacheUnusable(cacheName, code, message);
    else warn(cacheName, `${code}: ${message}. Values are loaded but not stored.`);
  }

  /** Reports that a factory threw and a stale value was returned. */
  servedStale(cacheName: string, error: unknown): void {
    if (this.log.isEnabled) this.log.staleReturned(cacheName, error ?? null);
    else if (this.#isFirst("stale", cacheName))
      warn(cacheName, `a stale value was returned, because the factory threw: ${thrownText(error)}.`);
  }

  /**
   * Reports that a factory exceeded its soft timeout and a stale value was returned. The options request this, so it is
   * logged but never becomes a process warning.
   */
  softTimeoutExceeded(cacheName: string): void {
    this.log.staleReturned(cacheName);
  }

  /** Reports that a factory threw while it refreshed a stale value in the background. The next caller tries again. */
  refreshFailed(cacheName: string, error: unknown): void {
    if (this.log.isEnabled) this.log.refreshFailed(cacheName, error);
    else if (this.#isFirst("anew", cacheName))
      warn(cacheName, `a stale value could not be refreshed, because the factory threw: ${thrownText(error)}.`);
  }

  /**
   * Reports that a refresh was skipped, because the client already runs the maximum number of background loads
   * (GOC-13). This is logged but never becomes a process warning.
   */
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
