import { type Clock, scheduleInBackground } from "../calls/clock.js";
import { clearTimeout, outsideRequestContext, startTimer } from "../calls/system-timers.js";
import { TokenFileError, type TokenProvider } from "./token-provider.js";

/** Why there is no token. The message contains no secrets. `cause` is the provider's exception. */
export interface TokenFailure {
  readonly message: string;
  readonly cause?: unknown;
}

/**
 * The result of waiting for a token. `newer` is true if there is a newer token. If it is false, `failure` is the
 * reason. `failure` is null if there was no failure.
 */
export type TokenResult = { readonly newer: true } | { readonly newer: false; readonly failure: TokenFailure | null };

// AUTH-31: minimum interval between two requests to the provider while a server keeps rejecting tokens.
const pauseMs = 1_000;
// AUTH-32: timeout of a request to the provider. After this time, a later call can request a token again. It is longer
// than the default timeout of calls (5 s), because a token may come from a slow service.
const providerTimeoutMs = 30_000;
// AUTH-33: maximum length of a token. A server limits headers to 64 KB, and the token is only one of several headers.
const maxCharacters = 16_384;

const newer: TokenResult = { newer: true };

/**
 * Stores the token of the provider and decides when to request another token. All waiting callers share one request
 * (AUTH-31).
 */
export class TokenSource {
  #token: string | undefined;
  // The version of the token. Each new token increases it. 0 if there is no token yet.
  #version = 0;
  #request: Promise<void> | null = null;
  #cancelRequest: (() => void) | null = null;
  #notBefore = 0;
  #failure: TokenFailure | null = null;
  #closed = false;

  constructor(
    private readonly provider: TokenProvider,
    private readonly clock: Clock,
  ) {}

  /** Returns the current token. Undefined if there is no token yet. */
  get token(): string | undefined {
    return this.#token;
  }

  /** Returns the version of the token. 0 if there is no token yet. */
  get version(): number {
    return this.#version;
  }

  /**
   * Waits for a token newer than `version`. Requests a token, unless the last request was too recent. Never rejects.
   */
  async newerThan(version: number): Promise<TokenResult> {
    if (this.#version > version) return newer;
    if (this.#closed) return { newer: false, failure: { message: "the client is closed" } };
    if (this.#request === null && this.clock.now() >= this.#notBefore) this.#requestToken();
    if (this.#request !== null) await this.#request;
    return this.#version > version ? newer : { newer: false, failure: this.#failure };
  }

  /** Stops requesting tokens. The results of pending requests are ignored. */
  close(): void {
    this.#closed = true;
    this.#cancelRequest?.();
  }

  #requestToken(): void {
    const controller = new AbortController();
    let over = false;
    this.#request = new Promise((resolve) => {
      const end = (outcome: unknown, failure: TokenFailure | null) => {
        if (over) return;
        over = true;
        limit.cancel();
        this.#request = null;
        this.#cancelRequest = null;
        this.#answered(outcome, failure);
        resolve();
      };
      const giveUp = (message: string) => {
        end(undefined, { message });
        controller.abort();
      };
      const limit = scheduleInBackground(
        this.clock,
        () => giveUp(`the token provider did not return within ${providerTimeoutMs / 1_000} s`),
        providerTimeoutMs,
      );
      this.#cancelRequest = () => giveUp("the client was closed");
      // The async function turns a synchronous exception into a rejection. The same applies if the provider returns an
      // object whose `then` throws.
      void outsideRequestContext(async () => this.provider({ signal: controller.signal })).then(
        (token: unknown) => end(token, invalidTokenReason(token)),
        (error: unknown) => end(undefined, { message: exceptionMessage(error), cause: error }),
      );
    });
  }

  #answered(token: unknown, failure: TokenFailure | null): void {
    const isFirst = this.#version === 0;
    this.#failure = failure;
    if (failure === null && token !== this.#token) {
      this.#token = token as string;
      this.#version++;
    }
    // The first token may already be outdated when it arrives. Therefore the next request may follow immediately.
    this.#notBefore = isFirst && failure === null ? 0 : this.clock.now() + pauseMs;
  }
}

function invalidTokenReason(token: unknown): TokenFailure | null {
  if (typeof token !== "string") return { message: `the token provider must return a string, not ${kindOf(token)}` };
  if (token === "") return { message: "the token provider returned an empty token" };
  if (token.length > maxCharacters)
    return { message: `the token provider returned ${token.length} characters; at most ${maxCharacters} are allowed` };
  if (!/^[\x21-\x7e]*$/.test(token))
    return {
      message: "the token provider returned a token that is not printable ASCII (for example with a line break)",
    };
  return null;
}

function kindOf(value: unknown): string {
  return value === null ? "null" : value === undefined ? "undefined" : `a value of type ${typeof value}`;
}

// Returns only the exception's name, because the exception's message may contain the token. The exception may be any
// value, and reading it must not throw.
function exceptionMessage(error: unknown): string {
  try {
    if (error instanceof TokenFileError) return error.message;
    return `the token provider threw ${error instanceof Error ? error.constructor.name : kindOf(error)}`;
  } catch {
    return "the token provider threw a value that cannot be printed";
  }
}

/** Waits for the first token. Rejects with the reason if there is no token within `timeoutMs`. */
export async function firstToken(tokens: TokenSource, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<TokenResult>((resolve) => {
    const failure = { message: `the token provider did not return within ${timeoutMs} ms` };
    timer = startTimer(() => resolve({ newer: false, failure }), timeoutMs);
  });
  const answer = await Promise.race([tokens.newerThan(0), late]);
  clearTimeout(timer);
  if (!answer.newer)
    throw new Error(answer.failure?.message ?? "the token provider returned no token", {
      cause: answer.failure?.cause,
    });
}

/**
 * Returns a text that describes where a rejected token came from, or how to set a token. It is appended to the server's
 * error message, which mentions only the `authorization` metadata.
 */
export function tokenHint(tokens: TokenSource | null | undefined): string {
  return tokens
    ? "; the token comes from the token provider"
    : "; set the token in the credentials: http[s]://token@host, for example in LARDER_URL";
}
