import { Buffer } from "node:buffer";
import { inspect } from "node:util";
import type { CacheError } from "../client/errors.js";

/** A message of the topic. */
export class TopicItem {
  readonly type = "item";

  constructor(
    /** The published text as a string, or the published bytes as a `Buffer` that belongs to the caller. */
    readonly value: string | Buffer,
    /** Number of the message: 1, 2, 3 … within its page. It is a 64-bit number. */
    readonly number: bigint,
    /**
     * Page of the message: the series of numbers to which its number belongs. When the server starts the topic again,
     * for example after a restart, the topic gets another page, and its numbers start at 1.
     */
    readonly page: bigint,
    /** Id of the publisher's token. Empty if the publisher has no token. */
    readonly publisherId: string,
  ) {}

  /** Returns the event for `JSON.stringify`, with numbers as text and bytes in base64. */
  toJSON(): object {
    const { value, number, page, publisherId } = this;
    const told = typeof value === "string" ? { value } : { valueBase64: Buffer.from(value).toString("base64") };
    return { type: this.type, ...told, number: `${number}`, page: `${page}`, publisherId };
  }
}

/**
 * A gap: messages are missing, because they are no longer stored, because the reader was too slow, or because the topic
 * restarted.
 */
export class TopicDiscontinuity {
  readonly type = "discontinuity";

  constructor(
    /** Number of the last message before the gap, possibly of an earlier page. 0 if the gap starts at number 1. */
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

/**
 * A sign that the server is reachable while no messages are published. Heartbeats are delivered only with the option
 * `heartbeats`.
 */
export class TopicHeartbeat {
  readonly type = "heartbeat";
}

/** The error that ended the subscription. No event follows it. */
export class TopicError {
  readonly type = "error";
  constructor(readonly error: CacheError) {}

  /** Returns the code and the message for `console.log`, without the stack, which is internal to the client. */
  [inspect.custom](): string {
    return `TopicError { ${this.error.code}: ${this.error.message} }`;
  }
}

/** An event of a subscription. The property `type` distinguishes the events. */
export type TopicEvent = TopicItem | TopicDiscontinuity | TopicHeartbeat | TopicError;
