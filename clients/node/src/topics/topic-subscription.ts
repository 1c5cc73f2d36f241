import type { AbortWatch, AbortWatches } from "../calls/abort-watches.js";
import { EventBuffer } from "./event-buffer.js";
import { TopicError, type TopicEvent } from "./topic-events.js";
import {
  type SubscriptionParameters,
  TopicFollower,
  type TopicFollowerParts,
  type TopicSink,
} from "./topic-follower.js";

/** Receives the events and the state changes of a subscription. */
export interface SubscriptionOwner {
  event(event: TopicEvent): void;
  live(isFirst: boolean): void;
  lost(why: string): void;
  ended(subscription: TopicSubscription, why: string | null): void;
}

/**
 * The events of a topic for one reader, to be read with `for await`. If the caller leaves the loop or calls `close()`,
 * or if the signal aborts, the subscription ends and its stream is closed immediately. Otherwise the subscription
 * reconnects whenever the connection is lost, until an `error` event. Unread events are buffered, at most 256 events or
 * 4 MiB. When the buffer is full, the client stops reading, and the server may drop messages. A `discontinuity` event
 * reports dropped messages.
 */
export class TopicSubscription implements AsyncIterable<TopicEvent>, AsyncDisposable {
  readonly #buffer = new EventBuffer<TopicEvent>(() => this.#follower?.resume());
  readonly #owner: SubscriptionOwner;
  readonly #established: Promise<boolean>;
  #settle!: (established: boolean) => void;
  #follower: TopicFollower | null = null;
  #ended = false;
  #watch: AbortWatch<TopicSubscription> | null = null;

  /**
   * Starts the subscription. If the signal is already aborted, nothing is started, and the subscription has ended.
   * @internal
   */
  constructor(
    parts: TopicFollowerParts,
    given: SubscriptionParameters,
    aborts: AbortWatches<TopicSubscription>,
    owner: SubscriptionOwner,
  ) {
    this.#owner = owner;
    this.#established = new Promise((resolve) => {
      this.#settle = resolve;
    });
    const { refusal, signal } = given.options;
    if (refusal !== null) this.#buffer.push(new TopicError(refusal.error), 0);
    if (refusal !== null || signal?.aborted === true) {
      this.#end(refusal?.error.message ?? null);
      return;
    }
    if (signal !== undefined) this.#watch = aborts.add(signal, this);
    this.#follower = new TopicFollower(parts, given, this.#sink());
    this.#follower.connect();
  }

  /** Whether the subscription has ended. There may still be unread events. */
  get ended(): boolean {
    return this.#ended;
  }

  /**
   * Resolves to true when the server has accepted the subscription. Later messages will then be received, even with
   * `from: "now"`. Resolves to false if the subscription ends before that. Never rejects.
   */
  established(): Promise<boolean> {
    return this.#established;
  }

  /**
   * Iterates over the events in order, for one reader. The iteration ends when the subscription ends, and never throws.
   */
  [Symbol.asyncIterator](): AsyncIterator<TopicEvent, undefined> {
    const left = async () => {
      await this.close();
      return { done: true as const, value: undefined };
    };
    return {
      next: () => this.#buffer.next(),
      return: left,
      throw: async (error: unknown) => {
        await this.close();
        throw error;
      },
    };
  }

  /** Ends the subscription and discards unread events. Resolves when the server has been notified. */
  async close(): Promise<void> {
    this.#buffer.discard();
    await this.#follower?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #sink(): TopicSink {
    const buffer = this.#buffer;
    const owner = this.#owner;
    return {
      get isFull() {
        return buffer.isFull;
      },
      event: (event, sizeBytes) => {
        buffer.push(event, sizeBytes);
        owner.event(event);
      },
      live: (isFirst) => {
        this.#settle(true);
        owner.live(isFirst);
      },
      lost: (why) => owner.lost(why),
      ended: (why) => this.#end(why),
    };
  }

  #end(why: string | null): void {
    this.#ended = true;
    this.#settle(false);
    this.#watch?.remove(this);
    this.#buffer.end();
    this.#owner.ended(this, why);
  }
}
