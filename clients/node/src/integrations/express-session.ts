/**
 * A session store for Express.
 *
 * @module larder-cache/express-session
 */

import type { Buffer } from "node:buffer";
import { type SessionData, Store } from "express-session";
import { nextTick } from "../calls/system-timers.js";
import type { Cache } from "../client/cache.js";
import type { CacheClient } from "../client/client.js";
import { CacheError } from "../client/errors.js";
import { MaxTtlLimiter } from "../client/max-ttl-limiter.js";
import { orThrow } from "../client/or-throw.js";
import { parseLimitedJson, serializeLimitedJson } from "../codecs/json-limits.js";

/** Options of a `LarderStore`. */
export interface LarderStoreOptions {
  readonly client: CacheClient;
  /** Name of the cache for the sessions. Other programs may share the cache if they use another prefix. */
  readonly cacheName: string;
  /**
   * Prefix of the session keys. It must not be empty. `all`, `length` and `clear` apply to every key that begins with
   * it. Therefore no other store in the same cache may have a prefix that begins with this prefix.
   * @defaultValue `sess:`
   */
  readonly prefix?: string | undefined;
  /**
   * Time to live of a session whose cookie does not expire. Milliseconds, more than 0 and at most the server's maximum
   * (`--max-ttl`). The default is a day, which is also the server's default maximum.
   * @defaultValue 86,400,000
   */
  readonly ttlMs?: number | undefined;
  /**
   * If true, a request that only reads a session does not extend the session's time to live. This
   * saves a call.
   * @defaultValue false
   */
  readonly disableTouch?: boolean | undefined;
}

type Callback<T = undefined> = (error: unknown, result?: T) => void;
type Sessions = (SessionData & { readonly id: string })[];

const dayMs = 86_400_000;
// Approximate number of keys per page of a scan. The keys of a page are removed concurrently. The server's maximum is
// 4,096.
const pageKeys = 1_000;
// Number of sessions per read. If a session has 8 KB, which is large for a session, a batch has 0.8 MB.
const batchKeys = 100;

/**
 * A store for express-session: `session({ store: new LarderStore({ … }), … })`. A session is stored as JSON. It
 * expires with its cookie, but at the latest after the server's maximum time to live (`--max-ttl`). If a call fails,
 * for example because a session is too large, the error is passed to the callback within the client's timeout. Without
 * a callback, the error becomes a process warning.
 */
export class LarderStore extends Store {
  readonly #cache: Cache;
  readonly #prefix: string;
  readonly #ttlMs: number;
  readonly #disableTouch: boolean;
  readonly #maxTtl: MaxTtlLimiter;

  constructor(options: LarderStoreOptions) {
    super();
    const { client, cacheName, prefix = "sess:", ttlMs = dayMs, disableTouch = false } = options;
    if (typeof prefix !== "string" || prefix === "") throw new TypeError("the prefix must be a non-empty string");
    if (!(ttlMs > 0)) throw new TypeError(`ttlMs must be above 0, not ${ttlMs}`);
    this.#cache = client.cache(cacheName);
    this.#prefix = prefix;
    this.#ttlMs = ttlMs;
    this.#disableTouch = disableTouch;
    this.#maxTtl = new MaxTtlLimiter(client, cacheName);
  }

