import type { Buffer } from "node:buffer";
import type { Failure } from "../client/errors.js";

/** Receives the events of a stream. `ended` is called once, last. */
export interface TopicStreamListener {
  /** The server has accepted the stream. `position`: its start, as reported by the server. */
  opened(position: string | null): void;
  /**
   * Handles a message (a view). Returns whether the listener accepts more messages now. Throws if the bytes are
   * invalid.
   */
  message(bytes: Buffer): boolean;
  /** The stream has ended, possibly with OK. All earlier messages have been delivered. */
  ended(failure: Failure): void;
}

/** A stream of a subscription. It is not read while its listener accepts no messages. */
export interface TopicFeed {
  /** Continues reading the stream. Called when the listener accepts messages again. */
  resume(): void;
  /** Cancels the stream; no more events follow. Resolves when the server will learn of it before any later request. */
  cancel(): Promise<void>;
}

/** The server of a link. Its string form is its address. */
export interface TopicServer {
  /** Returns the token for a new stream. */
  token(): string | undefined;
  toString(): string;
}

/** Opens streams of subscriptions on one server. */
export interface TopicLink {
  readonly credentials: TopicServer;
  /**
   * Opens a stream. Throws if the link has ended in the meantime.
   * @param request - The stream's only message, framed.
   */
  open(headers: Readonly<Record<string, string>>, request: Buffer, listener: TopicStreamListener): TopicFeed;
  /** Stops opening streams on this link. */
  retire(): void;
}

/** The links of a client's subscriptions. */
export interface TopicLinks {
  /** Number of open connections. */
  readonly connections: number;
  /**
   * Returns a link with room for a stream, if possible to another server than `before`; or the reason why there is
   * none.
   */
  choose(before: string | null): TopicLink | string;
  close(): void;
}
