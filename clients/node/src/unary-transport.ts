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
  readonly metadata: Readonly<Record<string, string>>;
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
const mostReconnectMs = 2_000;
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

  constructor(private readonly parts: UnaryParts) {
    const { configuration, clock, hooks } = parts;
    this.#metadata = new KeptMetadata(parts.metadata);
    const cap = configuration.maxInFlightUnary;
    const needed = cap === "off" ? 1 : Math.ceil(cap / maxStreamsPerChannel);
    this.#pool = new ChannelPool(
      Math.max(configuration.channels, needed),
      (index) => this.#channel(index),
      clock,
      () => hooks.connectionChanged({ kind: "setAside", message: "a channel no longer answers" }),
    );
  }

  get connections(): number {
    const ready = ({ channel }: PooledChannel<grpc.Client>) =>
      channel.getChannel().getConnectivityState(false) === grpc.connectivityState.READY;
    return this.#pool.channels.filter(ready).length;
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
    const deadline = Date.now() + timeoutMs;
    await Promise.all(
      this.#pool.channels.map(
        ({ channel }) =>
          new Promise<void>((resolve, reject) =>
            channel.waitForReady(deadline, (error) => (error === undefined ? resolve() : reject(error))),
          ),
      ),
    );
  }

  close(): void {
    this.#nextProbe?.cancel();
    this.#unconnected.clear();
    for (const { channel } of this.#pool.channels) channel.close();
  }

  #channel(index: number): grpc.Client {
    const { configuration, credentials } = this.parts;
    const { keepaliveIntervalMs } = configuration;
    const authority = credentials.certificateAuthority;
    const security = credentials.tls
      ? grpc.credentials.createSsl(authority === undefined ? null : Buffer.from(authority))
      : grpc.credentials.createInsecure();
    return new grpc.Client(credentials.endpoint, security, {
      // Channels with equal options share connections, unless each has a pool of its own.
      "grpc.use_local_subchannel_pool": configuration.localSubchannelPool ? 1 : 0,
      ...(configuration.localSubchannelPool ? { "larder.channel": index } : {}),
      "grpc.max_send_message_length": maxMessageBytes,
      "grpc.max_receive_message_length": maxMessageBytes,
      "grpc.service_config_disable_resolution": 1,
      "grpc.initial_reconnect_backoff_ms": firstReconnectMs,
      "grpc.max_reconnect_backoff_ms": mostReconnectMs,
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
    const connected = pooled.channel.getChannel().getConnectivityState(false) === grpc.connectivityState.READY;
    if (connected) this.#connectable();
    const metadata = this.#metadataFor(operation.cacheName, !this.#pastGrace());
    if (operation.kind.serverStream) {
      const attempt = this.#sendStream(pooled, call, operation as BatchOperation<unknown>, request, metadata, options);
      if (!connected) this.#await(pooled.channel, attempt, call);
      return;
    }
    const attempt: { cancel: () => void; pooled: PooledChannel<grpc.Client> } = { pooled, cancel: () => {} };
    call.handle = attempt;
    if (!connected) this.#await(pooled.channel, attempt, call);
    const sent = pooled.channel.makeUnaryRequest(
      operation.kind.path,
      asIs,
      asIs,
      request,
      metadata,
      options,
      (error, bytes) => {
        this.#unconnected.delete(attempt);
        this.#release(pooled, error);
        if (call.handle !== attempt) return;
        call.handle = null;
        if (error !== null) call.owner.failed(call, this.#failureOf(error));
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
      this.#unconnected.delete(attempt);
      this.#release(pooled, error);
      if (call.handle !== attempt) return;
      call.handle = null;
      if (error !== null) call.owner.failed(call, this.#failureOf(error));
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

  #await(channel: grpc.Client, attempt: Attempt, call: Call): void {
    this.#unconnected.set(attempt, call);
    if (!this.#probing && this.#nextProbe === null) this.#probe(channel);
  }

  // Why no connection can be made, grpc-js tells only a call that does not wait for one: so one such call asks.
  #probe(channel: grpc.Client): void {
    this.#probing = true;
    const { clock, configuration } = this.parts;
    const isDown = this.#pastGrace();
    const waitMs = isDown ? Math.min(patienceMs, configuration.requestTimeoutMs) : configuration.requestTimeoutMs;
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
      if (this.#unconnected.size === 0) return;
      this.#nextProbe = clock.schedule(() => {
        this.#nextProbe = null;
        this.#probe(channel);
      }, probeIntervalMs);
    });
  }

  // A server that is there may answer anything, UNAVAILABLE too; on a channel without a connection nobody has.
  #tellsOfNoConnection(error: grpc.ServiceError, channel: grpc.Client): boolean {
    const { code } = error;
    if (code === grpc.status.UNAVAILABLE) return true;
    const state = channel.getChannel().getConnectivityState(false);
    return code === grpc.status.DEADLINE_EXCEEDED && state !== grpc.connectivityState.READY;
  }

  #pastGrace(): boolean {
    return this.#downSince !== 0 && this.parts.clock.now() - this.#downSince > graceMs;
  }

  #connectable(): void {
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

  #failureOf(error: grpc.ServiceError): Failure {
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
