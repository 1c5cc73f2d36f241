import type { Call } from "../calls/call.js";
import { type Clock, type ScheduledTask, scheduleInBackground } from "../calls/clock.js";
import { FreezeDetector } from "../calls/freeze-detector.js";
import { Outage } from "../calls/outage.js";
import { silenceMessage } from "../calls/silence-detector.js";
import { microtask } from "../calls/system-timers.js";
import { encodingFailure, type Failure, Status } from "../client/errors.js";
import type { Configuration } from "../configuration/configuration.js";
import type { CredentialProvider } from "../configuration/credential-provider.js";
import type { TokenSource } from "../configuration/token-source.js";
import type { Http2Connection } from "../http2/http2-connection.js";
import { ProtoWriter } from "../operations/proto-writer.js";
import type { GuardedHooks } from "../telemetry/guarded-hooks.js";
import { ChannelPool, maxStreamsPerChannel, type PooledChannel } from "./channel-pool.js";
import { MetadataCache } from "./metadata-cache.js";
import { unreadable } from "./pipeline-session.js";
import type { GatewayTransport } from "./transport.js";
import { UnaryAttempt } from "./unary-attempt.js";
import { UnaryChannel } from "./unary-channel.js";

/** The objects that a unary transport depends on. */
export interface UnaryParts {
  readonly credentials: CredentialProvider;
  readonly configuration: Configuration;
  /** The headers of every call: the client's own headers and the configured headers. */
  readonly headers: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly hooks: GuardedHooks;
  /** Supplies the tokens of the token provider. Null if the headers contain the token, or if there is no token. */
  readonly tokens?: TokenSource | null;
  /**
   * Whether calls wait for an attempt to connect. Set it to false if another server can take the calls.
   * @defaultValue true
   */
  readonly waitsForConnection?: boolean;
  /**
   * Returns random numbers for the delays before reconnecting.
   * @defaultValue `Math.random`
   */
  readonly random?: () => number;
  /**
   * Returns the time in milliseconds of a clock that continues while the machine sleeps.
   * @defaultValue `clock`
   */
  readonly wall?: () => number;
}

// How long calls wait for the current attempt to connect if the grace period has passed. A refusal arrives within a
// millisecond, but without a response the attempt may take much longer.
const attemptWaitMs = 250;
// Size of the header of a gRPC message: the flag and the length.
const messageHeaderBytes = 5;
const keptBufferBytes = 1 << 16;

/** Sends each call as a separate gRPC call, over a pool of channels. */
export class UnaryTransport implements GatewayTransport {
  readonly #pool: ChannelPool<UnaryChannel<UnaryAttempt>>;
  readonly #metadata: MetadataCache;
  // Calls that wait because every channel has 100 streams. Their number is bounded by the cap.
  readonly #waiting = new Set<Call>();
  readonly #writer = new ProtoWriter(1_024);
  readonly #outage: Outage;
  readonly #freezes: FreezeDetector;
  // Runs if the grace period has passed and calls wait for the current attempt to connect. When the timer has run,
  // `#isAttemptLate` becomes true, and calls no longer wait for the attempt.
  #attemptTimer: ScheduledTask | null = null;
  #isAttemptLate = false;
  #closed = false;
  // Functions that are called with the reason if the client stops trying to connect.
  readonly #connectWaiters = new Set<(why: string) => void>();

