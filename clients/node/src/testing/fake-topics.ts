import type { Clock } from "../calls/clock.js";
import type { Failure } from "../client/errors.js";
import { invalid, tooLarge } from "./call-rejection.js";
import type { FakeLimits } from "./fake-limits.js";
import { FakeTopic } from "./fake-topic.js";

// TOP-6: a topic that is idle for this time is removed.
const idleMs = 600_000;
// TOP-7: maximum length of a topic's name.
const maxNameCharacters = 1_024;

/** The topics of one cache. */
export class FakeTopics {
  readonly #topics = new Map<string, FakeTopic>();
  #lastPage = 0;

  constructor(
    private readonly clock: Clock,
    private readonly limits: FakeLimits,
  ) {}

  /**
   * Returns a topic. If it does not exist, creates it. Throws if the cache already has the maximum number of topics
   * (TOP-12).
   */
  named(name: string): FakeTopic {
    if (name.length > maxNameCharacters)
      throw invalid(`the topic name must have at most ${maxNameCharacters} characters`);
    const now = this.clock.now();
    for (const [each, topic] of this.#topics) if (topic.idleSince(now) >= idleMs) this.#topics.delete(each);
    const there = this.#topics.get(name);
    if (there !== undefined) return there;
    if (this.#topics.size >= this.limits.maxTopics)
      throw tooLarge(
        `the cache already has the maximum of ${this.limits.maxTopics} topics`,
        "topic_subscriptions_limit_exceeded",
      );
    // Each topic must get a different page number, even if two topics are created in the same millisecond (TOP-2).
    this.#lastPage = Math.max(this.#lastPage + 1, Date.now());
    const topic = new FakeTopic(this.clock, BigInt(this.#lastPage), this.limits.maxTopicSubscribers);
    this.#topics.set(name, topic);
    return topic;
  }

  /** Ends every subscription to the topics of this cache with this failure. */
  end(failure: Failure): void {
    for (const topic of this.#topics.values()) topic.end(failure);
  }
}
