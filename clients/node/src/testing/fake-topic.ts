import type { Buffer } from "node:buffer";
import type { Clock } from "../calls/clock.js";
import type { Failure } from "../client/errors.js";
import { field, numberField } from "./message.js";
import { tooLarge } from "./refusal.js";

// TOP-6: what is kept for those who resume.
const keptMessages = 1_000;
const keptBytes = 1 << 20;

/** A message of a topic: as it is sent, with what its value has. */
interface Kept {
  readonly message: Buffer;
  readonly bytes: number;
}

/** Where a subscription begins: after a gap, where there is one. */
export interface FakeStart {
  readonly next: bigint;
  /** The discontinuity that it begins with; null: none. */
  readonly gap: Buffer | null;
}

/** What follows a topic. */
export interface FakeTopicFollower {
  /** Called when a message of this many bytes was published. */
  published(bytes: number): void;
  fail(failure: Failure): void;
}

/** A topic: its messages in their order, the newest of which are kept, and who follows it. */
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

  /** For how long nobody has followed it or published to it, in milliseconds. */
  idleSince(nowMs: number): number {
    return this.#followers.size > 0 ? 0 : nowMs - this.#usedAtMs;
  }

  get newest(): bigint {
    return this.#newest;
  }

  /** `value`: a `TopicValue`; `bytes`: of what it holds. */
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

  /** The message of a number, as it is sent; undefined: it is not kept. */
  message(number: bigint): Buffer | undefined {
    return number < this.#oldest ? undefined : this.#kept[Number(number - this.#oldest)]?.message;
  }

  /** Where a subscription begins that asks for a number of a page; 0: for the newest, of whichever page (TOP-3). */
  start(resumeAt: bigint, page: bigint): FakeStart {
    const next = this.#newest === 0n ? 1n : this.#newest;
    if (resumeAt === 0n) return { next, gap: null };
    const isThere = resumeAt >= this.#oldest && resumeAt <= this.#newest + 1n;
    if (isThere && (page === 0n || page === this.page)) return { next: resumeAt, gap: null };
    return { next, gap: this.gap(resumeAt, next) };
  }

  /** The discontinuity before a message, for who waited for another (TOP-4). */
  gap(waitedFor: bigint, next: bigint): Buffer {
    return field(2, numberField(1, waitedFor - 1n), numberField(2, next - 1n), numberField(3, this.page));
  }

  /** Throws where as many follow it as may (TOP-12). */
  join(follower: FakeTopicFollower): void {
    if (this.#followers.size >= this.maxFollowers)
      throw tooLarge(`the topic has its ${this.maxFollowers} subscribers`, "topic_subscriptions_limit_exceeded");
    this.#followers.add(follower);
  }

  leave(follower: FakeTopicFollower): void {
    if (this.#followers.delete(follower)) this.#usedAtMs = this.clock.now();
  }

  /** Ends what follows it. */
  end(failure: Failure): void {
    for (const follower of [...this.#followers]) follower.fail(failure);
  }

  get #oldest(): bigint {
    return this.#newest + 1n - BigInt(this.#kept.length);
  }
}
