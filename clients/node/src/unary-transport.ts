import { Buffer } from "node:buffer";
import * as grpc from "@grpc/grpc-js";
import type { BatchOperation } from "./batch-operations.js";
import type { Call } from "./call.js";
import { ChannelPool, maxStreamsPerChannel, type PooledChannel } from "./channel-pool.js";
import type { Clock } from "./clock.js";
import type { Configuration } from "./configuration.js";
import type { CredentialProvider } from "./credential-provider.js";
import type { Failure } from "./errors.js";
import type { MetricsHooks } from "./metrics.js";
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
  readonly metrics: MetricsHooks;
}

/** One attempt of a call: the call's `handle` while it is under way. */
interface Attempt {
  readonly pooled: PooledChannel<grpc.Client>;
  cancel(): void;
}

// Names of caches whose metadata is kept ready; past this the oldest is made anew.
const keptMetadata = 100;
// LIM-4: as much as the server reads, so that a value that is too large is refused by a status.
const maxMessageBytes = 11_010_048;
// RETRY-7.
const firstReconnectMs = 100;
const mostReconnectMs = 2_000;
const asIs = (bytes: Buffer) => bytes;

/** One gRPC call for each call, over a pool of channels. */
export class UnaryTransport implements Transport {
  readonly #pool: ChannelPool<grpc.Client>;
  readonly #metadata = new Map<string, grpc.Metadata>();
  // Calls that found every channel with its 100 streams. At most as many as the cap lets through.
  readonly #waiting = new Set<Call>();
  readonly #writer = new ProtoWriter(1_024);

  constructor(private readonly parts: UnaryParts) {
    const { configuration, clock, metrics } = parts;
    const cap = configuration.maxInFlightUnary;
    const needed = cap === "off" ? 1 : Math.ceil(cap / maxStreamsPerChannel);
    this.#pool = new ChannelPool(
      Math.max(configuration.channels, needed),
      (index) => this.#channel(index),
      clock,
      () => metrics.connectionChanged?.({ kind: "setAside", message: "a channel no longer answers" }),
    );
  }

  get connections(): number {
    const ready = ({ channel }: PooledChannel<grpc.Client>) =>
      channel.getChannel().getConnectivityState(false) === grpc.connectivityState.READY;
    return this.#pool.channels.filter(ready).length;
  }

  describe(): string {
    return `${this.connections} of ${this.#pool.channels.length} channels ready`;
  }

  send(call: Call): void {
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

  #sendOn(pooled: PooledChannel<grpc.Client>, call: Call): void {
    const { operation } = call;
    const remainingMs = Math.max(1, call.deadlineAt - this.parts.clock.now());
    const options = { deadline: Date.now() + remainingMs };
    const request = this.#encode(operation);
    if (operation.kind.serverStream) {
      this.#sendStream(pooled, call, operation as BatchOperation<unknown>, request, options);
      return;
    }
    const attempt: { cancel: () => void; pooled: PooledChannel<grpc.Client> } = { pooled, cancel: () => {} };
    call.handle = attempt;
    const sent = pooled.channel.makeUnaryRequest(
      operation.kind.path,
      asIs,
      asIs,
      request,
      this.#metadataFor(operation.cacheName),
      options,
      (error, bytes) => {
        this.#release(pooled, error);
        if (call.handle !== attempt) return;
        call.handle = null;
        if (error !== null) call.owner.failed(call, failureOf(error));
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
    options: grpc.CallOptions,
  ): void {
    const stream = pooled.channel.makeServerStreamRequest(
      operation.kind.path,
      asIs,
      asIs,
      request,
      this.#metadataFor(operation.cacheName),
      options,
    );
    const attempt: Attempt = { pooled, cancel: () => stream.cancel() };
    call.handle = attempt;
    const messages: ProtoReader[] = [];
    stream.on("data", (bytes: Buffer) => messages.push(new ProtoReader(bytes)));
    let ended = false;
    const end = (error: grpc.ServiceError | null) => {
      if (ended) return;
      ended = true;
      this.#release(pooled, error);
      if (call.handle !== attempt) return;
      call.handle = null;
      if (error !== null) call.owner.failed(call, failureOf(error));
      else this.#answer(call, () => operation.decodeMessages(messages));
    };
    stream.on("error", (error: grpc.ServiceError) => end(error));
    stream.on("end", () => end(null));
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
      this.send(waiting);
      break;
    }
  }

  #encode(operation: Operation<unknown>): Buffer {
    const writer = this.#writer;
    writer.clear(65_536);
    writer.reserve(operation.measure() + 16);
    operation.encode(writer);
    return Buffer.from(writer.written());
  }

  #metadataFor(cacheName: string): grpc.Metadata {
    let metadata = this.#metadata.get(cacheName);
    if (metadata !== undefined) return metadata;
    metadata = new grpc.Metadata({ waitForReady: true });
    for (const [name, value] of Object.entries(this.parts.metadata)) metadata.set(name, value);
    if (cacheName !== "") metadata.set("cache", cacheName);
    if (this.#metadata.size >= keptMetadata) this.#metadata.delete(this.#metadata.keys().next().value as string);
    this.#metadata.set(cacheName, metadata);
    return metadata;
  }
}

function failureOf(error: grpc.ServiceError): Failure {
  const [cause] = error.metadata?.get("err") ?? [];
  const text = cause === undefined ? undefined : String(cause);
  return { status: error.code, message: error.details, cause: text, notExecuted: text === "not_executed" };
}
