import { Buffer } from "node:buffer";
import * as grpc from "@grpc/grpc-js";
import type { Call } from "./call.js";
import { ChannelPool, maxStreamsPerChannel, type PooledChannel } from "./channel-pool.js";
import type { Clock, ScheduledTask } from "./clock.js";
import type { Configuration } from "./configuration.js";
import type { CredentialProvider } from "./credential-provider.js";
import { type Failure, unsendable } from "./errors.js";
import type { GuardedHooks } from "./guarded-hooks.js";
import { KeptMetadata } from "./kept-metadata.js";
import type { Operation } from "./operation.js";
import { Outage } from "./outage.js";
import { unreadable } from "./pipeline-session.js";
import { ProtoWriter } from "./proto-writer.js";
import type { TokenSource } from "./token-source.js";
import type { FrontTransport } from "./transport.js";
import { UnaryAttempt } from "./unary-attempt.js";
import { asIs, isReady, unaryChannel } from "./unary-channel.js";

/** What a unary transport works with. */
export interface UnaryParts {
  readonly credentials: CredentialProvider;
  readonly configuration: Configuration;
  /** Of every call: the client's own, and the configuration's. */
  readonly headers: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly hooks: GuardedHooks;
  /** The provider's token; null: the token, if any, is among the headers. */
  readonly tokens?: TokenSource | null;
  /** Whether calls wait for a connection that is being made; not where there is another server. Default true. */
  readonly patient?: boolean;
}

const probeIntervalMs = 250;
// Past the grace, how long calls wait for the probe that is under way: a refusal comes in a millisecond, silence never.
const patienceMs = 250;
const probePath = "/cache_client.Ping/Ping";

