import { Buffer } from "node:buffer";
import * as grpc from "@grpc/grpc-js";
import { ProtoReader } from "../src/proto-reader.js";
import { ProtoWriter } from "../src/proto-writer.js";
import { Hit } from "../src/responses.js";
import { GetOperation, SetOperation } from "../src/scalar-operations.js";
import { type AgentClient, AgentFailure, type Request } from "./line-agent.js";
import type { LoadTarget } from "./load.js";

// As many as Configurations.Laptop has, each with a connection of its own.
const channelCount = 5;
const asIs = (bytes: Buffer) => bytes;

/** grpc-js called directly, with our codec: no cap, no deadline, no retries, calls in turn over five channels. */
export class GrpcAgentClient implements AgentClient {
  readonly name = "grpc-js";
  #channels: grpc.Client[] = [];
  readonly #metadata = new grpc.Metadata();
  readonly #writer = new ProtoWriter(1_024);
  #next = 0;

  async open(request: Request): Promise<object> {
    if (request.headers !== undefined || typeof request.maxInFlight === "number")
      throw new AgentFailure("Unsupported", "the bare library has no cap");
    this.#metadata.set("cache", "cache");
    this.#channels = Array.from(
      { length: channelCount },
      (_, index) =>
        new grpc.Client(String(request.endpoint), grpc.credentials.createInsecure(), {
          "grpc.use_local_subchannel_pool": 1,
          "larder.channel": index,
        }),
    );
    const deadline = Date.now() + 30_000;
    const ready = (channel: grpc.Client) =>
      new Promise<void>((resolve, reject) =>
        channel.waitForReady(deadline, (error) => (error === undefined ? resolve() : reject(error))),
      );
    await Promise.all(this.#channels.map(ready));
    return { version: "1.14.7", transport: "unary", maxInFlight: "off", channels: channelCount };
  }

  async close(): Promise<void> {
    for (const channel of this.#channels) channel.close();
    this.#channels = [];
  }

  statistics() {
    return { inFlight: null, inFlightLimit: "off", queued: null, connections: channelCount };
  }

  target(): LoadTarget {
    return {
      get: (key) => this.#call(new GetOperation("cache", key)),
      set: (key, value, ttlMs) => this.#call(new SetOperation("cache", key, value, ttlMs)),
      valueOf: (response) => (response instanceof Hit ? response.value : null),
      errorCode: (response) => (response instanceof Error ? "Unknown" : null),
      connections: () => channelCount,
    };
  }

  operate(request: Request): Promise<object> {
    throw new AgentFailure("Unsupported", `a peer has no "${request.op}"`);
  }

  #call(operation: GetOperation | SetOperation): Promise<unknown> {
    const writer = this.#writer;
    writer.clear(65_536);
    writer.reserve(operation.measure() + 16);
    operation.encode(writer);
    const request = Buffer.from(writer.written());
    const channel = this.#channels[this.#next++ % channelCount]!;
    return new Promise((resolve, reject) => {
      channel.makeUnaryRequest(operation.kind.path, asIs, asIs, request, this.#metadata, (error, bytes) => {
        if (error === null) resolve(operation.decode(new ProtoReader(bytes!)));
        else reject(error);
      });
    });
  }
}
