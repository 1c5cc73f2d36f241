import { Buffer } from "node:buffer";
import { inspect } from "node:util";
import type { CacheError } from "../client/errors.js";

/** A message of the topic. */
export class TopicItem {
  readonly type = "item";

  constructor(
    /** The published text as a string, or the published bytes as a `Buffer` that belongs to the caller. */
    readonly value: string | Buffer,
    /** Number of the message: 1, 2, 3 … within its page. A 64-bit number. */
    readonly number: bigint,
    /** Page of the number. A topic that restarts gets another page and counts from 1. */
    readonly page: bigint,
    /** Id of the publisher's token; empty if it has none. */
    readonly publisherId: string,
  ) {}

  /** Returns the event for `JSON.stringify`, with numbers as text and bytes in base64. */
  toJSON(): object {
    const { value, number, page, publisherId } = this;
    const told = typeof value === "string" ? { value } : { valueBase64: Buffer.from(value).toString("base64") };
    return { type: this.type, ...told, number: `${number}`, page: `${page}`, publisherId };
  }
}

/** A gap: messages are no longer stored, the reader was too slow, or the topic restarted. */
export class TopicDiscontinuity {
  readonly type = "discontinuity";

  constructor(
    /** Number of the last message before the gap. */
    readonly last: bigint,
    /** Number of the next message. */
    readonly next: bigint,
    /** Page of the next message. */
    readonly page: bigint,
  ) {}

  /** Returns the event for `JSON.stringify`, with numbers as text. */
  toJSON(): object {
    return { type: this.type, last: `${this.last}`, next: `${this.next}`, page: `${this.page}` };
  }
}

/** The server is reachable, but nothing was published for a while. Only with the option `heartbeats`. */
export class TopicHeartbeat {
  readonly type = "heartbeat";
}

/** The error that ended the subscription. It is the last event. */
export class TopicError {
  readonly type = "error";
  constructor(readonly error: CacheError) {}

  /** Returns code and message for `console.log`, without the stack, which is internal to the client. */
  [inspect.custom](): string {
    return `TopicError { ${this.error.code}: ${this.error.message} }`;
  }
}

/** An event of a subscription, distinguished by `type`. */
export type TopicEvent = TopicItem | TopicDiscontinuity | TopicHeartbeat | TopicError;
