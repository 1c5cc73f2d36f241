import { Buffer } from "node:buffer";
import { once } from "node:events";
import * as http2 from "node:http2";
import { systemClock } from "../../src/calls/clock.js";
import { DeadlineQueue, type Expiring } from "../../src/calls/deadline-queue.js";
import { Status } from "../../src/client/errors.js";
import { ProtoReader } from "../../src/operations/proto-reader.js";
import { ProtoWriter } from "../../src/operations/proto-writer.js";
import type { GetOperation, SetOperation } from "../../src/operations/scalar-operations.js";
import { type AgentClient, AgentFailure, type Request } from "../line-agent.js";
import type { LoadTarget } from "../load/load.js";
import { bareChannels, bareTarget } from "./bare-grpc.js";

const headerBytes = 5;
const timeoutMs = 5_000;

/** The failure of a call that ended with an error status or timed out. */
class CallFailure extends Error {
  constructor(readonly status: number) {
    super(`status ${status}`);
  }
}

/**
 * One call: a `node:http2` stream with the call's message and trailers. The deadlines of all calls are in one queue.
 */
class Http2Call implements Expiring {
  readonly deadlineAt = performance.now() + timeoutMs;
  expiresBefore: Expiring | null = null;
  expiresAfter: Expiring | null = null;
  #first: Buffer | null = null;
  #status = -1;

  constructor(
    private readonly stream: http2.ClientHttp2Stream,
    private readonly operation: GetOperation | SetOperation,
    private readonly deadlines: DeadlineQueue,
    private readonly settle: (response: unknown) => void,
  ) {
    stream.on("data", (chunk: Buffer) => {
      this.#first = this.#first === null ? chunk : Buffer.concat([this.#first, chunk]);
    });
    stream.on("response", (headers) => this.#readStatus(headers["grpc-status"]));
    stream.on("trailers", (trailers) => this.#readStatus(trailers["grpc-status"]));
    stream.on("error", () => {});
    stream.on("close", () => this.#ended());
    deadlines.add(this, timeoutMs);
  }

  expired(): void {
    this.stream.close(http2.constants.NGHTTP2_CANCEL);
    this.settle(new CallFailure(Status.deadlineExceeded));
  }

  #readStatus(text: unknown): void {
    if (text !== undefined) this.#status = Number(text);
  }

  #ended(): void {
    this.deadlines.remove(this, timeoutMs);
    const message = this.#first;
    this.settle(
      this.#status === 0 && message !== null
        ? this.operation.decode(new ProtoReader(message, headerBytes))
        : new CallFailure(this.#status),
    );
  }
}

/**
 * Makes calls over `node:http2` with the minimum that gRPC needs. Its throughput is the upper limit for a unary
 * transport that is based on `node:http2`.
 */
export class Http2AgentClient implements AgentClient {
  readonly name = "node-http2";
  #sessions: http2.ClientHttp2Session[] = [];
  readonly #deadlines = new DeadlineQueue(systemClock);
  readonly #writer = new ProtoWriter(1_024);
  #next = 0;

  async open(request: Request): Promise<object> {
    const count = bareChannels(request);
    this.#sessions = Array.from({ length: count }, () => http2.connect(`http://${request.endpoint}`));
    await Promise.all(this.#sessions.map((session) => once(session, "remoteSettings")));
    return { version: process.version, transport: "unary", maxInFlight: "off", channels: count };
  }

  async close(): Promise<void> {
    for (const session of this.#sessions) session.destroy();
    this.#sessions = [];
  }

  statistics() {
    return { inFlight: null, inFlightLimit: "off", queued: null, connections: this.#sessions.length };
  }

  target(): LoadTarget {
    const errorCode = (response: unknown) => {
      if (!(response instanceof CallFailure)) return null;
      return response.status === Status.deadlineExceeded ? "Timeout" : "Unknown";
    };
    return bareTarget(
      (operation) => this.#call(operation),
      errorCode,
      () => this.#sessions.length,
    );
  }

  operate(request: Request): Promise<object> {
    throw new AgentFailure("Unsupported", `this peer does not support "${request.op}"`);
  }

  #call(operation: GetOperation | SetOperation): Promise<unknown> {
    const writer = this.#writer;
    writer.clear(65_536);
    writer.reserve(operation.measure() + 16);
    for (let i = 0; i < headerBytes; i++) writer.byte(0);
    operation.encode(writer);
    writer.patchUint32(1, writer.length - headerBytes);
    const session = this.#sessions[this.#next++ % this.#sessions.length]!;
    const stream = session.request({
      ":method": "POST",
      ":path": operation.kind.path,
      te: "trailers",
      "content-type": "application/grpc",
      "grpc-timeout": `${timeoutMs}m`,
      cache: "cache",
    });
    const settled = new Promise((resolve) => new Http2Call(stream, operation, this.#deadlines, resolve));
    stream.end(Buffer.from(writer.written()));
    return settled;
  }
}
