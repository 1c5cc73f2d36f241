import type { Buffer } from "node:buffer";
import type { Clock, ScheduledTask } from "../calls/clock.js";
import { CacheError, codeOfStatus, type Failure, Status } from "../client/errors.js";
import type { Configuration } from "../configuration/configuration.js";
import { type TokenFailure, type TokenSource, tokenHint } from "../configuration/token-source.js";
import { ProtoReader } from "../operations/proto-reader.js";
import type { CheckedSubscription } from "./subscribe-options.js";
import { type SubscribeStart, SubscriptionState } from "./subscription-state.js";
import { TopicDiscontinuity, TopicError, type TopicEvent, TopicHeartbeat, TopicItem } from "./topic-events.js";
import type { TopicFeed, TopicLink, TopicLinks, TopicServer } from "./topic-link.js";
import { readTopicMessage, subscribeRequest, type TopicMessage } from "./topic-messages.js";

/** The objects that a follower depends on. All followers of a client share them. */
export interface TopicFollowerParts {
  readonly channels: TopicLinks;
  readonly configuration: Configuration;
  /** Returns the metadata for opening a stream on a server. */
  readonly headersFor: (server: TopicServer) => Readonly<Record<string, string>>;
  readonly tokens: TokenSource | null;
  readonly clock: Clock;
  readonly random: () => number;
}

/** The parameters of a subscription. */
export interface SubscriptionParameters {
  readonly cacheName: string;
  readonly topic: string;
  readonly options: CheckedSubscription;
}

/** Receives the events of a follower. */
export interface TopicSink {
  /** Whether the sink is full and accepts no events now. */
  readonly isFull: boolean;
  /**
   * Receives an event.
   * @param sizeBytes - The size of the event's contents in bytes.
   */
  event(event: TopicEvent, sizeBytes: number): void;
  /** Called when a stream is live. `isFirst` is false if an earlier stream was lost. */
  live(isFirst: boolean): void;
  lost(why: string): void;
  /**
   * Called when no more events follow. `why` is the error message of the last event. It is null if the caller closed
   * the subscription.
   */
  ended(why: string | null): void;
}

// The overhead of an event in bytes, in addition to its value: an object and two 64-bit numbers.
const eventBytes = 128;
// If a timer runs this late, the process itself was stalled.
const lateMs = 250;
// The limit is the same as for calls (AUTH-31). More rejections mean that the server misbehaves.
const maxTokenRetries = 4;
const heartbeat = new TopicHeartbeat();

/** Follows a topic with one stream at a time, as `SubscriptionState` decides, and converts messages to events. */
export class TopicFollower {
  readonly #state: SubscriptionState;
  readonly #startedAtMs: number;
  #stream: TopicFeed | null = null;
  #connection: TopicLink | null = null;
  #streams = 0;
  // Increases when the current stream, or the current wait for a token, becomes obsolete.
  #turn = 0;
  #renewals = 0;
  // The version of the provider's token with which the stream was opened.
  #tokenVersion = 0;
  // The server of the last stream.
  #server: string | null = null;
  // `#watch` detects a silent stream, and runs while a stream is open and being read. `#wait` runs until the next
  // stream is opened.
  #watch: ScheduledTask | null = null;
  #wait: ScheduledTask | null = null;

  constructor(
    private readonly parts: TopicFollowerParts,
    private readonly given: SubscriptionParameters,
    private readonly sink: TopicSink,
  ) {
    this.#state = new SubscriptionState(given.options.start, parts.configuration);
    this.#startedAtMs = parts.clock.now();
  }

  /** Opens the first stream, or the next stream after a failure. */
  connect(): void {
    const asked = this.#state.connect(this.parts.clock.now());
    if (asked === null) return;
    const turn = this.#turn;
    this.#watchStream();
    const { tokens } = this.parts;
    if (tokens === null || tokens.version > 0) {
      this.#open(asked);
      return;
    }
    void tokens.newerThan(0).then((answer) => {
      if (turn !== this.#turn) return;
      if (answer.newer) this.#open(asked);
      else this.#failed(noToken(null, answer.failure));
    });
  }

  /** Continues reading the stream. Called when the sink accepts events again. */
  resume(): void {
    if (this.#stream === null || this.#watch !== null) return;
    this.#state.resumed(this.parts.clock.now());
    this.#watchStream();
    this.#stream.resume();
  }

  /** Ends the subscription without further events. Resolves when the server has been notified. */
  async close(): Promise<void> {
    if (this.#state.phase === "ended") return;
    this.#state.closed();
    const left = this.#leave();
    this.sink.ended(null);
    await left;
  }

  #open(asked: SubscribeStart): void {
    const { channels, headersFor, tokens } = this.parts;
    const connection = channels.choose(this.#server);
    if (typeof connection === "string") {
      this.#failed({ status: Status.unavailable, message: connection, notExecuted: true });
      return;
    }
    const token = tokens?.token;
    const headers = {
      ...(token === undefined ? {} : { authorization: token }),
      ...headersFor(connection.credentials),
      ...(asked.now ? { "topic-from": "now" } : {}),
    };
    this.#tokenVersion = tokens?.version ?? 0;
    this.#server = String(connection.credentials);
    this.#connection = connection;
    try {
      this.#streams++;
      const request = subscribeRequest(this.given.cacheName, this.given.topic, asked);
      this.#stream = connection.open(headers, request, {
        opened: (position) => this.#state.opened(position),
        message: (bytes) => this.#received(bytes),
        ended: (failure) => this.#ended(failure),
      });
    } catch (error) {
      connection.retire();
      this.#failed({ status: Status.unavailable, message: (error as Error).message, notExecuted: true });
    }
  }

  #received(bytes: Buffer): boolean {
    const message = readTopicMessage(new ProtoReader(bytes));
    const { phase, begun } = this.#state;
    this.#handle(message, bytes.length);
    // The caller may have closed the subscription while the event was handled.
    if (this.#state.phase !== "live") return false;
    if (phase === "connecting") {
      this.#renewals = 0;
      this.#unwatch();
      this.sink.live(!begun);
    }
    if (this.sink.isFull) this.#unwatch();
    else this.#watchStream();
    return !this.sink.isFull;
  }

  #handle(message: TopicMessage, lengthBytes: number): void {
    const now = this.parts.clock.now();
    if (message.kind === "heartbeat" || message.kind === "unknown") {
      // A message of an unknown kind, from a newer server, also shows that the stream works.
      const isTold = this.#state.heartbeat(now) && message.kind === "heartbeat" && this.given.options.heartbeats;
      if (isTold) this.sink.event(heartbeat, eventBytes);
      return;
    }
    if (message.kind === "discontinuity") {
      const gap = this.#state.discontinuity(message.last, message.newest, message.page, now);
      if (gap !== null) this.sink.event(gap, eventBytes);
      return;
    }
    const { value, number, page, publisherId } = message;
    const verdict = this.#state.item(number, page, now);
    if (verdict === "dropped") return;
    if (verdict instanceof TopicDiscontinuity) this.sink.event(verdict, eventBytes);
    this.sink.event(new TopicItem(value, number, page, publisherId), eventBytes + lengthBytes);
  }

