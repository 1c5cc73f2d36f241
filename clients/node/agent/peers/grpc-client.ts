import { Buffer } from "node:buffer";
import * as grpc from "@grpc/grpc-js";
import { ProtoReader } from "../../src/operations/proto-reader.js";
import { ProtoWriter } from "../../src/operations/proto-writer.js";
import type { GetOperation, SetOperation } from "../../src/operations/scalar-operations.js";
import { type AgentClient, AgentFailure, type Request } from "../line-agent.js";
import type { LoadTarget } from "../load/load.js";
import { bareChannels, bareTarget } from "./bare-grpc.js";

const asIs = (bytes: Buffer) => bytes;

/**
 * Uses grpc-js directly with the codec of this client, without a concurrency limit and without retries. Calls use the
 * channels in turn. Each channel has its own connection, unless the channels share the process's pool of subchannels.
 * Calls have a deadline only if the request sets one.
 */
export class GrpcAgentClient implements AgentClient {
  readonly name = "grpc-js";
  #channels: grpc.Client[] = [];
  readonly #metadata = new grpc.Metadata();
  readonly #writer = new ProtoWriter(1_024);
  #next = 0;
  #timeoutMs: number | null = null;

  async open(request: Request): Promise<object> {
    const count = bareChannels(request);
    this.#metadata.set("cache", "cache");
    const isLocal = poolOf(request) === "local";
    this.#timeoutMs = typeof request.requestTimeoutMs === "number" ? request.requestTimeoutMs : null;
    this.#channels = Array.from(
      { length: count },
      (_, index) =>
        new grpc.Client(
          String(request.endpoint),
          grpc.credentials.createInsecure(),
          isLocal ? { "grpc.use_local_subchannel_pool": 1, "larder.channel": index } : {},
        ),
    );
    const deadline = Date.now() + 30_000;
    const ready = (channel: grpc.Client) =>
      new Promise<void>((resolve, reject) =>
        channel.waitForReady(deadline, (error) => (error === undefined ? resolve() : reject(error))),
      );
    await Promise.all(this.#channels.map(ready));
    return { version: "1.14.7", transport: "unary", maxInFlight: "off", channels: count };
  }

  async close(): Promise<void> {
    for (const channel of this.#channels) channel.close();
    this.#channels = [];
  }

  statistics() {
    return { inFlight: null, inFlightLimit: "off", queued: null, connections: null };
  }

  target(): LoadTarget {
    const errorCode = (response: unknown) => {
      if (!(response instanceof Error)) return null;
      return "code" in response && response.code === grpc.status.DEADLINE_EXCEEDED ? "Timeout" : "Unknown";
    };
    return bareTarget(
      (operation) => this.#call(operation),
      errorCode,
      // Return null, because the library does not report the connections of channels that share a pool of subchannels.
      // The server's `/stats` reports them.
      () => null,
    );
  }

  operate(request: Request): Promise<object> {
    throw new AgentFailure("Unsupported", `this peer does not support "${request.op}"`);
  }

  #call(operation: GetOperation | SetOperation): Promise<unknown> {
    const writer = this.#writer;
    writer.clear(65_536);
    writer.reserve(operation.measure() + 16);
    operation.encode(writer);
    const request = Buffer.from(writer.written());
    const channel = this.#channels[this.#next++ % this.#channels.length]!;
    const options = this.#timeoutMs === null ? {} : { deadline: Date.now() + this.#timeoutMs };
    return new Promise((resolve, reject) => {
      channel.makeUnaryRequest(operation.kind.path, asIs, asIs, request, this.#metadata, options, (error, bytes) => {
        if (error === null) resolve(operation.decode(new ProtoReader(bytes!)));
        else reject(error);
      });
    });
  }
}

function poolOf(request: Request): "local" | "shared" {
  const pool = request.subchannelPool ?? "local";
  if (pool === "local" || pool === "shared") return pool;
  throw new AgentFailure("AgentError", `subchannelPool must be "local" or "shared", not ${JSON.stringify(pool)}`);
}
