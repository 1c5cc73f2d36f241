import { Buffer } from "node:buffer";
import type { Cache, SubscribeOptions, TopicEvent, TopicSubscription } from "../../src/index.js";
import { AgentFailure, type Request } from "../line-agent.js";
import { bytesFields } from "./fields.js";

type NextEvent = IteratorResult<TopicEvent, undefined>;

/** A named subscription, and its pending `next()` call. */
interface Named {
  readonly subscription: TopicSubscription;
  readonly events: AsyncIterator<TopicEvent, undefined>;
  pending: Promise<NextEvent> | null;
  ended: boolean;
}

const late = Symbol("timeout");

/** The agent's named subscriptions and their events. */
export class NamedSubscriptions {
  readonly #named = new Map<string, Named | null>();

  /** Subscribes to a topic. Returns when the subscription is established or has failed. */
  async subscribe(cache: Cache, request: Request): Promise<object> {
    const name = String(request.as);
    if (request.as === undefined || this.#named.has(name))
      throw new AgentFailure("AgentError", `the subscription name "${name}" is empty or already in use`);
    const { from, heartbeats } = request;
    const options = { resumeAt: numberOf(request.resumeAt), page: numberOf(request.page), from, heartbeats };
    this.#named.set(name, null);
    try {
      const subscription = cache.subscribe(request.topic as string, options as SubscribeOptions);
      const events = subscription[Symbol.asyncIterator]();
      if (await subscription.established()) {
        this.#named.set(name, { subscription, events, pending: null, ended: false });
        return { result: "success" };
      }
      const { value } = await events.next();
      if (value?.type === "error") return { result: "error", error: told(value).error };
      throw new AgentFailure("AgentError", "the subscription was closed");
    } finally {
      if (this.#named.get(name) === null) this.#named.delete(name);
    }
  }

  /** Returns the next events: at most `count` events, and only events that arrive before the timeout. */
  async next(request: Request): Promise<object> {
    const named = this.#of(request);
    const { count, timeoutMs = 5_000 } = request as { count?: number; timeoutMs?: number };
    if (!Number.isInteger(count)) throw new AgentFailure("AgentError", `"count" is missing`);
    const events: object[] = [];
    let timer: NodeJS.Timeout | undefined;
    const up = new Promise<typeof late>((resolve) => {
      timer = setTimeout(() => resolve(late), timeoutMs);
    });
    while (events.length < count! && !named.ended) {
      named.pending ??= named.events.next();
      const came = await Promise.race([named.pending, up]);
      if (came === late) break;
      named.pending = null;
      named.ended = came.done === true;
      events.push(came.done === true ? { event: "end" } : told(came.value));
    }
    clearTimeout(timer);
    return { result: "success", events };
  }

  async unsubscribe(request: Request): Promise<object> {
    await this.#of(request).subscription.close();
    this.#named.delete(String(request.subscription));
    return { result: "success" };
  }

  /** Removes all subscriptions from this object. They have already ended, because their client was closed. */
  clear(): void {
    this.#named.clear();
  }

  #of(request: Request): Named {
    const named = this.#named.get(String(request.subscription));
    if (named) return named;
    throw new AgentFailure("AgentError", `unknown subscription "${request.subscription}"`);
  }
}

/** Returns an event in protocol form. */
function told(event: TopicEvent): Readonly<Record<string, unknown>> {
  switch (event.type) {
    case "item": {
      const { value, number, page, publisherId } = event;
      const kind = typeof value === "string" ? "text" : "binary";
      const fields = bytesFields("value", Buffer.from(value as string));
      return {
        event: event.type,
        ...fields,
        kind,
        number: `${number}`,
        page: `${page}`,
        publisher: publisherId,
      };
    }
    case "discontinuity":
      return { event: event.type, last: `${event.last}`, next: `${event.next}`, page: `${event.page}` };
    case "heartbeat":
      return { event: event.type };
    case "error": {
      const { code, message, cause } = event.error;
      return { event: event.type, error: { code, message, cause: cause === undefined ? null : String(cause) } };
    }
  }
}

// Converts decimal digits to a bigint. Returns any other value unchanged, so that the client validates it.
function numberOf(given: unknown): bigint | undefined {
  return typeof given === "string" && /^\d+$/.test(given) ? BigInt(given) : (given as bigint | undefined);
}
