import type { AbortWatch, AbortWatches } from "../calls/abort-watches.js";
import { EventBuffer } from "./event-buffer.js";
import { TopicError, type TopicEvent } from "./topic-events.js";
import { type SubscriptionGiven, TopicFollower, type TopicFollowerParts, type TopicSink } from "./topic-follower.js";

/** Who is told what a subscription goes through. */
export interface SubscriptionOwner {
  event(event: TopicEvent): void;
  live(isFirst: boolean): void;
  lost(why: string): void;
  ended(subscription: TopicSubscription, why: string | null): void;
}

/**
 * What a topic tells, from the moment that `subscribe` was called: for one reader, in a `for await`. Leaving the loop,
 * `close()` and the signal end it, and free its stream at once; until one of them does, or an `error` event comes, it
 * stays connected, and connects again whenever it is not. Events that nobody reads wait, at most 256 or 4 MiB; then the
 * client reads no more of the server, which may then drop messages, and says so by a `discontinuity`.
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
   * Throws the signal's reason if it is aborted; nothing is started then.
   * @internal
   */
  constructor(
    parts: TopicFollowerParts,
    given: SubscriptionGiven,
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

  /** Whether nothing comes any more but what waits to be read. */
  get ended(): boolean {
    return this.#ended;
  }

  /**
   * Resolves to true once the server follows the topic for it: what is published from then on comes, with `from: "now"`
   * as well. To false where it ends before that. Never rejects.
   */
  established(): Promise<boolean> {
    return this.#established;
  }

  /** The events, in order, for one reader. They end; they never throw. */
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

  /** Ends it at once: events that were not read are thrown away. Resolves once the server has been told. */
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
    this.#watch?.leave(this);
    this.#buffer.end();
    this.#owner.ended(this, why);
  }
}
