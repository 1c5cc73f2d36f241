import type { Buffer } from "node:buffer";
import type { Failure } from "../client/errors.js";

/** Who is told what happens on a stream. `ended` comes once, last. */
export interface TopicStreamListener {
  /** The server has accepted it. `position`: where it begins, as the server says. */
  opened(position: string | null): void;
  /** A message, a view; answers whether another may come. Throws on bytes that are none. */
  message(bytes: Buffer): boolean;
  /** It has ended, with OK as well. What came before has been told. */
  ended(failure: Failure): void;
}

/** A stream of a subscription, as its follower sees it. Once its listener wants no more it is not read. */
export interface TopicFeed {
  /** The listener wants messages again. */
  resume(): void;
  /** Nothing is wanted any more, and nothing is told. Resolves once the server is on its way to know, before whatever is asked for then. */
  cancel(): Promise<void>;
}

/** The server that a link goes to; its text is its address. */
export interface TopicServer {
  /** Returns the token for a new stream. */
  token(): string | undefined;
  toString(): string;
}

/** Where streams of subscriptions are opened. */
export interface TopicLink {
  readonly credentials: TopicServer;
  /** Opens a stream. `request`: its one message, framed. Throws where the link has ended meanwhile. */
  open(headers: Readonly<Record<string, string>>, request: Buffer, listener: TopicStreamListener): TopicFeed;
  /** It gets no more streams. */
  retire(): void;
}

/** The links of a client's subscriptions. */
export interface TopicLinks {
  /** Connections that are open. */
  readonly connections: number;
  /** A link with room for a stream, to another server than the one of `before` where there is one; or why there is none. */
  choose(before: string | null): TopicLink | string;
  close(): void;
}
