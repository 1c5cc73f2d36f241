import type { ErrorResponse } from "../client/responses.js";
import { checkCacheName, checkText, refusal, requireKnownNames, requireSignal } from "../client/validation.js";
import type { SubscriptionStart } from "./subscription-state.js";

/** Options of a subscription. */
export interface SubscribeOptions {
  /**
   * Number of the first message: stored messages from this number on come first. 1 … 2^64 − 1, as a number up to 2^53 −
   * 1 or a bigint. Default 0: `from` decides.
   */
  readonly resumeAt?: number | bigint | undefined;
  /** Page of that number, as reported by an item. Default 0: the current page. */
  readonly page?: number | bigint | undefined;
  /**
   * Where to start if `resumeAt` is not set: `newest` starts with the newest stored message, `now` after it. Default
   * `newest`.
   */
  readonly from?: "newest" | "now" | undefined;
  /** Whether to receive heartbeats, about one per second without messages. Default false. */
  readonly heartbeats?: boolean | undefined;
  /** Ends the subscription, like `close()`. */
  readonly signal?: AbortSignal | undefined;
}

/** Validated options of a subscription. */
export interface CheckedSubscription {
  readonly start: SubscriptionStart;
  readonly heartbeats: boolean;
  readonly signal: AbortSignal | undefined;
  /** The error for options that could never succeed; null if they are valid. */
  readonly refusal: ErrorResponse | null;
}

const names = ["resumeAt", "page", "from", "heartbeats", "signal"];
const most = 2n ** 64n;

/**
 * Validates the options of a subscription.
 * @throws TypeError for an option of a wrong type or an unknown name.
 */
export function checkedSubscription(cacheName: string, topic: string, options: SubscribeOptions): CheckedSubscription {
  requireKnownNames("option", options, names);
  const { resumeAt = 0, page = 0, from = "newest", heartbeats = false, signal } = options;
  const start = { resumeAt: wholeOf("resumeAt", resumeAt), page: wholeOf("page", page), from };
  if (from !== "newest" && from !== "now") throw new TypeError("from must be 'newest' or 'now'");
  if (typeof heartbeats !== "boolean") throw new TypeError("heartbeats must be true or false");
  if (signal !== undefined) requireSignal(signal);
  return { start, heartbeats, signal, refusal: checkTopic(topic) ?? checkCacheName(cacheName) ?? checkStart(start) };
}

/**
 * Returns the error for an invalid topic name, or null.
 * @throws TypeError if it is not a string.
 */
export function checkTopic(topic: string): ErrorResponse | null {
  if (typeof topic !== "string") throw new TypeError("the topic must be a string");
  if (topic === "") return refusal("the topic must not be empty");
  return checkText("topic", topic);
}

function checkStart({ resumeAt, page, from }: SubscriptionStart): ErrorResponse | null {
  for (const [name, value] of Object.entries({ resumeAt, page }))
    if (value < 0n || value >= most)
      return refusal(`${name} must be an integer from 0 to 2^53 - 1, or a bigint up to 2^64 - 1`);
  if (page !== 0n && resumeAt === 0n) return refusal("page needs resumeAt; pass both");
  return resumeAt !== 0n && from === "now" ? refusal("resumeAt and from exclude each other; pass one of them") : null;
}

function wholeOf(name: string, value: number | bigint): bigint {
  if (typeof value === "bigint") return value;
  if (typeof value !== "number") throw new TypeError(`${name} must be a bigint or a number`);
  // Not an integer: return a value that is out of range.
  return Number.isSafeInteger(value) ? BigInt(value) : -1n;
}
