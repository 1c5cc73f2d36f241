import { backOffMs } from "../calls/back-off.js";
import { Status } from "../client/errors.js";
import type { Configuration } from "../configuration/configuration.js";
import { TopicDiscontinuity } from "./topic-events.js";

/**
 * Where a subscription stands. `idle → connecting → live → waiting → connecting`, or `connecting → waiting`; every phase
 * may end in `ended`. A stream is open, or being opened, in `connecting` and `live` only.
 */
export type SubscriptionPhase = "idle" | "connecting" | "live" | "waiting" | "ended";

/** The message that a subscription waits for: its number, and its page, 0 for any. */
export interface TopicPosition {
  readonly page: bigint;
  readonly number: bigint;
}

/** Where a stream is to begin, as it is asked for. */
export interface SubscribeStart {
  /** 0: with the newest message that is kept. */
  readonly resumeAt: bigint;
  readonly page: bigint;
  /** After the newest (`topic-from: now`). */
  readonly now: boolean;
}

/** Of a subscription's options those that decide. */
export interface SubscriptionStart {
  readonly resumeAt: bigint;
  readonly page: bigint;
  readonly from: "newest" | "now";
}

/** What becomes of an item: it is dropped, or given to the caller, who is first told of the gap before it, if any. */
export type ItemVerdict = "dropped" | "given" | TopicDiscontinuity;

/** What follows a failure: a wait until the next connection, or the end with a status; null: nothing, none was open. */
export type FailureVerdict = { readonly waitMs: number } | { readonly endsWith: number } | null;

/** The settings that a subscription's life is decided by. */
export type SubscriptionSettings = Pick<Configuration, "requestTimeoutMs" | "initialBackOffMs" | "maxBackOffMs">;

const greatest = 2n ** 64n - 1n;
const positionPattern = /^([0-9]{1,20})-([0-9]{1,20})$/;
// TOP-26: heartbeats come after each second of silence; five of them missing are no accident.
const leastSilenceMs = 5_000;
const silences = 5;
// TOP-24.
const finalStatuses: readonly number[] = [
  Status.invalidArgument,
  Status.notFound,
  Status.permissionDenied,
  Status.failedPrecondition,
  Status.unimplemented,
  Status.unauthenticated,
];

/**
 * What a subscription asks for and makes of what comes (TOP-20 to TOP-27): a function of its position and of times that
 * it is given.
 */
export class SubscriptionState {
  #phase: SubscriptionPhase = "idle";
  #position: TopicPosition | null;
  // Whether a message has ever come.
  #begun = false;
  #beganAt = 0;
  // Of the stream: when it was asked for, and when something came last.
  #heardAt = 0;
  #longestSilenceMs = 0;
  // Since the last message of any stream.
  #failures = 0;

  constructor(
    private readonly start: SubscriptionStart,
    private readonly settings: SubscriptionSettings,
  ) {
    this.#position = start.resumeAt === 0n ? null : { page: start.page, number: start.resumeAt };
  }

  get phase(): SubscriptionPhase {
    return this.#phase;
  }

  /** The message that is waited for; null: any. */
  get position(): TopicPosition | null {
    return this.#position;
  }

  /** Whether a message has ever come. */
  get begun(): boolean {
    return this.#begun;
  }

