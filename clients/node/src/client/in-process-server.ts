import type { Clock } from "../calls/clock.js";
import type { TopicLinks } from "../topics/topic-link.js";
import type { Transport } from "../transport/transport.js";

/** A server within the process: how a client reaches it without a network. */
export interface InProcessServer {
  /** The time by which its clients decide: deadlines, waits, silences. */
  readonly clock: Clock;
  /** Another client's way to make calls. */
  transport(): Transport;
  /** Another client's way to follow topics. */
  topics(): TopicLinks;
}
