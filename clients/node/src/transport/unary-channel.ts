import { backOffMs } from "../calls/back-off.js";
import { type Clock, type ScheduledTask, scheduleInBackground } from "../calls/clock.js";
import type { Failure } from "../client/errors.js";
import type { Configuration } from "../configuration/configuration.js";
import type { CredentialProvider } from "../configuration/credential-provider.js";
import { Http2Connection } from "../http2/http2-connection.js";
import type { Http2Stream } from "../http2/http2-stream.js";
import { isLasting } from "./connection-loss.js";

// RETRY-7: tries after 50, 100, 200 … ms, jittered, never more than maxBackOffMs apart. The same as the pipeline's.
const firstReconnectMs = 50;

/** An attempt of a call, as its channel sees it. */
export interface ChannelAttempt extends Http2Stream {
  /** The connection that carries it; null: it waits for one. */
  readonly connection: Http2Connection | null;
}

/** What a channel works with. */
export interface ChannelParts<Attempt extends ChannelAttempt> {
  readonly credentials: CredentialProvider;
  readonly configuration: Configuration;
  readonly clock: Clock;
  readonly random: () => number;
  /** Begins an attempt on a connection that has room. Throws what its encoding throws, and has then taken nothing. */
  readonly start: (attempt: Attempt, connection: Http2Connection) => void;
  /** An attempt that waited for its connection cannot be written. */
  readonly unsendable: (attempt: Attempt, error: unknown) => void;
  /** The server is there. */
  readonly connected: () => void;
  /** A try to connect has failed; the next is in `retryMs` at the soonest. */
  readonly unconnected: (why: string, retryMs: number, lasting: boolean) => void;
}

/** A channel of unary calls, with a connection of its own at a time. It connects when it is first used. */
export class UnaryChannel<Attempt extends ChannelAttempt> {
  #connection: Http2Connection | null = null;
  readonly #draining = new Set<Http2Connection>();
  // At most as many as the channel's streams.
  readonly #waiting = new Set<Attempt>();
  readonly #connectWaiters = new Set<() => void>();
  // Whether the connection that there is, or was, was ever open.
  #wasOpen = false;
  #failedTries = 0;
  #nextTryAt = 0;
  #retry: ScheduledTask | null = null;
  #closed = false;

  constructor(private readonly parts: ChannelParts<Attempt>) {}

  /** Whether it has a connection that takes new calls. */
  get ready(): boolean {
    return this.#connection?.isOpen === true;
  }

  /** Whether a try to connect is under way. */
  get connecting(): boolean {
    return this.#connection !== null && !this.#connection.isOpen;
  }

  /** Sends an attempt, now or once there is a connection with room. Throws what its encoding throws, and has then taken nothing. */
  send(attempt: Attempt): void {
    const connection = this.#connection;
    if (connection?.hasRoom && this.#waiting.size === 0) {
      this.parts.start(attempt, connection);
      return;
    }
    this.#waiting.add(attempt);
    this.#need();
  }

  /** The caller of an attempt gave up. */
  cancel(attempt: Attempt): void {
    if (attempt.connection === null) this.#waiting.delete(attempt);
    else attempt.connection.cancel(attempt);
  }

  /** Calls `done` once there is a connection, and tries until then, or until the function that it answers is called. */
  whenReady(done: () => void): () => void {
    if (this.ready) {
      done();
      return () => {};
    }
    this.#connectWaiters.add(done);
    this.#need();
    return () => this.#connectWaiters.delete(done);
  }

  /** The attempts that wait for a connection, which are no longer its own. */
  takeWaiting(): readonly Attempt[] {
    if (this.ready) return [];
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    return waiting;
  }

  /** Calls made from here on travel on another connection than the one that is open; those that it has may be answered on it. */
  retire(): void {
    if (this.ready) this.#connection!.retire();
  }

  close(): void {
    this.#closed = true;
    this.#retry?.cancel();
    this.#waiting.clear();
    for (const connection of [...this.#draining]) connection.close();
    this.#connection?.close();
  }

  // Somebody waits for a connection: it is being made, or will be.
  #need(): void {
    if (this.#closed || this.#connection !== null || this.#retry !== null) return;
    const { clock } = this.parts;
    const waitMs = this.#nextTryAt - clock.now();
    if (waitMs <= 0) {
      this.#connect();
      return;
    }
    this.#retry = scheduleInBackground(
      clock,
      () => {
        this.#retry = null;
        if (this.#waiting.size > 0 || this.#connectWaiters.size > 0) this.#connect();
      },
      waitMs,
    );
  }

  #connect(): void {
    const { configuration, credentials } = this.parts;
    this.#wasOpen = false;
    const connection: Http2Connection = new Http2Connection(credentials, configuration, {
      opened: () => this.#opened(),
      roomMade: () => this.#sendWaiting(),
      draining: () => this.#drained(connection),
      ended: (failure) => this.#ended(connection, failure),
    });
    this.#connection = connection;
  }

  #opened(): void {
    this.#failedTries = 0;
    this.#wasOpen = true;
    this.parts.connected();
    for (const done of this.#connectWaiters) done();
    this.#connectWaiters.clear();
    this.#sendWaiting();
  }

  #sendWaiting(): void {
    if (this.#waiting.size === 0) return;
    for (const attempt of this.#waiting) {
      const connection = this.#connection;
      if (!connection?.hasRoom) return;
      this.#waiting.delete(attempt);
      try {
        this.parts.start(attempt, connection);
      } catch (error) {
        this.parts.unsendable(attempt, error);
      }
    }
  }

  // Calls made from here on travel on another connection; those that this one has are answered on it.
  #drained(connection: Http2Connection): void {
    this.#draining.add(connection);
    if (connection !== this.#connection) return;
    this.#connection = null;
    if (this.#waiting.size > 0) this.#need();
  }

  #ended(connection: Http2Connection, failure: Failure): void {
    this.#draining.delete(connection);
    if (connection !== this.#connection) return;
    this.#connection = null;
    if (this.#closed) return;
    if (!this.#wasOpen) this.#failedTries++;
    const { clock, configuration, random, unconnected } = this.parts;
    const delayMs = backOffMs(Math.max(1, this.#failedTries), firstReconnectMs, configuration.maxBackOffMs, random);
    this.#nextTryAt = clock.now() + delayMs;
    if (!this.#wasOpen) unconnected(failure.message, delayMs, isLasting(failure.cause));
    if (this.#waiting.size > 0 || this.#connectWaiters.size > 0) this.#need();
  }
}
