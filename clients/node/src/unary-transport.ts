import { Buffer } from "node:buffer";
import * as grpc from "@grpc/grpc-js";
import type { BatchOperation } from "./batch-operations.js";
import type { Call } from "./call.js";
import { ChannelPool, maxStreamsPerChannel, type PooledChannel } from "./channel-pool.js";
import type { Clock, ScheduledTask } from "./clock.js";
import type { Configuration } from "./configuration.js";
import type { CredentialProvider } from "./credential-provider.js";
import { type Failure, unsendable } from "./errors.js";
import type { GuardedHooks } from "./guarded-hooks.js";
import { KeptMetadata } from "./kept-metadata.js";
import type { Operation } from "./operation.js";
import { unreadable } from "./pipeline-session.js";
import { ProtoReader } from "./proto-reader.js";
import { ProtoWriter } from "./proto-writer.js";
import type { Transport } from "./transport.js";

/** What a unary transport works with. */
export interface UnaryParts {
  readonly credentials: CredentialProvider;
  readonly configuration: Configuration;
  /** Of every call: the client's own, and the configuration's. */
  readonly headers: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly hooks: GuardedHooks;
}

/** One attempt of a call: the call's `handle` while it is under way. */
interface Attempt {
  readonly pooled: PooledChannel<grpc.Client>;
  cancel(): void;
}

// LIM-4: as much as the server reads, so that a value that is too large is refused by a status.
const maxMessageBytes = 11_010_048;
// RETRY-7.
const firstReconnectMs = 100;
// A restart takes about a second: calls wait that long for a connection, then they fail at once with the reason
// instead of waiting for their deadlines. The same as the pipeline's.
const graceMs = 2_000;
const probeIntervalMs = 250;
// Past the grace, how long calls wait for the probe that is under way: a refusal comes in a millisecond, silence never.
const patienceMs = 250;
const probePath = "/cache_client.Ping/Ping";
const asIs = (bytes: Buffer) => bytes;

/** One gRPC call for each call, over a pool of channels. */
export class UnaryTransport implements Transport {
  readonly #pool: ChannelPool<grpc.Client>;
  readonly #metadata: KeptMetadata;
  // Calls that found every channel with its 100 streams. At most as many as the cap lets through.
  readonly #waiting = new Set<Call>();
  readonly #writer = new ProtoWriter(1_024);
  // Attempts that were sent while their channel had no connection, until one has. At most as many as the cap.
  readonly #unconnected = new Map<Attempt, Call>();
  #probing = false;
  #nextProbe: ScheduledTask | null = null;
  // Since when no connection could be made, on the clock; 0: one could, or nobody has tried.
  #downSince = 0;
  #downReason = "";
  // Past the grace calls fail at once until then: the next one is the probe.
  #downUntil = 0;
  // Since when the channels without a connection have tried to make one, on the clock; 0: not known.
  #triedSince = 0;
  #closed = false;

