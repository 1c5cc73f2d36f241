import type { Buffer } from "node:buffer";
import type { Call } from "../calls/call.js";
import { type ScheduledTask, scheduleInBackground } from "../calls/clock.js";
import { FreezeDetector } from "../calls/freeze-detector.js";
import { silenceMessage } from "../calls/silence-detector.js";
import { microtask, nextTick } from "../calls/system-timers.js";
import { codeOfStatus, connectionLost, encodingFailure, type Failure, Status } from "../client/errors.js";
import type { TokenSource } from "../configuration/token-source.js";
import { Http2Duplex } from "../http2/http2-duplex.js";
import { ProtoError } from "../operations/proto-reader.js";
import { ConnectWaiters } from "./connect-waiters.js";
import { type Link, type LinkState, maxIds } from "./pipeline-link.js";
import { attemptWaitMs, PipelineOutage } from "./pipeline-outage.js";
import type { PipelineParts } from "./pipeline-parts.js";
import { PipelineSession } from "./pipeline-session.js";
import type { GatewayTransport } from "./transport.js";

// PIPE-10: larger requests are sent as unary calls.
const largeRequestBytes = 65_536;

/** Sends calls over the pipeline: one long-lived stream, on which all calls of one event-loop turn share a message. */
export class PipelineTransport implements GatewayTransport {
  #state: LinkState = "idle";
  #link: Link | null = null;
  readonly #drainingLinks = new Set<Link>();
  readonly #waiting = new Set<Call>();
  readonly #connectWaiters: ConnectWaiters;
  readonly #outage: PipelineOutage;
  #reconnect: ScheduledTask | null = null;
  #lastMessage = "";
  #streamRefusal: Failure | null = null;
  // The version of the provider's token that the last attempt to connect used.
  #tokenVersion = 0;

  readonly #freezes: FreezeDetector;

  constructor(private readonly parts: PipelineParts) {
    this.#connectWaiters = new ConnectWaiters(parts.clock);
    this.#outage = new PipelineOutage(parts);
    this.#freezes = new FreezeDetector(parts.clock, parts.wall);
  }