/** One gRPC call for each call, over a pool of channels. */
export class UnaryTransport implements FrontTransport {
  readonly #pool: ChannelPool<grpc.Client>;
  readonly #metadata: KeptMetadata;
  // Calls that found every channel with its 100 streams. At most as many as the cap lets through.
  readonly #waiting = new Set<Call>();
  readonly #writer = new ProtoWriter(1_024);
  // Attempts that were sent while their channel had no connection, until one has. At most as many as the cap.
  readonly #unconnected = new Set<UnaryAttempt>();
  readonly #outage: Outage;
  #probing = false;
  #nextProbe: ScheduledTask | null = null;
  // Since when the channels without a connection have tried to make one, on the clock; 0: not known.
  #triedSince = 0;
  #closed = false;
  // Why TLS failed last; empty: it did not.
  #tlsTrouble = "";
  readonly #tlsFailed = (message: string): void => {
    this.#tlsTrouble = message;
  };

  constructor(private readonly parts: UnaryParts) {
    const { configuration, clock, credentials, hooks } = parts;
    this.#outage = new Outage(clock);
    this.#metadata = new KeptMetadata(parts.headers, parts.tokens ?? null);
    const cap = configuration.maxInFlightUnary;
    const needed = cap === "off" ? 1 : Math.ceil(cap / maxStreamsPerChannel);
    this.#pool = new ChannelPool(
      Math.max(configuration.channels, needed),
      () => unaryChannel(credentials, configuration, this.#tlsFailed),
      clock,
      () =>
        hooks.connectionChanged({
          kind: "setAside",
          message: "a channel no longer answers",
          endpoint: credentials.endpoint,
        }),
    );
  }

  get connections(): number {
    return this.#pool.channels.filter(({ channel }) => isReady(channel)).length;
  }

  get ready(): boolean {
    return this.#pool.channels.some(({ channel }) => isReady(channel));
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
    return this.#outage.lasts ? this.#outage.reason : null;
  }

  describe(): string {
    const { reason } = this.#outage;
    const after = reason === "" ? "" : ` after: ${reason}`;
    const security = this.parts.credentials.tls ? "TLS" : "plaintext";
    return `${this.connections} of ${this.#pool.channels.length} ${security} channels ready${after}`;
  }

  send(call: Call): void {
    if (this.#outage.refuses) {
      call.handle = this;
      this.#waiting.add(call);
      queueMicrotask(() => this.#refuse(call));
      return;
    }
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
    attempt?.cancel();
  }

  async connect(timeoutMs: number): Promise<void> {
    const endMs = Date.now() + timeoutMs;
    await Promise.all(this.#pool.channels.map((pooled) => this.#ready(pooled, endMs)));
  }

  async #ready(pooled: PooledChannel<grpc.Client>, endMs: number): Promise<void> {
    for (;;) {
      const { channel } = pooled;
      const lateMs = Math.min(endMs, Date.now() + this.parts.configuration.connectTimeoutMs);
      const error = await new Promise<Error | undefined>((resolve) => channel.waitForReady(lateMs, resolve));
      if (error === undefined) return;
      if (this.#closed || Date.now() >= endMs) throw error;
      if (pooled.channel === channel) this.#renew(pooled);
    }
  }

  close(): void {
    this.#closed = true;
    this.#nextProbe?.cancel();
    this.#unconnected.clear();
    for (const { channel } of this.#pool.channels) channel.close();
  }

  #refuse(call: Call): void {
    if (!this.#waiting.delete(call)) return;
    call.handle = null;
    call.owner.failed(call, this.#unreachable(true));
  }

  // Why, for a call that was not sent, or may have been on a connection that came and went unseen.
  #unreachable(notExecuted: boolean): Failure {
    const message = `there is no connection: ${this.#outage.reason}`;
    return { status: grpc.status.UNAVAILABLE, message, notExecuted, unreachable: true };
  }

  #sendOn(pooled: PooledChannel<grpc.Client>, call: Call): void {
    let request: Buffer;
    try {
      request = this.#encode(call.operation);
    } catch (error) {
      this.#pool.release(pooled, true);
      throw error;
    }
    const { operation } = call;
    const remainingMs = Math.max(1, call.deadlineAt - this.parts.clock.now());
    const options = { deadline: Date.now() + remainingMs };
    const connected = isReady(pooled.channel);
    if (connected) this.#connectable();
    const metadata = this.#metadataFor(operation.cacheName, !this.#outage.pastGrace && this.parts.patient !== false);
    const attempt = new UnaryAttempt(pooled, call, this.#ended, this.parts.tokens?.version);
    call.handle = attempt;
    if (!connected) this.#await(attempt);
    attempt.send(request, metadata, options);
  }

  readonly #ended = (attempt: UnaryAttempt, error: grpc.ServiceError | null, decode: () => unknown): void => {
    const { call, pooled } = attempt;
    const unconnected = this.#unconnected.delete(attempt);
    this.#release(pooled, error);
    if (call.handle !== attempt) return;
    call.handle = null;
    if (error !== null) call.owner.failed(call, this.#failureOf(error, unconnected, attempt.shown));
    else this.#answer(call, decode);
  };

  #answer(call: Call, decode: () => unknown): void {
    let response: unknown;
    try {
      response = decode();
    } catch (error) {
      call.owner.failed(call, unreadable(error));
      return;
    }
    call.owner.answered(call, response);
  }

  #release(pooled: PooledChannel<grpc.Client>, error: grpc.ServiceError | null): void {
    const silent = error !== null && error.code === grpc.status.DEADLINE_EXCEEDED;
    this.#pool.release(pooled, !silent);
    for (const waiting of this.#waiting) {
      this.#waiting.delete(waiting);
      if (this.#sendWaiting(waiting)) break;
    }
  }

  #sendWaiting(call: Call): boolean {
    call.handle = null;
    try {
      this.send(call);
      return true;
    } catch (error) {
      call.owner.failed(call, unsendable(error));
      return false;
    }
  }

  #encode(operation: Operation<unknown>): Buffer {
    const writer = this.#writer;
    writer.clear(65_536);
    writer.reserve(operation.measure() + 16);
    operation.encode(writer);
    return Buffer.from(writer.written());
  }

  #await(attempt: UnaryAttempt): void {
    this.#unconnected.add(attempt);
    if (!this.#probing && this.#nextProbe === null) this.#probe(attempt.pooled);
  }

  // Why no connection can be made, grpc-js tells only a call that does not wait for one: so one such call asks.
  #probe(pooled: PooledChannel<grpc.Client>): void {
    this.#probing = true;
    const { channel } = pooled;
    const { clock, configuration } = this.parts;
    const { connectTimeoutMs, requestTimeoutMs } = configuration;
    if (this.#triedSince === 0) this.#triedSince = clock.now();
    const leftMs = this.#triedSince + connectTimeoutMs - clock.now();
    const waitMs = Math.max(1, Math.min(this.#outage.pastGrace ? patienceMs : leftMs, requestTimeoutMs));
    const metadata = this.#metadataFor("", false);
    const options = { deadline: Date.now() + waitMs };
    channel.makeUnaryRequest(probePath, asIs, asIs, Buffer.alloc(0), metadata, options, (error) => {
      this.#probing = false;
      if (error === null || !this.#tellsOfNoConnection(error, channel)) {
        this.#connectable();
        return;
      }
      this.#outage.seen(this.#whyNot(error.details), probeIntervalMs);
      if (this.#outage.pastGrace) this.#failUnconnected();
      // One less: a deadline is in whole milliseconds.
      if (clock.now() - this.#triedSince >= connectTimeoutMs - 1) {
        this.#triedSince = 0;
        for (const each of this.#pool.channels) if (!isReady(each.channel)) this.#renew(each);
      }
      if (this.#unconnected.size > 0 && !this.#probing)
        this.#nextProbe = clock.schedule(() => {
          this.#nextProbe = null;
          this.#probe(pooled);
        }, probeIntervalMs);
    });
  }

  // An attempt to connect that took too long is given up, which grpc-js does not do by itself. Its calls have not been
  // sent: on a connection that was lost they would have failed with it.
  #renew(pooled: PooledChannel<grpc.Client>): void {
    const { channel } = pooled;
    pooled.channel = unaryChannel(this.parts.credentials, this.parts.configuration, this.#tlsFailed);
    for (const attempt of [...this.#unconnected]) {
      const { call } = attempt;
      if (attempt.pooled !== pooled) continue;
      this.#unconnected.delete(attempt);
      attempt.cancel();
      if (call.handle === attempt) this.#sendWaiting(call);
    }
    channel.close();
  }

  // A server that is there may answer anything, UNAVAILABLE too; on a channel without a connection nobody has.
  #tellsOfNoConnection(error: grpc.ServiceError, channel: grpc.Client): boolean {
    const { code } = error;
    if (code === grpc.status.UNAVAILABLE) return true;
    return code === grpc.status.DEADLINE_EXCEEDED && !isReady(channel);
  }

  #whyNot(details: string): string {
    const trouble = this.#tlsTrouble;
    return trouble === "" || details.includes(trouble) ? details : `${trouble} (${details.trim()})`;
  }

  #connectable(): void {
    this.#triedSince = 0;
    this.#tlsTrouble = "";
    if (!this.#outage.lasts && this.#unconnected.size === 0) return;
    this.#unconnected.clear();
    this.#outage.over();
  }

  #failUnconnected(): void {
    for (const attempt of [...this.#unconnected]) {
      const { call } = attempt;
      this.#unconnected.delete(attempt);
      if (call.handle !== attempt) continue;
      call.handle = null;
      attempt.cancel();
      call.owner.failed(call, this.#unreachable(false));
    }
  }

  // `patient`: the call waits for a connection that is being made.
  #metadataFor(cacheName: string, patient: boolean): grpc.Metadata {
    const kept = this.#metadata.for(cacheName);
    if (patient) return kept;
    const hasty = kept.clone();
    hasty.setOptions({ waitForReady: false });
    return hasty;
  }

  #failureOf(error: grpc.ServiceError, unconnected: boolean, shown: number | undefined): Failure {
    // grpc-js may see before us that the deadline has passed: what it was spent on is why it failed (RETRY-10).
    if (unconnected && error.code === grpc.status.DEADLINE_EXCEEDED && this.refusal !== null)
      return this.#unreachable(false);
    const [cause] = error.metadata?.get("err") ?? [];
    const text = cause === undefined ? undefined : String(cause);
    const unreachable = error.code === grpc.status.UNAVAILABLE && this.#outage.pastGrace;
    return {
      status: error.code,
      message: error.details,
      cause: text,
      notExecuted: text === "not_executed",
      unreachable,
      shown,
    };
  }
}
