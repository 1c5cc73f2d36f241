import type { Buffer } from "node:buffer";
import type { Clock, ScheduledTask } from "../calls/clock.js";
import type { Failure } from "../client/errors.js";
import type { TopicFeed, TopicStreamListener } from "../topics/topic-link.js";
import type { FakeTopic } from "./fake-topic.js";
import { field } from "./message.js";

const heartbeat = field(3);
// TOP-1: interval between heartbeats.
const heartbeatMs = 1_000;
// TOP-4: limits of the messages that are published while the subscriber does not read.
const maxUnread = 256;
const maxUnreadBytes = 4 << 20;

/** The stream of one subscriber to a topic. */
export class FakeTopicStream implements TopicFeed {
  #topic: FakeTopic | null = null;
  #next = 0n;
  #over = false;
  // `#still`: whether the listener is paused. `#unread` and `#unreadBytes`: the number and the total size of the
  // messages that were published during the pause.
  #still = false;
  #unread = 0;
  #unreadBytes = 0;
  #silence: ScheduledTask | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly listener: TopicStreamListener,
  ) {}

  /** Starts a subscription. Throws if the topic already has the maximum number of subscribers. */
  follow(topic: FakeTopic, asked: { readonly resumeAt: bigint; readonly page: bigint; readonly now: boolean }): void {
    if (this.#over) return;
    const begun = asked.now ? { next: topic.newest + 1n, gap: null } : topic.start(asked.resumeAt, asked.page);
    topic.join(this);
    this.#topic = topic;
    this.#next = begun.next;
    this.listener.opened(`${topic.page}-${begun.next}`);
    this.#send(heartbeat);
    if (begun.gap !== null) this.#send(begun.gap);
    this.#pump();
  }

  /** Called when a message was published. `bytes` is the size of its content. */
  published(bytes: number): void {
    if (!this.#still) {
      this.#pump();
      return;
    }
    this.#unread++;
    this.#unreadBytes += bytes;
  }

  resume(): void {
    if (this.#over || !this.#still) return;
    const topic = this.#topic!;
    this.#still = false;
    const late = this.#unread > maxUnread || this.#unreadBytes > maxUnreadBytes;
    this.#unread = 0;
    this.#unreadBytes = 0;
    if (late) {
      const gap = topic.gap(this.#next, topic.newest);
      this.#next = topic.newest;
      this.#send(gap);
    }
    this.#pump();
  }

  cancel(): Promise<void> {
    this.#leave();
    return Promise.resolve();
  }

  /** Ends the stream with a failure, as a server does. */
  fail(failure: Failure): void {
    if (this.#over) return;
    this.#leave();
    this.listener.ended(failure);
  }

  #leave(): void {
    this.#over = true;
    this.#silence?.cancel();
    this.#topic?.leave(this);
  }

  #pump(): void {
    while (!this.#over && !this.#still) {
      const message = this.#topic!.message(this.#next);
      if (message === undefined) return;
      this.#next++;
      this.#send(message);
    }
  }

  #send(message: Buffer): void {
    if (this.#over) return;
    this.#silence?.cancel();
    this.#still = !this.listener.message(message);
    if (!this.#over && !this.#still) this.#silence = this.clock.schedule(() => this.#send(heartbeat), heartbeatMs);
  }
}