  /** Gets a session. The result is null if the session does not exist or has expired. */
  override get(sid: string, callback: Callback<SessionData | null>): void {
    runWithCallback(this.#get(sid), callback);
  }

  /** Stores a session until its cookie expires. If the cookie has already expired, removes the session. */
  override set(sid: string, session: SessionData, callback?: Callback): void {
    runWithCallback(this.#set(sid, session), callback);
  }

  /** Removes a session. Succeeds even if the session does not exist. */
  override destroy(sid: string, callback?: Callback): void {
    runWithCallback(this.#destroy(sid), callback);
  }

  /**
   * Stores the session's new cookie and extends the session until the cookie expires. A removed session is not
   * restored.
   */
  override touch(sid: string, session: SessionData, callback?: Callback): void {
    runWithCallback(this.#touch(sid, session), callback);
  }

  /** Gets all sessions, each with its `id`. All of them are in memory at the same time. */
  override all(callback: Callback<Sessions>): void {
    runWithCallback(this.#all(), callback);
  }

  /** Gets the number of sessions. */
  override length(callback: Callback<number>): void {
    runWithCallback(
      this.#keys().then((keys) => keys.length),
      callback,
    );
  }

  /** Removes all sessions, which are all keys with the prefix. */
  override clear(callback?: Callback): void {
    runWithCallback(this.#clear(), callback);
  }

  async #get(sid: string): Promise<SessionData | null> {
    const got = orThrow(await this.#cache.get(this.#key(sid)));
    return got.result === "hit" ? sessionOf(got.valueBytes) : null;
  }

  async #set(sid: string, session: SessionData): Promise<undefined> {
    const key = this.#key(sid);
    const ttlMs = this.#ttl(session);
    if (ttlMs <= 0) return this.#destroy(sid);
    const bytes = serializeLimitedJson(session);
    orThrow(await this.#maxTtl.write(ttlMs, (ttlMs) => this.#cache.set(key, bytes, { ttlMs })));
  }

  async #destroy(sid: string): Promise<undefined> {
    orThrow(await this.#cache.delete(this.#key(sid)));
  }

  async #touch(sid: string, session: SessionData): Promise<undefined> {
    if (this.#disableTouch) return;
    const key = this.#key(sid);
    const ttlMs = this.#ttl(session);
    if (ttlMs <= 0) return this.#destroy(sid);
    const got = orThrow(await this.#cache.getWithHash(key));
    if (got.result !== "hit") return;
    // Store the new cookie, which contains the time at which the session ends. This time is used by `all` and by
    // requests that do not extend the session.
    const bytes = serializeLimitedJson({ ...sessionOf(got.valueBytes), cookie: session.cookie });
    const { result } = orThrow(
      await this.#maxTtl.write(ttlMs, (ttlMs) => this.#cache.setIfPresentAndHashEqual(key, bytes, got.hash, { ttlMs })),
    );
    // Another request has changed the session since this request read it. Keep the changed session and extend only the
    // TTL.
    if (result !== "stored") orThrow(await this.#maxTtl.write(ttlMs, (ttlMs) => this.#cache.updateTtl(key, ttlMs)));
  }

  async #all(): Promise<Sessions> {
    const keys = await this.#keys();
    const sessions: Sessions = [];
    for (let begin = 0; begin < keys.length; begin += batchKeys) {
      const batch = keys.slice(begin, begin + batchKeys);
      const { responses } = orThrow(await this.#cache.getBatch(batch));
      for (const [i, response] of responses.entries()) {
        const got = orThrow(response);
        const id = batch[i]!.toString().slice(this.#prefix.length);
        // If a session is missing, it has expired since the scan.
        if (got.result === "hit") sessions.push(Object.assign(sessionOf(got.valueBytes), { id }));
      }
    }
    return sessions;
  }

  async #clear(): Promise<undefined> {
    for await (const page of this.#pages()) {
      for (const deleted of await Promise.all(page.map((key) => this.#cache.delete(key)))) orThrow(deleted);
    }
  }

  // Returns the keys of all sessions, without duplicates, because a scan may return a key several times.
  async #keys(): Promise<Buffer[]> {
    const keys = new Map<string, Buffer>();
    for await (const page of this.#pages()) for (const key of page) keys.set(key.toString("latin1"), key);
    return [...keys.values()];
  }

  async *#pages(): AsyncGenerator<Buffer[]> {
    let cursor: Uint8Array | undefined;
    do {
      const page = orThrow(
        await this.#cache.scanKeys({ prefix: this.#prefix, type: "scalar", count: pageKeys, cursor }),
      );
      yield page.keys.map(({ key }) => key);
      cursor = page.cursor;
    } while (cursor.length > 0);
  }

  #key(sid: unknown): string {
    if (typeof sid === "string" && sid !== "") return this.#prefix + sid;
    throw new CacheError("InvalidArgument", "the session id must be a non-empty string");
  }

  // Returns the remaining time in milliseconds. 0 or less if the cookie has expired.
  #ttl(session: SessionData): number {
    const expires: unknown = session.cookie?.expires;
    if (expires === undefined || expires === null || expires === false) return this.#ttlMs;
    const endsAtMs = new Date(expires as string | Date).getTime();
    if (!Number.isNaN(endsAtMs)) return endsAtMs - Date.now();
    throw new CacheError("InvalidArgument", "the expiry of the session's cookie must be a valid date");
  }
}

// Calls the callback outside the promise. An exception of the callback is therefore an uncaught exception, as usual in
// Node.js.
function runWithCallback<T>(work: Promise<T>, callback: Callback<T> | undefined): void {
  work.then(
    (result) => callback !== undefined && nextTick(callback, null, result),
    (error: unknown) => nextTick(callback ?? warn, error),
  );
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error));
}

// Parses a session. The error contains neither the session's id nor its data, because both are secrets and errors are
// logged.
function sessionOf(bytes: Uint8Array): SessionData {
  const session = jsonOf(bytes);
  if (typeof session === "object" && session !== null && "cookie" in session) {
    if (typeof session.cookie === "object" && session.cookie !== null) return session as SessionData;
  }
  throw new CacheError("FailedPrecondition", "the stored value is not a session");
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return parseLimitedJson(bytes);
  } catch {
    return undefined; // Not a session. The caller throws.
  }
}
