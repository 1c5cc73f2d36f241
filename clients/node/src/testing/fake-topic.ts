import type { Buffer } from "node:buffer";
import type { Clock } from "../calls/clock.js";
import type { Failure } from "../client/errors.js";
import { tooLarge } from "./call-rejection.js";
import { field, numberField } from "./message.js";

// TOP-6: limits of the messages that are stored for subscribers that resume.
const keptMessages = 1_000;
const keptBytes = 1 << 20;

/** An encoded message of a topic, and the size of its value in bytes. */
interface Kept {
  readonly message: Buffer;
  readonly bytes: number;
}

/** Where a subscription starts, and the gap before that position, if there is one. */
export interface FakeStart {
  readonly next: bigint;
  /** The encoded discontinuity to send first. Null if there is no gap. */
  readonly gap: Buffer | null;
}

/** A subscriber to a topic. */
export interface FakeTopicFollower {
  /** Called when a message was published. `bytes` is the size of its content. */
  published(bytes: number): void;
  fail(failure: Failure): void;
}

/** A topic: its newest messages in order, and its subscribers. */
export class FakeTopic {
  readonly #kept: Kept[] = [];
  #keptBytes = 0;
  #newest = 0n;
  #usedAtMs: number;
  readonly #followers = new Set<FakeTopicFollower>();

  constructor(
    private readonly clock: Clock,
    readonly page: bigint,
    private readonly maxFollowers: number,
  ) {
    this.#usedAtMs = clock.now();
  }

  /** Returns how long the topic has had no subscribers and no new messages, in milliseconds. */
  idleSince(nowMs: number): number {
    return this.#followers.size > 0 ? 0 : nowMs - this.#usedAtMs;
  }

  get newest(): bigint {
    return this.#newest;
  }

  /**
   * Publishes a message.
   * @param value - An encoded `TopicValue`.
   * @param bytes - The size of the content in bytes.
   */
  publish(value: Buffer, bytes: number): void {
    this.#usedAtMs = this.clock.now();
    const number = ++this.#newest;
    const message = field(1, numberField(1, number), field(2, value), numberField(4, this.page));
    this.#kept.push({ message, bytes });
    this.#keptBytes += bytes;
    while (this.#kept.length > 1 && (this.#kept.length > keptMessages || this.#keptBytes > keptBytes))
      this.#keptBytes -= this.#kept.shift()!.bytes;
    for (const follower of [...this.#followers]) follower.published(bytes);
  }

  /** Returns the encoded message with this sequence number. Undefined if the message is not stored. */
  message(number: bigint): Buffer | undefined {
    return number < this.#oldest ? undefined : this.#kept[Number(number - this.#oldest)]?.message;
  }

  /**
   * Returns where a subscription starts if it requests the message with the sequence number `resumeAt` in `page`. If
   * `resumeAt` is 0, the subscription starts with the newest message, and the page is ignored (TOP-3).
   */
  start(resumeAt: bigint, page: bigint): FakeStart {
    const next = this.#newest === 0n ? 1n : this.#newest;
    if (resumeAt === 0n) return { next, gap: null };
    const isThere = resumeAt >= this.#oldest && resumeAt <= this.#newest + 1n;
    if (isThere && (page === 0n || page === this.page)) return { next: resumeAt, gap: null };
    return { next, gap: this.gap(resumeAt, next) };
  }

  /**
   * Encodes a discontinuity (TOP-4). It notifies a subscriber that expected the message `waitedFor` that the message
   * `next` follows instead.
   */
  gap(waitedFor: bigint, next: bigint): Buffer {
    return field(2, numberField(1, waitedFor - 1n), numberField(2, next - 1n), numberField(3, this.page));
  }

  /** Adds a subscriber. Throws if the topic already has the maximum number of subscribers (TOP-12). */
  join(follower: FakeTopicFollower): void {
    if (this.#followers.size >= this.maxFollowers)
      throw tooLarge(
        `the topic already has the maximum of ${this.maxFollowers} subscribers`,
        "topic_subscriptions_limit_exceeded",
      );
    this.#followers.add(follower);
  }

  leave(follower: FakeTopicFollower): void {
    if (this.#followers.delete(follower)) this.#usedAtMs = this.clock.now();
  }

  /** Ends all subscriptions of the topic. */
  end(failure: Failure): void {
    for (const follower of [...this.#followers]) follower.fail(failure);
  }

  get #oldest(): bigint {
    return this.#newest + 1n - BigInt(this.#kept.length);
  }
}