  constructor(private readonly parts: UnaryParts) {
    const { configuration, clock, credentials, hooks, random = Math.random } = parts;
    this.#outage = new Outage(clock);
    this.#freezes = new FreezeDetector(clock, parts.wall);
    this.#metadata = new MetadataCache(parts.headers, parts.tokens ?? null);
    const cap = configuration.maxInFlightUnary;
    const needed = cap === "off" ? 1 : Math.ceil(cap / maxStreamsPerChannel);
    const channelParts = {
      credentials,
      configuration,
      clock,
      random,
      start: (attempt: UnaryAttempt, connection: Http2Connection) => this.#start(attempt, connection),
      unsendable: (attempt: UnaryAttempt, error: unknown) => this.#unsent(attempt, encodingFailure(error)),
      connected: () => this.#connected(),
      unconnected: (why: string, retryMs: number, lasting: boolean) => this.#unconnected(why, retryMs, lasting),
    };
    this.#pool = new ChannelPool(
      Math.max(configuration.channels, needed),
      () => new UnaryChannel<UnaryAttempt>(channelParts),
      clock,
      () =>
        hooks.connectionChanged({
          kind: "setAside",
          message: "a connection stopped responding; replacing it",
          endpoint: credentials.endpoint,
        }),
    );
  }

  get connections(): number {
    return this.#pool.channels.filter(({ channel }) => channel.ready).length;
  }

  get ready(): boolean {
    return this.#pool.channels.some(({ channel }) => channel.ready);
  }

  get inFlight(): number {
    return this.#pool.channels.reduce((sum, { inFlight }) => sum + inFlight, this.#waiting.size);
  }

  get isNear(): boolean {
    return false;
  }

  get streamRefusal(): Failure | null {
    return null;
  }

  get pipelined(): boolean {
    return false;
  }

  get refusal(): string | null {
    return this.#outage.isActive ? this.#outage.reason : null;
  }

  describe(): string {
    const { reason } = this.#outage;
    const after = reason === "" ? "" : ` after: ${reason}`;
    const security = this.parts.credentials.tls ? "TLS" : "plaintext";
    return `${this.connections} of ${this.#pool.channels.length} ${security} channels ready${after}`;
  }

  send(call: Call): void {
    if (this.#outage.failsFast || this.#isAttemptLate) {
      call.handle = this;
      this.#waiting.add(call);
      microtask(() => this.#refuse(call));
      return;
    }
    if (this.#freezes.noticed(call.startedAt)) for (const { channel } of this.#pool.channels) channel.retire();
    const pooled = this.#pool.acquire();
    if (pooled === null) {
      this.#waiting.add(call);
      call.handle = this;
    } else this.#sendOn(pooled, call);
  }

  abandon(call: Call): void {
    if (call.handle === this) {
      this.#waiting.delete(call);
      return;
    }
    const attempt = call.handle as UnaryAttempt | null;
    call.handle = null;
    if (attempt === null) return;
    const { pooled, connection } = attempt;
    // A cancelled call does not show whether the channel works. A call that was sent and timed out shows that the
    // channel may have stalled.
    const isLate = connection !== null && this.parts.clock.now() >= call.deadlineAt;
    if (isLate) this.#deadlinePassed(connection, call.deadlineAt);
    pooled.channel.cancel(attempt);
    // If the connection was just replaced, the timeout does not show whether the channel works either.
    if (isLate && connection.isOpen) this.#pool.release(pooled, false);
    else this.#pool.leave(pooled);
    this.#sendNext();
  }

  // Checks a connection after the deadline of a call has passed. If the connection has received nothing, replaces it,
  // because the network may have dropped it silently.
  #deadlinePassed(connection: Http2Connection, deadlineAt: number): void {
    const { clock, configuration, hooks, credentials } = this.parts;
    const { keepaliveTimeoutMs } = configuration;
    connection.silence.deadlinePassed(deadlineAt, clock, keepaliveTimeoutMs, () => {
      if (!connection.isOpen) return;
      connection.retire();
      const message = silenceMessage(keepaliveTimeoutMs);
      hooks.connectionChanged({ kind: "setAside", message, endpoint: credentials.endpoint });
    });
  }

  async connect(timeoutMs: number): Promise<void> {
    this.#freezes.start();
    await Promise.all(this.#pool.channels.map(({ channel }) => this.#readyIn(channel, timeoutMs)));
  }

  #readyIn(channel: UnaryChannel<UnaryAttempt>, timeoutMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (why: string) => {
        timeout.cancel();
        this.#connectWaiters.delete(end);
        giveUp();
        reject(new Error(why));
      };
      const late = () => end(this.refusal ?? `no connection within ${Math.round(timeoutMs)} ms`);
      const timeout = scheduleInBackground(this.parts.clock, late, timeoutMs);
      this.#connectWaiters.add(end);
      const giveUp = channel.whenReady(() => {
        timeout.cancel();
        this.#connectWaiters.delete(end);
        resolve();
      });
    });
  }

  close(): void {
    this.#closed = true;
    this.#freezes.stop();
    this.#stopAttemptTimer();
    for (const end of this.#connectWaiters) end("the client was closed");
    for (const { channel } of this.#pool.channels) channel.close();
  }

  #refuse(call: Call): void {
    if (!this.#waiting.delete(call)) return;
    call.handle = null;
    call.owner.failed(call, this.#unreachable());
  }

  // Returns the failure of a call that was not sent, because there is no connection.
  #unreachable(): Failure {
    return { status: Status.unavailable, message: this.#outage.reason, notExecuted: true, unreachable: true };
  }

  #sendOn(pooled: PooledChannel<UnaryChannel<UnaryAttempt>>, call: Call): void {
    const attempt = new UnaryAttempt(pooled, call, this.#ended);
    call.handle = attempt;
    try {
      pooled.channel.send(attempt);
    } catch (error) {
      call.handle = null;
      this.#pool.leave(pooled);
      throw error;
    }
    if (attempt.connection === null && this.#outage.pastGrace) this.#startAttemptTimer();
  }

  #start(attempt: UnaryAttempt, connection: Http2Connection): void {
    const { operation, deadlineAt } = attempt.call;
    const writer = this.#writer;
    writer.clear(keptBufferBytes);
    const length = operation.measure();
    writer.reserve(messageHeaderBytes + length + 16);
    for (let i = 0; i < messageHeaderBytes; i++) writer.byte(0);
    operation.encode(writer);
    writer.patchUint32(1, writer.length - messageHeaderBytes);
    const metadata = this.#metadata.for(operation.cacheName);
    attempt.tokenVersion = this.parts.tokens?.version;
    attempt.connection = connection;
    const now = this.parts.clock.now();
    connection.silence.begin(now);
    const timeoutMs = Math.max(1, Math.ceil(deadlineAt - now));
    connection.start(attempt, { path: operation.kind.path, metadata, timeoutMs, message: writer.written() });
  }

  readonly #ended = (attempt: UnaryAttempt, failure: Failure | null): void => {
    const { call, pooled } = attempt;
    this.#pool.release(pooled, true);
    this.#sendNext();
    if (call.handle !== attempt) return;
    call.handle = null;
    if (failure !== null) call.owner.failed(call, { ...failure, rejectedTokenVersion: attempt.tokenVersion });
    else this.#answer(attempt);
  };

  // Fails an attempt that waited for a connection. No part of it was sent.
  #unsent(attempt: UnaryAttempt, failure: Failure): void {
    const { call, pooled } = attempt;
    this.#pool.leave(pooled);
    this.#sendNext();
    call.handle = null;
    call.owner.failed(call, failure);
  }

  #answer(attempt: UnaryAttempt): void {
    const { call } = attempt;
    let response: unknown;
    try {
      response = attempt.answer();
    } catch (error) {
      call.owner.failed(call, unreadable(error));
      return;
    }
    call.owner.answered(call, response);
  }

  // Sends one of the waiting calls. Called when a channel has a free place.
  #sendNext(): void {
    if (this.#waiting.size === 0) return;
    for (const call of this.#waiting) {
      this.#waiting.delete(call);
      call.handle = null;
      try {
        this.send(call);
        return;
      } catch (error) {
        call.owner.failed(call, encodingFailure(error));
      }
    }
  }

  #connected(): void {
    this.#stopAttemptTimer();
    if (this.#outage.isActive) this.#outage.recordSuccess();
  }

  #unconnected(why: string, retryMs: number, lasting: boolean): void {
    if (this.#closed) return;
    this.#stopAttemptTimer();
    this.#outage.recordFailure(why, retryMs, lasting);
    if (this.#outage.pastGrace || this.parts.waitsForConnection === false) this.#failUnconnected();
  }

  #startAttemptTimer(): void {
    this.#attemptTimer ??= scheduleInBackground(
      this.parts.clock,
      () => {
        this.#attemptTimer = null;
        this.#isAttemptLate = this.#pool.channels.some(({ channel }) => channel.connecting);
        this.#failUnconnected();
      },
      attemptWaitMs,
    );
  }

  #stopAttemptTimer(): void {
    this.#attemptTimer?.cancel();
    this.#attemptTimer = null;
    this.#isAttemptLate = false;
  }

  #failUnconnected(): void {
    for (const { channel } of this.#pool.channels)
      for (const attempt of channel.takeWaiting()) this.#unsent(attempt, this.#unreachable());
  }
}