  /** A stream is to be opened: what it asks for; null: none is to be. */
  connect(nowMs: number): SubscribeStart | null {
    if (this.#phase !== "idle" && this.#phase !== "waiting") return null;
    if (this.#phase === "idle") this.#beganAt = nowMs;
    this.#phase = "connecting";
    this.#heardAt = nowMs;
    if (this.#position === null && this.#begun) this.#position = { page: 0n, number: 1n };
    return this.#position === null
      ? { resumeAt: 0n, page: 0n, now: this.start.from === "now" }
      : { resumeAt: this.#position.number, page: this.#position.page, now: false };
  }

  /** The stream is open; `told`: its `topic-position` (TOP-20). */
  opened(told: string | null): void {
    const position = this.#isOpen ? positionOf(told) : null;
    if (position === null) return;
    const before = this.#position;
    if (before === null || (before.page === 0n && before.number === position.number)) this.#position = position;
  }

  /** An item came (TOP-21). */
  item(number: bigint, page: bigint, nowMs: number): ItemVerdict {
    if (!this.#hear(nowMs)) return "dropped";
    const before = this.#position;
    const samePage = before === null || before.page === 0n || before.page === page;
    if (before !== null && samePage && number < before.number) return "dropped";
    this.#position = { page, number: after(number) };
    if (before === null || (samePage && number === before.number)) return "given";
    return new TopicDiscontinuity(before.number - 1n, number, page);
  }

  /** The server told of a gap (TOP-22): what the caller is told; null: nothing, it is known. */
  discontinuity(last: bigint, newest: bigint, page: bigint, nowMs: number): TopicDiscontinuity | null {
    if (!this.#hear(nowMs)) return null;
    const next = after(newest);
    const before = this.#position;
    if (before !== null && before.page === page && before.number === next) return null;
    this.#position = { page, number: next };
    return new TopicDiscontinuity(last, next, page);
  }

  /** A heartbeat came: whether it is one of this stream. */
  heartbeat(nowMs: number): boolean {
    if (this.#phase === "live") this.#longestSilenceMs = Math.max(this.#longestSilenceMs, nowMs - this.#heardAt);
    return this.#hear(nowMs);
  }

  /** Reading goes on, after the client itself had it stand still. */
  resumed(nowMs: number): void {
    this.#heardAt = nowMs;
  }

  /** When the stream is lost unless something comes before (TOP-26); null: none is open. */
  get lostAtMs(): number | null {
    if (this.#phase === "connecting") return this.#heardAt + this.settings.requestTimeoutMs;
    if (this.#phase !== "live") return null;
    return this.#heardAt + Math.max(leastSilenceMs, silences * this.#longestSilenceMs);
  }

  /** The status of a stream that has been silent for too long; null: it has not. */
  lost(nowMs: number): number | null {
    const lostAtMs = this.lostAtMs;
    if (lostAtMs === null || nowMs < lostAtMs) return null;
    return this.#phase === "connecting" ? Status.deadlineExceeded : Status.unavailable;
  }

  /** The stream ended with a gRPC status, 0 among them (TOP-24, TOP-25). `random` draws from 0 to 1. */
  failed(status: number, nowMs: number, random: () => number): FailureVerdict {
    if (!this.#isOpen) return null;
    const { requestTimeoutMs, initialBackOffMs, maxBackOffMs } = this.settings;
    const waitMs = backOffMs(++this.#failures, initialBackOffMs, maxBackOffMs, random);
    const isFinal = finalStatuses.includes(status) || (status === Status.resourceExhausted && !this.#begun);
    const isLate = !this.#begun && nowMs + waitMs >= this.#beganAt + requestTimeoutMs;
    if (isFinal || isLate) {
      this.#phase = "ended";
      return { endsWith: status === Status.ok ? Status.unavailable : status };
    }
    this.#phase = "waiting";
    return { waitMs };
  }

  /** The stream ended, and another is to be opened at once, with another token (AUTH-31). */
  renewed(): void {
    if (this.#isOpen) this.#phase = "waiting";
  }

  /** The caller wants no more. */
  closed(): void {
    this.#phase = "ended";
  }

  get #isOpen(): boolean {
    return this.#phase === "connecting" || this.#phase === "live";
  }

  // Something came: whether it counts.
  #hear(nowMs: number): boolean {
    if (!this.#isOpen) return false;
    this.#phase = "live";
    this.#begun = true;
    this.#failures = 0;
    this.#heardAt = nowMs;
    return true;
  }
}

// The greatest number is followed by itself (TOP-22).
function after(number: bigint): bigint {
  return number === greatest ? number : number + 1n;
}

/** `page-number`, two decimal numbers of 64 bits, the number from 1; null: it is not. */
function positionOf(told: string | null): TopicPosition | null {
  const match = told === null ? null : positionPattern.exec(told);
  if (match === null) return null;
  const [page, number] = [BigInt(match[1]!), BigInt(match[2]!)];
  return number === 0n || page > greatest || number > greatest ? null : { page, number };
}
