import type { CacheError, CacheErrorCode } from "../client/errors.js";
import { thrownText } from "../client/thrown-text.js";
import type { ClientLog } from "./client-log.js";

// Errors that no retry can solve, and errors caused by the item itself.
const lasting: ReadonlySet<CacheErrorCode> = new Set([
  "NotFound",
  "PermissionDenied",
  "Unauthenticated",
  "FailedPrecondition",
  "InvalidArgument",
  "LimitExceeded",
]);
const mostTold = 1_000;

/**
 * Reports problems that `getOrSet` hides from its callers: to the client's logger, or without one as process warnings.
 * Each is reported once per cache.
 */
export class CacheWarnings {
  readonly #told = new Set<string>();

  constructor(private readonly log: ClientLog) {}

  /** A call failed, so a loaded value was not stored. If the error is permanent, it is reported. */
  notStored(cacheName: string, { code, message }: CacheError, lasts = lasting.has(code)): void {
    if (!lasts || !this.#isFirst(code, cacheName)) this.log.madeWithoutCache(cacheName, code);
    else if (this.log.isRead) this.log.cacheUnusable(cacheName, code, message);
    else warn(cacheName, `${code}: ${message}. Values are loaded and not stored.`);
  }

  /** A factory threw, and a stale value was returned. */
  servedStale(cacheName: string, error: unknown): void {
    if (this.log.isRead) this.log.staleAnswered(cacheName, error ?? null);
    else if (this.#isFirst("stale", cacheName))
      warn(cacheName, `a stale value was returned, because the factory threw: ${thrownText(error)}.`);
  }

  /** A factory exceeded its soft timeout, and a stale value was returned, as the options allow. */
  tookLong(cacheName: string): void {
    this.log.staleAnswered(cacheName);
  }

  /** A factory that refreshed a stale value in the background threw. The next caller tries again. */
  notMadeAnew(cacheName: string, error: unknown): void {
    if (this.log.isRead) this.log.notMadeAnew(cacheName, error);
    else if (this.#isFirst("anew", cacheName))
      warn(cacheName, `a stale value could not be refreshed, because the factory threw: ${thrownText(error)}.`);
  }

  /** A refresh was skipped because the client already runs the maximum number of background loads (GOC-13). */
  putOff(cacheName: string): void {
    this.log.refreshPutOff(cacheName);
  }

  #isFirst(what: string, cacheName: string): boolean {
    const name = `${what} ${cacheName}`;
    if (this.#told.has(name) || this.#told.size >= mostTold) return false;
    this.#told.add(name);
    return true;
  }
}

function warn(cacheName: string, message: string): void {
  process.emitWarning(`Cache '${cacheName}': ${message} This warning is emitted once.`, "LarderWarning");
}
