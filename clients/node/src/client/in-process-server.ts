import type { Clock } from "../calls/clock.js";
import type { TopicLinks } from "../topics/topic-link.js";
import type { Transport } from "../transport/transport.js";

/** A server in the same process. Its clients use no network. */
export interface InProcessServer {
  /** The clock of the server's clients, for deadlines, waits and silence detection. */
  readonly clock: Clock;
  /** Returns a transport for a new client. */
  transport(): Transport;
  /** Returns the connections for the topic subscriptions of a new client. */
  topics(): TopicLinks;
}