  constructor(private readonly parts: UnaryParts) {
    const { configuration, clock, hooks } = parts;
    this.#metadata = new KeptMetadata(parts.headers);
    const cap = configuration.maxInFlightUnary;
    const needed = cap === "off" ? 1 : Math.ceil(cap / maxStreamsPerChannel);
    this.#pool = new ChannelPool(
      Math.max(configuration.channels, needed),
      () => this.#channel(),
      clock,
      () => hooks.connectionChanged({ kind: "setAside", message: "a channel no longer answers" }),
    );
  }

  get connections(): number {
    return this.#pool.channels.filter(({ channel }) => isReady(channel)).length;
  }

  get pipelined(): boolean {
    return false;
  }

  get refusal(): string | null {
    return this.#downSince === 0 ? null : this.#downReason;
  }

  describe(): string {
    const reason = this.#downReason === "" ? "" : ` after: ${this.#downReason}`;
    const security = this.parts.credentials.tls ? "TLS" : "plaintext";
    return `${this.connections} of ${this.#pool.channels.length} ${security} channels ready${reason}`;
  }

  send(call: Call): void {
    if (this.#pastGrace() && this.parts.clock.now() < this.#downUntil) {
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
    const attempt = call.handle as Attempt | null;
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

  #channel(): grpc.Client {
    const { configuration, credentials } = this.parts;
    const { keepaliveIntervalMs, maxBackOffMs } = configuration;
    const authority = credentials.certificateAuthority;
    const security = credentials.tls
      ? grpc.credentials.createSsl(authority === undefined ? null : Buffer.from(authority))
      : grpc.credentials.createInsecure();
    return new grpc.Client(credentials.endpoint, security, {
      // Channels with equal options share connections, unless each has a pool of its own.
      "grpc.use_local_subchannel_pool": 1,
      "grpc.max_send_message_length": maxMessageBytes,
      "grpc.max_receive_message_length": maxMessageBytes,
      "grpc.service_config_disable_resolution": 1,
      "grpc.initial_reconnect_backoff_ms": Math.min(firstReconnectMs, maxBackOffMs),
      "grpc.max_reconnect_backoff_ms": maxBackOffMs,
      ...(keepaliveIntervalMs === "off"
        ? {}
        : {
            "grpc.keepalive_time_ms": keepaliveIntervalMs,
            "grpc.keepalive_timeout_ms": configuration.keepaliveTimeoutMs,
            "grpc.keepalive_permit_without_calls": 1,
          }),
    });
  }

  #refuse(call: Call): void {
    if (!this.#waiting.delete(call)) return;
    call.handle = null;
    call.owner.failed(call, this.#unreachable(true));
  }

  // Why, for a call that was not sent, or may have been on a connection that came and went unseen.
  #unreachable(notExecuted: boolean): Failure {
    const message = `there is no connection: ${this.#downReason}`;
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
    const metadata = this.#metadataFor(operation.cacheName, !this.#pastGrace());
    if (operation.kind.serverStream) {
      const attempt = this.#sendStream(pooled, call, operation as BatchOperation<unknown>, request, metadata, options);
      if (!connected) this.#await(attempt, call);
      return;
    }
    const attempt: { cancel: () => void; pooled: PooledChannel<grpc.Client> } = { pooled, cancel: () => {} };
    call.handle = attempt;
    if (!connected) this.#await(attempt, call);
    const sent = pooled.channel.makeUnaryRequest(
      operation.kind.path,
      asIs,
      asIs,
      request,
      metadata,
      options,
      (error, bytes) => {
        const unconnected = this.#unconnected.delete(attempt);
        this.#release(pooled, error);
        if (call.handle !== attempt) return;
        call.handle = null;
        if (error !== null) call.owner.failed(call, this.#failureOf(error, unconnected));
        else this.#answer(call, () => operation.decode(new ProtoReader(bytes!)));
      },
    );
    attempt.cancel = () => sent.cancel();
  }

  #sendStream(
    pooled: PooledChannel<grpc.Client>,
    call: Call,
    operation: BatchOperation<unknown>,
    request: Buffer,
    metadata: grpc.Metadata,
    options: grpc.CallOptions,
  ): Attempt {
    const stream = pooled.channel.makeServerStreamRequest(operation.kind.path, asIs, asIs, request, metadata, options);
    const attempt: Attempt = { pooled, cancel: () => stream.cancel() };
    call.handle = attempt;
    const messages: ProtoReader[] = [];
    stream.on("data", (bytes: Buffer) => messages.push(new ProtoReader(bytes)));
    let ended = false;
    const end = (error: grpc.ServiceError | null) => {
      if (ended) return;
      ended = true;
      const unconnected = this.#unconnected.delete(attempt);
      this.#release(pooled, error);
      if (call.handle !== attempt) return;
      call.handle = null;
      if (error !== null) call.owner.failed(call, this.#failureOf(error, unconnected));
      else this.#answer(call, () => operation.decodeMessages(messages));
    };
    stream.on("error", (error: grpc.ServiceError) => end(error));
    stream.on("end", () => end(null));
    return attempt;
  }

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

  #await(attempt: Attempt, call: Call): void {
    this.#unconnected.set(attempt, call);
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
    const waitMs = Math.max(1, Math.min(this.#pastGrace() ? patienceMs : leftMs, requestTimeoutMs));
    const metadata = this.#metadataFor("", false);
    const options = { deadline: Date.now() + waitMs };
    channel.makeUnaryRequest(probePath, asIs, asIs, Buffer.alloc(0), metadata, options, (error) => {
      this.#probing = false;
      if (error === null || !this.#tellsOfNoConnection(error, channel)) {
        this.#connectable();
        return;
      }
      if (this.#downSince === 0) this.#downSince = clock.now();
      this.#downReason = error.details;
      this.#downUntil = clock.now() + probeIntervalMs;
      if (this.#pastGrace()) this.#failUnconnected();
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
    pooled.channel = this.#channel();
    for (const [attempt, call] of [...this.#unconnected]) {
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

  #pastGrace(): boolean {
    return this.#downSince !== 0 && this.parts.clock.now() - this.#downSince > graceMs;
  }

  #connectable(): void {
    this.#triedSince = 0;
    if (this.#downSince === 0 && this.#unconnected.size === 0) return;
    this.#unconnected.clear();
    this.#downSince = 0;
    this.#downReason = "";
    this.#downUntil = 0;
  }

  #failUnconnected(): void {
    for (const [attempt, call] of [...this.#unconnected]) {
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

  #failureOf(error: grpc.ServiceError, unconnected: boolean): Failure {
    // grpc-js may see before us that the deadline has passed: what it was spent on is why it failed (RETRY-10).
    if (unconnected && error.code === grpc.status.DEADLINE_EXCEEDED && this.refusal !== null)
      return this.#unreachable(false);
    const [cause] = error.metadata?.get("err") ?? [];
    const text = cause === undefined ? undefined : String(cause);
    const unreachable = error.code === grpc.status.UNAVAILABLE && this.#pastGrace();
    return {
      status: error.code,
      message: error.details,
      cause: text,
      notExecuted: text === "not_executed",
      unreachable,
    };
  }
}

function isReady(channel: grpc.Client): boolean {
  return channel.getChannel().getConnectivityState(false) === grpc.connectivityState.READY;
}
