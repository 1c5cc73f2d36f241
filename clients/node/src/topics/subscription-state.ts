import { backOffMs } from "../calls/back-off.js";
import { Status } from "../client/errors.js";
import type { Configuration } from "../configuration/configuration.js";
import { TopicDiscontinuity } from "./topic-events.js";

/**
 * The phase of a subscription: `idle → connecting → live → waiting → connecting`, or `connecting → waiting`. Every
 * phase can change to `ended`. A stream is open or being opened only in `connecting` and `live`.
 */
export type SubscriptionPhase = "idle" | "connecting" | "live" | "waiting" | "ended";

/** The position of the next expected message: its number, and its page (0 for any page). */
export interface TopicPosition {
  readonly page: bigint;
  readonly number: bigint;
}

/** The position at which a stream starts, as the request contains it. */
export interface SubscribeStart {
  /** Number of the first message. 0 for the newest stored message. */
  readonly resumeAt: bigint;
  readonly page: bigint;
  /** Whether to start after the newest message (`topic-from: now`). */
  readonly now: boolean;
}

/** The options of a subscription that determine where it starts. */
export interface SubscriptionStart {
  readonly resumeAt: bigint;
  readonly page: bigint;
  readonly from: "newest" | "now";
}

/** What to do with an item: drop it, deliver it, or deliver a discontinuity and then the item. */
export type ItemVerdict = "dropped" | "given" | TopicDiscontinuity;

/** What to do after a failure: wait before the next connection, or end with a status. Null if no stream was open. */
export type FailureVerdict = { readonly waitMs: number } | { readonly endsWith: number } | null;

/** The settings that a subscription depends on. */
export type SubscriptionSettings = Pick<Configuration, "requestTimeoutMs" | "initialBackOffMs" | "maxBackOffMs">;

const greatest = 2n ** 64n - 1n;
const positionPattern = /^([0-9]{1,20})-([0-9]{1,20})$/;
// TOP-26: the server sends a heartbeat after each second without messages. If five heartbeats are missing, the stream
// is lost.
const minSilenceMs = 5_000;
const silences = 5;
// TOP-24: the statuses that end a subscription.
const finalStatuses: readonly number[] = [
  Status.invalidArgument,
  Status.notFound,
  Status.permissionDenied,
  Status.failedPrecondition,
  Status.unimplemented,
  Status.unauthenticated,
];

/**
 * The state machine of a subscription (TOP-20 to TOP-27). It decides what to request and how to handle messages. It
 * depends only on its position and on the times that are passed to it.
 */
export class SubscriptionState {
  #phase: SubscriptionPhase = "idle";
  #position: TopicPosition | null;
  // Whether a message was ever received on any stream of the subscription.
  #begun = false;
  #beganAt = 0;
  // The time at which the current stream was requested, or at which something was last received on it.
  #heardAt = 0;
  #longestSilenceMs = 0;
  // Number of consecutive failures since the last message on any stream.
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

  /** Returns the position that the next message must have, or null if any position is accepted. */
  get position(): TopicPosition | null {
    return this.#position;
  }

  /** Returns whether a message was ever received on any stream of the subscription. */
  get begun(): boolean {
    return this.#begun;
  }

  /** Starts connecting. Returns the start position to request, or null if no stream needs to be opened now. */
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

  /** Called when the stream is open. `told` is the response header `topic-position`, null if missing (TOP-20). */
  opened(told: string | null): void {
    const position = this.#isOpen ? positionOf(told) : null;
    if (position === null) return;
    const before = this.#position;
    if (before === null || (before.page === 0n && before.number === position.number)) this.#position = position;
  }

  /** Updates the state for a received item. Returns what the caller must do with the item (TOP-21). */
  item(number: bigint, page: bigint, nowMs: number): ItemVerdict {
    if (!this.#hear(nowMs)) return "dropped";
    const before = this.#position;
    const samePage = before === null || before.page === 0n || before.page === page;
    if (before !== null && samePage && number < before.number) return "dropped";
    this.#position = { page, number: after(number) };
    if (before === null || (samePage && number === before.number)) return "given";
    return new TopicDiscontinuity(before.number - 1n, number, page);
  }

  /**
   * Handles a gap that the server has reported (TOP-22). Returns the event for the caller. Null if the gap is already
   * known.
   */
  discontinuity(last: bigint, newest: bigint, page: bigint, nowMs: number): TopicDiscontinuity | null {
    if (!this.#hear(nowMs)) return null;
    const next = after(newest);
    const before = this.#position;
    if (before !== null && before.page === page && before.number === next) return null;
    this.#position = { page, number: next };
    return new TopicDiscontinuity(last, next, page);
  }

  /** Handles a heartbeat. Returns whether it belongs to the current stream. */
  heartbeat(nowMs: number): boolean {
    if (this.#phase === "live") this.#longestSilenceMs = Math.max(this.#longestSilenceMs, nowMs - this.#heardAt);
    return this.#hear(nowMs);
  }

  /** Called when reading resumes after the client itself had paused it. */
  resumed(nowMs: number): void {
    this.#heardAt = nowMs;
  }

  /**
   * Returns the time at which the stream counts as lost if nothing is received before that time (TOP-26). Null if no
   * stream is open.
   */
  get lostAtMs(): number | null {
    if (this.#phase === "connecting") return this.#heardAt + this.settings.requestTimeoutMs;
    if (this.#phase !== "live") return null;
    return this.#heardAt + Math.max(minSilenceMs, silences * this.#longestSilenceMs);
  }

  /** Returns a failure status if the stream has been silent for too long, otherwise null. */
  lost(nowMs: number): number | null {
    const lostAtMs = this.lostAtMs;
    if (lostAtMs === null || nowMs < lostAtMs) return null;
    return this.#phase === "connecting" ? Status.deadlineExceeded : Status.unavailable;
  }

  /**
   * Handles the end of a stream with a gRPC status, which may be 0 (TOP-24, TOP-25). `random` returns a number from 0
   * to 1.
   */
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

  /** Called when the stream has ended and must be reopened immediately with another token (AUTH-31). */
  renewed(): void {
    if (this.#isOpen) this.#phase = "waiting";
  }

  /** Called when the caller has closed the subscription. */
  closed(): void {
    this.#phase = "ended";
  }

  get #isOpen(): boolean {
    return this.#phase === "connecting" || this.#phase === "live";
  }

  // Records that a message was received. Returns whether the message belongs to the current stream.
  #hear(nowMs: number): boolean {
    if (!this.#isOpen) return false;
    this.#phase = "live";
    this.#begun = true;
    this.#failures = 0;
    this.#heardAt = nowMs;
    return true;
  }
}

// Returns the next message number. After the maximum number, returns the maximum number again (TOP-22).
function after(number: bigint): bigint {
  return number === greatest ? number : number + 1n;
}

/**
 * Parses `page-number`, which consists of two 64-bit decimal integers. Returns null if the text is invalid or the
 * number is below 1.
 */
function positionOf(told: string | null): TopicPosition | null {
  const match = told === null ? null : positionPattern.exec(told);
  if (match === null) return null;
  const [page, number] = [BigInt(match[1]!), BigInt(match[2]!)];
  return number === 0n || page > greatest || number > greatest ? null : { page, number };
}
