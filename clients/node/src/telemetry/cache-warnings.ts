import type { CacheError, CacheErrorCode } from "../client/errors.js";
import { thrownText } from "../client/thrown-text.js";
import type { ClientLog } from "./client-log.js";

// What no retry will mend, and what is wrong with what was to be stored.
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
 * What `getOrSet` does without a word otherwise: told to the client's logger, and without one by process warnings, each
 * once for each cache.
 */
export class CacheWarnings {
  readonly #told = new Set<string>();

  constructor(private readonly log: ClientLog) {}

  /** A call failed so that a value was made and not stored: told where it would be a miss for ever. */
  notStored(cacheName: string, { code, message }: CacheError, lasts = lasting.has(code)): void {
    if (!lasts || !this.#isFirst(code, cacheName)) this.log.madeWithoutCache(cacheName, code);
    else if (this.log.isRead) this.log.cacheUnusable(cacheName, code, message);
    else warn(cacheName, `${code}: ${message}; values are made and not stored`);
  }

  /** A factory threw, and a value past its time was answered. */
  servedStale(cacheName: string, error: unknown): void {
    if (this.log.isRead) this.log.staleAnswered(cacheName, error ?? null);
    else if (this.#isFirst("stale", cacheName))
      warn(cacheName, `a factory threw, and what is past its time is answered: ${thrownText(error)}`);
  }

  /** A factory takes longer than its soft timeout, and a value past its time was answered: as the options ask. */
  tookLong(cacheName: string): void {
    this.log.staleAnswered(cacheName);
  }

  /** A factory threw that made a value anew while one past its time was answered: who asks next tries again. */
  notMadeAnew(cacheName: string, error: unknown): void {
    if (this.log.isRead) this.log.notMadeAnew(cacheName, error);
    else if (this.#isFirst("anew", cacheName))
      warn(cacheName, `what is past its time could not be made anew: ${thrownText(error)}`);
  }

  /** A value is not made anew, as the client makes its most in the background (GOC-13). */
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
  process.emitWarning(`cache '${cacheName}': ${message}, which is told once`, "LarderWarning");
}
