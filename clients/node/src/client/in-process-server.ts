import type { Clock } from "../calls/clock.js";
import type { TopicLinks } from "../topics/topic-link.js";
import type { Transport } from "../transport/transport.js";

/** A server in the same process, which its clients reach without a network. */
export interface InProcessServer {
  /** The clock of its clients, for deadlines, waits and silence detection. */
  readonly clock: Clock;
  /** Returns a transport for one more client. */
  transport(): Transport;
  /** Returns the topic links for one more client. */
  topics(): TopicLinks;
}