  get connections(): number {
    return (this.#state === "open" ? 1 : 0) + this.#drainingLinks.size + this.parts.unary.connections;
  }

  get ready(): boolean {
    return this.#state === "unsupported" ? this.parts.unary.ready : this.#state === "open";
  }

  get inFlight(): number {
    return this.idsInUse + this.#waiting.size + this.parts.unary.inFlight;
  }

  get streamRefusal(): Failure | null {
    return this.#streamRefusal;
  }

  get pipelined(): boolean {
    return this.#state !== "unsupported";
  }

  get isNear(): boolean {
    return this.#link?.session?.near?.isNear === true;
  }

  /** Returns the number of ids in use on all streams, including the ids of abandoned calls. */
  get idsInUse(): number {
    let ids = this.#link?.session?.inUse ?? 0;
    for (const { session } of this.#drainingLinks) ids += session.inUse;
    return ids;
  }

  get refusal(): string | null {
    if (this.#state === "unsupported") return this.parts.unary.refusal;
    return this.#state !== "open" && this.#outage.hasFailedAttempts ? this.#lastMessage : null;
  }

  describe(): string {
    if (this.#state === "unsupported") return this.parts.unary.describe();
    const after = this.#lastMessage === "" || this.#state === "open" ? "" : ` after: ${this.#lastMessage}`;
    return `${this.parts.credentials.tls ? "TLS" : "plaintext"} pipeline ${this.#state}${after}`;
  }

  send(call: Call): void {
    const { operation } = call;
    if (this.#state === "unsupported" || operation.kind.field === 0 || operation.measure() > largeRequestBytes) {
      call.handle = null;
      this.parts.unary.send(call);
      return;
    }
    if (this.parts.tokens) this.#followToken(this.parts.tokens);
    if (this.#freezes.noticed(call.startedAt) && this.#state === "open")
      this.#replace(this.#link!, "the process was suspended and the connection may be lost; replacing the connection");
    if (this.#state === "open") {
      this.#sendOn(this.#link!, call);
      return;
    }
    this.#waiting.add(call);
    call.handle = this;
    if (this.#state === "idle") this.#connect(operation.cacheName);
    else if (this.#isDown()) microtask(() => this.#isDown() && this.#failWaiting());
  }

  abandon(call: Call): void {
    if (call.handle === this) this.#waiting.delete(call);
    else if (call.handle instanceof PipelineSession) this.#abandonOn(call.handle, call);
    else this.parts.unary.abandon(call);
    call.handle = null;
  }

  #abandonOn(session: PipelineSession, call: Call): void {
    session.abandon(call.id);
    for (const link of this.#drainingLinks) if (link.session === session) this.#endIfUnused(link);
    const link = this.#link;
    const { clock } = this.parts;
    if (link?.session !== session || clock.now() < call.deadlineAt) return;
    // If the connection has received nothing, replace it, because the network may have dropped it silently.
    const { keepaliveTimeoutMs } = this.parts.configuration;
    link.duplex.silence.deadlinePassed(call.deadlineAt, clock, keepaliveTimeoutMs, () =>
      this.#replace(link, silenceMessage(keepaliveTimeoutMs)),
    );
  }

  connect(timeoutMs: number): Promise<void> {
    this.#freezes.start();
    if (this.#state === "open") return Promise.resolve();
    if (this.#state === "unsupported") return this.parts.unary.connect(timeoutMs);
    const start = () => {
      if (this.#state === "idle") this.#connect("");
    };
    return this.#connectWaiters.wait(timeoutMs, () => this.refusal, start);
  }

  close(): void {
    this.#state = "closed";
    this.#freezes.stop();
    this.#reconnect?.cancel();
    this.#outage.attemptEnded();
    for (const link of [...this.#drainingLinks]) link.duplex.close();
    this.#link?.duplex.close();
    this.#connectWaiters.finish(connectionLost("the client was closed", undefined, true));
    this.parts.unary.close();
  }

  #sendOn(link: Link, call: Call): void {
    if (!link.session.hasRoom) {
      this.#waiting.add(call);
      call.handle = this;
      // PIPE-16: no id is free, because abandoned calls use too many. Close the stream in nextTick, because `send` must
      // not fail a call before it returns.
      nextTick(() => link.duplex.close());
      return;
    }
    link.session.send(call);
  }

  // Does nothing if the last attempt to connect used the current token. Otherwise stops using the current stream or, if
  // the server rejected the last token, ends the back-off. The next stream then uses the new token immediately.
  #followToken({ version }: TokenSource): void {
    if (version === this.#tokenVersion) return;
    if (this.#state === "open") this.#drained(this.#link!);
    else if (this.#state === "backingOff" && this.#streamRefusal?.status === Status.unauthenticated) {
      this.#reconnect?.cancel();
      this.#reconnect = null;
      this.#outage.restart();
      this.#state = "idle";
    }
  }

  #connect(streamCache: string): void {
    const { configuration, credentials, clock, tokens } = this.parts;
    this.#state = "connecting";
    this.#outage.attemptStarted(() =>
      this.#failWaiting(
        connectionLost(this.#lastMessage || `no connection within ${attemptWaitMs} ms`, undefined, true),
      ),
    );
    const cap = configuration.maxInFlightPipeline;
    const link: Partial<Link> & Pick<Link, "draining" | "hasReceived"> = { draining: false, hasReceived: false };
    const tokenVersion = tokens?.version;
    this.#tokenVersion = tokenVersion ?? 0;
    const headers = {
      ...(tokens?.token === undefined ? {} : { authorization: tokens.token }),
      ...this.parts.headers,
      ...(streamCache === "" ? {} : { cache: streamCache }),
    };
    const duplex = new Http2Duplex(credentials, "/larder.v1.Pipeline/Run", headers, configuration, {
      opened: () => this.#opened(link as Link),
      data: (chunk) => this.#received(link as Link, chunk),
      ended: (failure) => this.#ended(link as Link, failure),
    });
    const session = new PipelineSession(
      duplex,
      {
        useUnary: (call) => this.#sendUnary(call),
        draining: () => this.#drained(link as Link),
        idle: () => link.draining && duplex.close(),
      },
      streamCache,
      maxIds(cap),
      () => clock.now(),
      tokenVersion,
      this.parts.near?.stream(),
    );
    this.#link = Object.assign(link, { duplex, session });
  }

  #opened(link: Link): void {
    if (this.#state !== "connecting" || this.#link !== link) return;
    this.#state = "open";
    this.#outage.end();
    this.#streamRefusal = null;
    this.parts.hooks.connectionChanged({ kind: "opened", message: "connected with a pipeline", ...this.#at });
    link.session.near?.opened(link.session);
    this.#connectWaiters.finish(null);
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const call of waiting) {
      // A hook, or the end of an earlier call in this loop, may have ended this call.
      if (call.handle !== this) continue;
      try {
        this.#sendOn(link, call);
      } catch (error) {
        fail(call, encodingFailure(error));
      }
    }
  }

  #sendUnary(call: Call): void {
    call.handle = null;
    try {
      this.parts.unary.send(call);
    } catch (error) {
      fail(call, encodingFailure(error));
    }
  }

  #received(link: Link, chunk: Buffer): void {
    link.hasReceived = true;
    try {
      link.session.received(chunk);
    } catch (error) {
      if (!(error instanceof ProtoError)) throw error;
      this.#lastMessage = error.message;
      link.duplex.close();
    }
  }

  // Stops using a link. New calls use a new stream. Calls on this stream still get their responses.
  #drained(link: Link): void {
    if (link !== this.#link || this.#state !== "open") return;
    link.draining = true;
    link.session.near?.lost();
    this.#drainingLinks.add(link);
    this.#link = null;
    this.#state = "idle";
    this.#endIfUnused(link);
  }

  // Closes a link if no caller waits on it. It does not wait for responses of abandoned calls, because they may never
  // arrive.
  #endIfUnused({ duplex, session }: Link): void {
    if (session.callers === 0) nextTick(() => duplex.close());
  }

  #replace(link: Link, message: string): void {
    if (link !== this.#link || this.#state !== "open") return;
    this.#drained(link);
    this.parts.hooks.connectionChanged({ kind: "lost", message, errorCode: "Unavailable", ...this.#at });
  }

  #ended(link: Link, failure: Failure): void {
    this.#drainingLinks.delete(link);
    const refused = failure.status === Status.unauthenticated && Boolean(this.parts.tokens);
    if (refused) failure = { ...failure, rejectedTokenVersion: link.session?.tokenVersion ?? this.#tokenVersion };
    link.session?.near?.lost();
    const calls = link.session?.end() ?? [];
    if (link === this.#link || link.session === undefined) this.#linkLost(link, failure);
    const each =
      failure.status === Status.ok ? connectionLost("the server ended the stream", failure.cause, false) : failure;
    for (const call of calls) {
      if (this.#state === "unsupported") this.#sendUnary(call);
      else fail(call, each);
    }
  }

  #linkLost({ hasReceived }: Link, failure: Failure): void {
    const { clock, hooks } = this.parts;
    const wasOpen = this.#state === "open";
    this.#link = null;
    this.#outage.attemptEnded();
    this.#lastMessage = failure.message;
    if (this.#closed()) return;
    if (failure.status === Status.unimplemented) {
      this.#unsupported(failure);
      return;
    }
    this.#state = "backingOff";
    this.#outage.lost(wasOpen, hasReceived, failure.cause);
    hooks.connectionChanged({
      kind: "lost",
      message: failure.message,
      errorCode: codeOfStatus(failure.status),
      ...this.#at,
    });
    if (this.#closed()) return;
    // If the server itself rejected the stream, for example because of an invalid token, the waiting calls fail. If the
    // connection was lost, they wait for the next attempt until the grace period has passed.
    const isFinal = failure.status !== Status.unavailable && failure.status !== Status.ok;
    this.#streamRefusal = isFinal ? failure : null;
    if (isFinal) this.#failWaiting(failure);
    else if (this.#outage.pastGrace) this.#failWaiting();
    this.#reconnect = scheduleInBackground(
      clock,
      () => {
        this.#reconnect = null;
        // If no call waits, do not connect now. The next call will connect.
        if (this.#waiting.size === 0 && this.#connectWaiters.size === 0) this.#state = "idle";
        else this.#connect(this.#firstCache());
      },
      this.#outage.nextDelayMs(),
    );
  }

  #unsupported(failure: Failure): void {
    const { hooks, unsupported } = this.parts;
    this.#state = "unsupported";
    hooks.connectionChanged({ kind: "pipelineUnsupported", message: failure.message, ...this.#at });
    unsupported();
    this.#connectWaiters.finish(null);
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const call of waiting) if (call.handle === this) this.#sendUnary(call);
  }

  get #at(): { readonly endpoint: string } {
    return { endpoint: this.parts.credentials.endpoint };
  }

  #firstCache(): string {
    for (const call of this.#waiting) return call.operation.cacheName;
    return "";
  }

  // Returns whether the transport is closed, because a hook may have closed the client. This is a method, because
  // otherwise the compiler would assume that the state has not changed.
  #closed(): boolean {
    return this.#state === "closed";
  }

  // Returns whether calls fail immediately. They do if the current attempt to connect is late, or if the grace period
  // has passed and no attempt is in progress.
  #isDown(): boolean {
    return this.#outage.isAttemptLate || (this.#state === "backingOff" && this.#outage.pastGrace);
  }

  #failWaiting(failure = connectionLost(this.#lastMessage, undefined, true)): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    this.#connectWaiters.finish(failure);
    for (const call of waiting)
      if (call.handle === this) fail(call, { ...failure, notExecuted: true, unreachable: true });
  }
}

function fail(call: Call, failure: Failure): void {
  call.handle = null;
  call.owner.failed(call, failure);
}
