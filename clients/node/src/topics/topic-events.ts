import { Buffer } from "node:buffer";
import { inspect } from "node:util";
import type { CacheError } from "../client/errors.js";

/** A message of the topic. */
export class TopicItem {
  readonly type = "item";

  constructor(
    /** What was published: a string where that was text, a `Buffer` of the caller's own where it was bytes. */
    readonly value: string | Buffer,
    /** Its number: 1 and one more for each message of its page. 64 bits, as `page`: both are bigints. */
    readonly number: bigint,
    /** When the topic was begun, as the server counts it; numbers of another page are of another count. */
    readonly page: bigint,
    /** The id of the token that published; empty: it has none. */
    readonly publisherId: string,
  ) {}

  /** As `JSON.stringify` writes it: numbers as text, bytes in base64. */
  toJSON(): object {
    const { value, number, page, publisherId } = this;
    const told = typeof value === "string" ? { value } : { valueBase64: Buffer.from(value).toString("base64") };
    return { type: this.type, ...told, number: `${number}`, page: `${page}`, publisherId };
  }
}

/** Messages are missing here: they are no longer kept, the reader was too slow, or the topic was begun anew. */
export class TopicDiscontinuity {
  readonly type = "discontinuity";

  constructor(
    /** The last number before the gap. */
    readonly last: bigint,
    /** The number that comes next. */
    readonly next: bigint,
    /** The page of what comes next. */
    readonly page: bigint,
  ) {}

  /** As `JSON.stringify` writes it: numbers as text. */
  toJSON(): object {
    return { type: this.type, last: `${this.last}`, next: `${this.next}`, page: `${this.page}` };
  }
}

/** The server is there, and nothing was published for a while. Told on request only. */
export class TopicHeartbeat {
  readonly type = "heartbeat";
}

/** Why the subscription has ended; nothing comes after it. */
export class TopicError {
  readonly type = "error";
  constructor(readonly error: CacheError) {}

  /** As `console.log` prints it: code and message, without the stack, which is the client's own. */
  [inspect.custom](): string {
    return `TopicError { ${this.error.code}: ${this.error.message} }`;
  }
}

/** What a subscription tells: `type` says which. */
export type TopicEvent = TopicItem | TopicDiscontinuity | TopicHeartbeat | TopicError;
