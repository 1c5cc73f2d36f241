import type { CacheError, CacheErrorCode } from "./errors.js";
import { thrownText } from "./thrown-text.js";

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

/** What `getOrSet` does without a word otherwise, as process warnings: each once for each cache. */
export class CacheWarnings {
  readonly #told = new Set<string>();

  /** A call failed so that a value was made and not stored: told where it would be a miss for ever. */
  notStored(cacheName: string, { code, message }: CacheError, lasts = lasting.has(code)): void {
    if (lasts) this.#tell(code, cacheName, `${code}: ${message}; values are made and not stored`);
  }

  /** A value past its time was answered, while it is made anew: as the options ask, and no warning. */
  answeredStale(_cacheName: string): void {}

  /** A factory threw, and a value past its time was answered. */
  servedStale(cacheName: string, error: unknown): void {
    this.#tell("stale", cacheName, `a factory threw, and what is past its time is answered: ${thrownText(error)}`);
  }

  /** A factory threw that made a value anew while one past its time was answered: who asks next tries again. */
  notMadeAnew(cacheName: string, error: unknown): void {
    this.#tell("anew", cacheName, `what is past its time could not be made anew: ${thrownText(error)}`);
  }

  #tell(what: string, cacheName: string, message: string): void {
    const name = `${what} ${cacheName}`;
    if (this.#told.has(name) || this.#told.size >= mostTold) return;
    this.#told.add(name);
    process.emitWarning(`cache '${cacheName}': ${message}, which is told once`, "LarderWarning");
  }
}
