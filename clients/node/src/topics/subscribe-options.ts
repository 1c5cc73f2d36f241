import type { ErrorResponse } from "../client/responses.js";
import { checkCacheName, checkText, refusal, requireKnownNames, requireSignal } from "../client/validation.js";
import type { SubscriptionStart } from "./subscription-state.js";

/** Options of a subscription. */
export interface SubscribeOptions {
  /**
   * Number of the first message to receive. Stored messages from this number on are delivered first. The number is an
   * integer from 1 to 2^64 − 1. Above 2^53 − 1, it must be a bigint. If it is 0, `from` determines the start.
   * @defaultValue 0
   */
  readonly resumeAt?: number | bigint | undefined;
  /**
   * Page to which `resumeAt` belongs: the property `page` of a received message. A page is one series of message
   * numbers, for example those of a topic until the server restarts. 0 for the current page.
   * @defaultValue 0
   */
  readonly page?: number | bigint | undefined;
  /**
   * Where to start if `resumeAt` is not set. `newest` starts with the newest stored message, and `now` starts after it.
   * @defaultValue `newest`
   */
  readonly from?: "newest" | "now" | undefined;
  /**
   * Whether to receive heartbeats. While there are no messages, about one heartbeat per second is sent.
   * @defaultValue false
   */
  readonly heartbeats?: boolean | undefined;
  /**
   * An abort signal. When it aborts, the subscription ends as if `close()` were called. If it is already aborted, no
   * subscription is started, and there are no events.
   */
  readonly signal?: AbortSignal | undefined;
}

/** Validated options of a subscription. */
export interface CheckedSubscription {
  readonly start: SubscriptionStart;
  readonly heartbeats: boolean;
  readonly signal: AbortSignal | undefined;
  /** The error if an option, the topic or the cache name is invalid. Null if all are valid. */
  readonly refusal: ErrorResponse | null;
}

const names = ["resumeAt", "page", "from", "heartbeats", "signal"];
const most = 2n ** 64n;

/**
 * Validates the options of a subscription.
 * @throws TypeError for an option of a wrong type or with an unknown name.
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
 * Returns the error if the topic name is invalid. Returns null if it is valid.
 * @throws TypeError if the name is not a string.
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
  return resumeAt !== 0n && from === "now"
    ? refusal("resumeAt and from are mutually exclusive; pass one of them")
    : null;
}

function wholeOf(name: string, value: number | bigint): bigint {
  if (typeof value === "bigint") return value;
  if (typeof value !== "number") throw new TypeError(`${name} must be a bigint or a number`);
  // If the value is not an integer, return a value that is out of range.
  return Number.isSafeInteger(value) ? BigInt(value) : -1n;
}