  #ended(failure: Failure): void {
    const tokenVersion = this.#tokenVersion;
    const { tokens } = this.parts;
    void this.#leave();
    if (
      failure.status !== Status.unauthenticated ||
      tokens === null ||
      !this.#canRetryWithNewToken(tokens, tokenVersion)
    ) {
      this.#failed(failure);
      return;
    }
    const turn = this.#turn;
    this.#watchStream();
    void tokens.newerThan(tokenVersion).then((answer) => {
      if (turn !== this.#turn) return;
      if (!answer.newer) {
        this.#failed(noToken(failure, answer.failure));
        return;
      }
      this.#renewals++;
      this.#unwatch();
      this.#state.renewed();
      this.connect();
    });
  }

  #canRetryWithNewToken({ version }: TokenSource, tokenVersion: number): boolean {
    return this.#renewals === 0 || (this.#renewals < maxTokenRetries && tokenVersion < version);
  }

  #failed(failure: Failure): void {
    const { clock, random } = this.parts;
    void this.#leave();
    const wasLive = this.#state.phase === "live";
    const verdict = this.#state.failed(failure.status, clock.now(), random);
    if (verdict === null) return;
    if ("waitMs" in verdict) {
      this.#wait = clock.schedule(() => {
        this.#wait = null;
        this.connect();
      }, verdict.waitMs);
      if (wasLive) this.sink.lost(failure.message);
      return;
    }
    const error = this.#error(verdict.endsWith, failure);
    this.sink.event(new TopicError(error), eventBytes);
    this.sink.ended(error.message);
  }

  #error(status: number, { message, cause }: Failure): CacheError {
    const code = codeOfStatus(status);
    const hint = code === "Unauthenticated" ? tokenHint(this.parts.tokens) : "";
    const facts = [
      `${(this.parts.clock.now() - this.#startedAtMs).toFixed(1)} ms elapsed`,
      `${this.#streams} attempt${this.#streams === 1 ? "" : "s"}`,
      ...(this.#server === null ? [] : [`the last to ${this.#server}`]),
    ];
    return new CacheError(code, `subscribe failed: ${message}${hint} (${facts.join(", ")})`, cause);
  }

  // Cancels the current stream and the wait for the next stream. Later events of the stream, and a token that arrives
  // later, are ignored.
  #leave(): Promise<void> | undefined {
    this.#turn++;
    this.#unwatch();
    this.#wait?.cancel();
    this.#wait = null;
    const left = this.#stream?.cancel();
    this.#stream = null;
    this.#connection = null;
    return left;
  }

  #watchStream(): void {
    const { clock } = this.parts;
    const lostAtMs = this.#state.lostAtMs;
    if (this.#watch !== null || lostAtMs === null) return;
    this.#watch = clock.schedule(() => {
      this.#watch = null;
      const now = clock.now();
      // The process itself was stalled. Messages that arrived during that time have not been read yet.
      if (now - lostAtMs > lateMs) this.#state.resumed(now);
      const status = this.#state.lost(now);
      if (status === null) {
        this.#watchStream();
        return;
      }
      // Retire the connection, because the next stream must not use it.
      this.#connection?.retire();
      this.#failed({ status, message: this.#whySilent(status), notExecuted: false });
    }, lostAtMs - clock.now());
  }

  #whySilent(status: number): string {
    if (this.#stream === null) return "the token provider did not return in time";
    if (status === Status.unavailable) return "the server sent nothing for too long";
    return "the server did not respond within the request timeout";
  }

  #unwatch(): void {
    this.#watch?.cancel();
    this.#watch = null;
  }
}

function noToken(refused: Failure | null, failure: TokenFailure | null): Failure {
  const reasons = [refused?.message, failure?.message].filter((reason) => reason !== undefined);
  const cause = failure?.cause ?? refused?.cause;
  return { status: Status.unauthenticated, message: reasons.join("; "), cause, notExecuted: true };
}
