import type { Buffer } from "node:buffer";
import type { Failure } from "../client/errors.js";

/** Receives the events of a stream. `ended` is called once, as the last event. */
export interface TopicStreamListener {
  /** Called when the server has accepted the stream. `position` is the stream's start, as the server reports it. */
  opened(position: string | null): void;
  /**
   * Handles a message, which is a view of a buffer. Returns whether the listener accepts more messages now. Throws if
   * the bytes are invalid.
   */
  message(bytes: Buffer): boolean;
  /** Called when the stream has ended, possibly with the status OK. All earlier messages have been delivered. */
  ended(failure: Failure): void;
}

/** A stream of a subscription. Reading pauses while the listener accepts no messages. */
export interface TopicFeed {
  /** Continues reading the stream. Called when the listener accepts messages again. */
  resume(): void;
  /**
   * Cancels the stream. No more events follow. Resolves when it is certain that the server receives the cancellation
   * before any later request.
   */
  cancel(): Promise<void>;
}

/** The server of a link. `toString` returns its address. */
export interface TopicServer {
  /** Returns the token for a new stream. */
  token(): string | undefined;
  toString(): string;
}

/** Opens streams of subscriptions on one server. */
export interface TopicLink {
  readonly credentials: TopicServer;
  /**
   * Opens a stream. Throws if the link has ended.
   * @param request - The stream's only message, as a gRPC frame.
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
   * Returns a link that can open another stream, or the reason why there is none. Prefers a server other than `before`,
   * which is the address of the last stream's server. `before` is null for the first stream.
   */
  choose(before: string | null): TopicLink | string;
  close(): void;
}
