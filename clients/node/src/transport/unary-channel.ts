import { backOffMs } from "../calls/back-off.js";
import { type Clock, type ScheduledTask, scheduleInBackground } from "../calls/clock.js";
import type { Failure } from "../client/errors.js";
import type { Configuration } from "../configuration/configuration.js";
import type { CredentialProvider } from "../configuration/credential-provider.js";
import { Http2Connection } from "../http2/http2-connection.js";
import type { Http2Stream } from "../http2/http2-stream.js";
import { isPermanent } from "./connection-loss.js";

// RETRY-7: reconnect after 50, 100, 200 … ms with jitter, at most maxBackOffMs. The pipeline uses the same delays.
const firstReconnectMs = 50;

/** An attempt of a call on a channel. */
export interface ChannelAttempt extends Http2Stream {
  /** The connection of the attempt. Null while the attempt waits for a connection. */
  readonly connection: Http2Connection | null;
}

/** The objects that a channel depends on. */
export interface ChannelParts<Attempt extends ChannelAttempt> {
  readonly credentials: CredentialProvider;
  readonly configuration: Configuration;
  readonly clock: Clock;
  readonly random: () => number;
  /**
   * Starts an attempt on a connection that accepts another call.
   * @throws The exception of the encoder, if the request cannot be encoded. The attempt is then not started.
   */
  readonly start: (attempt: Attempt, connection: Http2Connection) => void;
  /** Called when a waiting attempt gets a connection but its request cannot be encoded. */
  readonly unsendable: (attempt: Attempt, error: unknown) => void;
  /** Called when the connection is established. */
  readonly connected: () => void;
  /** Called when an attempt to connect has failed. The next attempt starts after `retryMs` at the earliest. */
  readonly unconnected: (why: string, retryMs: number, lasting: boolean) => void;
}

/** A channel for unary calls. It has one connection at a time, and connects when it is first used. */
export class UnaryChannel<Attempt extends ChannelAttempt> {
  #connection: Http2Connection | null = null;
  readonly #draining = new Set<Http2Connection>();
  // The attempts that wait for a connection. Bounded by the maximum number of streams of a channel.
  readonly #waiting = new Set<Attempt>();
  readonly #connectWaiters = new Set<() => void>();
  // Whether the current or the last connection was ever open.
  #wasOpen = false;
  // Number of consecutive connections on which the server has not responded.
  #failedTries = 0;
  #nextTryAt = 0;
  #retry: ScheduledTask | null = null;
  #closed = false;

  constructor(private readonly parts: ChannelParts<Attempt>) {}

  /** Returns whether the channel has a connection that accepts new calls. */
  get ready(): boolean {
    return this.#connection?.isOpen === true;
  }

  /** Returns whether an attempt to connect is in progress. */
  get connecting(): boolean {
    return this.#connection !== null && !this.#connection.isOpen;
  }

  /**
   * Sends an attempt immediately if the current connection accepts another call. Otherwise the attempt waits until a
   * connection accepts it.
   * @throws The exception of the encoder, if the request cannot be encoded. The attempt is then not accepted.
   */
  send(attempt: Attempt): void {
    const connection = this.#connection;
    if (connection?.hasCapacity && this.#waiting.size === 0) {
      this.parts.start(attempt, connection);
      return;
    }
    this.#waiting.add(attempt);
    this.#need();
  }

  /** Cancels an attempt whose caller has cancelled or timed out. */
  cancel(attempt: Attempt): void {
    if (attempt.connection === null) this.#waiting.delete(attempt);
    else attempt.connection.cancel(attempt);
  }

  /** Calls `done` when there is a connection. Tries to connect until then, or until the returned function is called. */
  whenReady(done: () => void): () => void {
    if (this.ready) {
      done();
      return () => {};
    }
    this.#connectWaiters.add(done);
    this.#need();
    return () => this.#connectWaiters.delete(done);
  }

  /** Removes the attempts that wait for a connection, and returns them. */
  takeWaiting(): readonly Attempt[] {
    if (this.ready) return [];
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    return waiting;
  }

  /**
   * Stops using the open connection. New calls use another connection. Calls on the retired connection can still get
   * their responses.
   */
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

  // Ensures that a connection is being opened, or that an attempt to open it is scheduled.
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
      capacityAvailable: () => this.#sendWaiting(),
      draining: (isByServer) => this.#drained(connection, isByServer),
      ended: (failure) => this.#ended(connection, failure),
    });
    this.#connection = connection;
  }

  #opened(): void {
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
      if (!connection?.hasCapacity) return;
      this.#waiting.delete(attempt);
      try {
        this.parts.start(attempt, connection);
      } catch (error) {
        this.parts.unsendable(attempt, error);
      }
    }
  }

  // Stops using a connection. New calls use another connection. Calls on this connection still get their responses.
  #drained(connection: Http2Connection, isByServer: boolean): void {
    this.#draining.add(connection);
    if (connection !== this.#connection) return;
    this.#connection = null;
    if (connection.hasResponded) this.#failedTries = 0;
    else if (isByServer) this.#delayNextTry(connection);
    if (this.#waiting.size > 0) this.#need();
  }

  #ended(connection: Http2Connection, failure: Failure): void {
    // A call may have got its response after the server had sent GOAWAY.
    if (this.#draining.delete(connection) && connection.hasResponded) this.#failedTries = 0;
    if (connection !== this.#connection) return;
    this.#connection = null;
    if (this.#closed) return;
    const delayMs = this.#delayNextTry(connection);
    if (!this.#wasOpen) this.parts.unconnected(failure.message, delayMs, isPermanent(failure.cause));
    if (this.#waiting.size > 0 || this.#connectWaiters.size > 0) this.#need();
  }

  // Sets the time of the next attempt after the server ended a connection. Returns the delay. A connection on which the
  // server did not respond counts as a failed attempt, because a server may accept each connection and close it at once.
  #delayNextTry({ hasResponded }: Http2Connection): number {
    const { clock, configuration, random } = this.parts;
    this.#failedTries = hasResponded ? 0 : this.#failedTries + 1;
    const delayMs = backOffMs(Math.max(1, this.#failedTries), firstReconnectMs, configuration.maxBackOffMs, random);
    this.#nextTryAt = clock.now() + delayMs;
    return delayMs;
  }
}
