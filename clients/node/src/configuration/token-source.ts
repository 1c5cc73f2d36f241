import { type Clock, scheduleInBackground } from "../calls/clock.js";
import { clearTimeout, outsideRequests, startTimer } from "../calls/system-timers.js";
import { TokenFileError, type TokenProvider } from "./token-provider.js";

/** Why there is no token, in words without it; `cause` is what the provider threw. */
export interface TokenFailure {
  readonly message: string;
  readonly cause?: unknown;
}

/** What came of asking: another token than the one that was shown, or none, and why where the provider failed. */
export type TokenAnswer = { readonly newer: true } | { readonly newer: false; readonly failure: TokenFailure | null };

// AUTH-31: a server that goes on refusing has the provider asked no more often.
const pauseMs = 1_000;
// AUTH-32: an answer that takes longer is given up, so that the next call can ask again. Longer than any call's deadline
// by default (5 s), as a token may come from a slow service.
const patienceMs = 30_000;
// AUTH-33. Source: a server's own limit on headers is 64 KB, and a token is one of several.
const mostCharacters = 16_384;

const newer: TokenAnswer = { newer: true };

/** The token that a provider gave, and when to ask for another. Whoever waits shares one question (AUTH-31). */
export class TokenSource {
  #token: string | undefined;
  // Of the token: each other one has the next number. 0: there is none yet.
  #version = 0;
  #asking: Promise<void> | null = null;
  #giveUp: (() => void) | null = null;
  #notBefore = 0;
  #failure: TokenFailure | null = null;
  #closed = false;

  constructor(
    private readonly provider: TokenProvider,
    private readonly clock: Clock,
  ) {}

  /** The token to show; undefined: none came yet. */
  get token(): string | undefined {
    return this.#token;
  }

  /** The number of the token: 0 where none came yet. */
  get version(): number {
    return this.#version;
  }

  /** Waits for another token than number `shown`, asking for it where that is not too soon. Never rejects. */
  async newerThan(shown: number): Promise<TokenAnswer> {
    if (this.#version > shown) return newer;
    if (this.#closed) return { newer: false, failure: { message: "the client is closed" } };
    if (this.#asking === null && this.clock.now() >= this.#notBefore) this.#ask();
    if (this.#asking !== null) await this.#asking;
    return this.#version > shown ? newer : { newer: false, failure: this.#failure };
  }

  /** Asks no more; what still comes is thrown away. */
  close(): void {
    this.#closed = true;
    this.#giveUp?.();
  }

  #ask(): void {
    const controller = new AbortController();
    let over = false;
    this.#asking = new Promise((resolve) => {
      const end = (outcome: unknown, failure: TokenFailure | null) => {
        if (over) return;
        over = true;
        limit.cancel();
        this.#asking = null;
        this.#giveUp = null;
        this.#answered(outcome, failure);
        resolve();
      };
      const giveUp = (message: string) => {
        end(undefined, { message });
        controller.abort();
      };
      const limit = scheduleInBackground(
        this.clock,
        () => giveUp(`the token provider did not answer in ${patienceMs / 1_000} s`),
        patienceMs,
      );
      this.#giveUp = () => giveUp("the client was closed");
      // What it throws at once is caught as what it rejects with; a promise's own `then` may throw as well.
      void outsideRequests(async () => this.provider({ signal: controller.signal })).then(
        (token: unknown) => end(token, whyNoToken(token)),
        (error: unknown) => end(undefined, { message: whyItThrew(error), cause: error }),
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
    // The first token may be out of date when it comes: it does not count.
    this.#notBefore = isFirst && failure === null ? 0 : this.clock.now() + pauseMs;
  }
}

function whyNoToken(token: unknown): TokenFailure | null {
  if (typeof token !== "string") return { message: `the token provider gave ${kindOf(token)} instead of a string` };
  if (token === "") return { message: "the token provider gave an empty token" };
  if (token.length > mostCharacters)
    return { message: `the token provider gave ${token.length} characters; a token has at most ${mostCharacters}` };
  if (!/^[\x21-\x7e]*$/.test(token))
    return { message: "the token provider gave characters that are not printable ASCII (a line break, say)" };
  return null;
}

function kindOf(value: unknown): string {
  return value === null ? "null" : value === undefined ? "undefined" : `a value of type ${typeof value}`;
}

// Its name alone: its text may have the token. It may be anything, and must not throw in turn.
function whyItThrew(error: unknown): string {
  try {
    if (error instanceof TokenFileError) return error.message;
    return `the token provider threw ${error instanceof Error ? error.constructor.name : kindOf(error)}`;
  } catch {
    return "the token provider threw something that cannot be told";
  }
}

/** Waits for the first token; rejects with the reason where none comes in `timeoutMs`. */
export async function firstToken(tokens: TokenSource, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<TokenAnswer>((resolve) => {
    const failure = { message: `the token provider did not answer in ${timeoutMs} ms` };
    timer = startTimer(() => resolve({ newer: false, failure }), timeoutMs);
  });
  const answer = await Promise.race([tokens.newerThan(0), late]);
  clearTimeout(timer);
  if (!answer.newer) throw new Error(answer.failure?.message ?? "there is no token", { cause: answer.failure?.cause });
}

/** Where the token that a server refuses came from, to be put behind the server's text, which names the wire's metadata. */
export function tokenHint(tokens: TokenSource | null | undefined): string {
  return tokens
    ? "; the token provider gave it"
    : "; the credentials give it, as http[s]://token@host (in LARDER_URL, say)";
}
