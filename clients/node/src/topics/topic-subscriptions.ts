import { AbortWatches } from "../calls/abort-watches.js";
import { CacheError } from "../client/errors.js";
import { ErrorResponse } from "../client/responses.js";
import type { GuardedHooks } from "../telemetry/guarded-hooks.js";
import type { SubscriptionChange, TopicStatistics } from "../telemetry/metrics.js";
import { checkedSubscription, type SubscribeOptions } from "./subscribe-options.js";
import type { SubscriptionParameters, TopicFollowerParts } from "./topic-follower.js";
import { TopicSubscription } from "./topic-subscription.js";

/** The objects that subscriptions depend on. */
export interface TopicSubscriptionsParts extends TopicFollowerParts {
  readonly hooks: GuardedHooks;
}

/** Maximum number of subscriptions of one client: 100 connections with 100 streams each. */
export const maxSubscriptions = 10_000;

/** The subscriptions of a client, with counters of their events. */
export class TopicSubscriptions {
  readonly #open = new Set<TopicSubscription>();
  readonly #aborts = new AbortWatches<TopicSubscription>((subscription) => void subscription.close());
  #closed = false;
  #items = 0;
  #discontinuities = 0;
  #reconnects = 0;

  constructor(private readonly parts: TopicSubscriptionsParts) {}

  /** Returns the number of abort signals that have a listener. Used by tests. */
  get signalsWatched(): number {
    return this.#aborts.size;
  }

  statistics(): TopicStatistics {
    return {
      subscriptions: this.#open.size,
      connections: this.parts.channels.connections,
      items: this.#items,
      discontinuities: this.#discontinuities,
      reconnects: this.#reconnects,
    };
  }

  /**
   * Starts a subscription.
   * @throws TypeError for an option of a wrong type or with an unknown name.
   */
  subscribe(cacheName: string, topic: string, options: SubscribeOptions): TopicSubscription {
    const checked = checkedSubscription(cacheName, topic, options);
    const given = { cacheName, topic, options: { ...checked, refusal: checked.refusal ?? this.#refusal() } };
    const subscription = new TopicSubscription(this.parts, given, this.#aborts, this.#ownerOf(given));
    if (!subscription.ended) this.#open.add(subscription);
    return subscription;
  }

  /** Ends all subscriptions and accepts no new ones. */
  close(): void {
    this.#closed = true;
    for (const subscription of [...this.#open]) void subscription.close();
    this.parts.channels.close();
  }

  #refusal(): ErrorResponse | null {
    if (this.#closed) return new ErrorResponse(new CacheError("Cancelled", "subscribe failed: the client is closed"));
    if (this.#open.size < maxSubscriptions) return null;
    const message = `subscribe failed: the client already has ${maxSubscriptions} subscriptions; close some`;
    return new ErrorResponse(new CacheError("ClientOverloaded", message));
  }

  #ownerOf({ cacheName, topic }: SubscriptionParameters) {
    const tell = (kind: SubscriptionChange["kind"], message: string) =>
      this.parts.hooks.subscriptionChanged({ kind, cacheName, topic, message });
    return {
      event: ({ type }: { readonly type: string }) => {
        if (type === "item") this.#items++;
        else if (type === "discontinuity") {
          this.#discontinuities++;
          tell("discontinuity", "the subscription missed messages");
        }
      },
      live: (isFirst: boolean) => {
        if (!isFirst) this.#reconnects++;
        tell("live", isFirst ? "the subscription is established" : "the subscription is re-established");
      },
      lost: (why: string) => tell("lost", why),
      ended: (subscription: TopicSubscription, why: string | null) => {
        this.#open.delete(subscription);
        tell("ended", why ?? "the subscription was closed");
      },
    };
  }
}
