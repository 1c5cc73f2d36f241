import { Buffer } from "node:buffer";
import type { Clock } from "../calls/clock.js";
import { type Failure, Status } from "../client/errors.js";
import { CallRejection, failureOf, notFound } from "./call-rejection.js";
import { FakeCache } from "./fake-cache.js";
import type { FakeLimits } from "./fake-limits.js";
import { maxItemKiB } from "./limits.js";
import { field, numberField } from "./message.js";

// Maximum size of a topic's messages in KiB, as `ListCaches` reports it.
const maxMessageKiB = 1_024;

/** The caches of a fake server, by name. */
export class FakeCaches {
  readonly #caches = new Map<string, FakeCache>();

  constructor(
    private readonly clock: Clock,
    private readonly limits: FakeLimits,
  ) {}

  /** Returns a cache. Throws if the cache does not exist (CTRL-10). */
  named(name: string): FakeCache {
    const cache = this.#caches.get(name);
    if (cache === undefined) throw notFound(name);
    return cache;
  }

  create(name: string): void {
    if (this.#caches.has(name)) throw new CallRejection(Status.alreadyExists, `cache '${name}' already exists`);
    this.#caches.set(name, new FakeCache(this.clock, this.limits));
  }

  delete(name: string): void {
    const { topics } = this.named(name);
    this.#caches.delete(name);
    topics.end(failureOf(notFound(name)));
  }

  /** Ends every subscription to the topics of all caches with this failure. */
  endSubscriptions(failure: Failure): void {
    for (const { topics } of this.#caches.values()) topics.end(failure);
  }

  /** Returns the `ListCaches` response. */
  list(): Buffer {
    const { maxTtlMs, maxTopicSubscribers } = this.limits;
    const items = field(2, numberField(3, maxItemKiB), numberField(4, Math.floor(maxTtlMs / 1_000)));
    const topics = field(3, numberField(2, maxTopicSubscribers), numberField(3, maxMessageKiB));
    return Buffer.concat([...this.#caches.keys()].map((name) => field(1, field(1, name), items, topics)));
  }
}
