import { Buffer } from "node:buffer";
import * as http2 from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { CacheClient } from "../../src/client/client.js";
import type { CacheClientOptions } from "../../src/client/client-options.js";
import { Status } from "../../src/client/errors.js";
import type { TransportKind } from "../../src/configuration/configuration.js";
import { withSettings } from "../../src/configuration/configuration-check.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { CredentialProvider } from "../../src/configuration/credential-provider.js";
import { kinds } from "../../src/operations/_generated/operation-kinds.js";
import { ProtoReader } from "../../src/operations/proto-reader.js";
import { fieldLength, ProtoWriter, varintLength } from "../../src/operations/proto-writer.js";

/** A call that the fake server has received and not yet answered. */
export interface FakeCall {
  readonly rpc: string;
  /** The complete request message. */
  readonly request: Buffer;
  readonly key: string;
  readonly value: Buffer;
  answer(): void;
  /** Answers with the given message. */
  answerWith(response: Buffer): void;
  fail(status: number, message: string, cause?: string): void;
  /** Whether the call is a near get. */
  readonly near: boolean;
  /** Answers like `answer`, and adds this encoded ticket and the value's remaining TTL to the result. */
  answerKept(ticket: number, ttlLeftMs?: number): void;
}

/** A `near_open` or a `near_renew` that has not been answered yet. */
export interface FakeNearCall {
  readonly what: "open" | "renew";
  /** Answers the call. The first answer contains a lease. */
  answer(leaseMs?: number): void;
  fail(status: number, message: string): void;
}

/** Answers a call or fails it. `kept` contains the encoded fields of the result except its outcome. */
interface Reply {
  readonly answer: (response: Buffer, kept?: Buffer) => void;
  readonly fail: (status: number, message: string, cause?: string) => void;
}

const nearOpenField = 80;
const nearRenewField = 81;
const nearTag = 512;
const pipelinePath = "/larder.v1.Pipeline/Run";
const fields: Readonly<Record<number, string>> = {
  ...Object.fromEntries(Object.values(kinds).map(({ field, path }) => [field, rpcOf(path)])),
  7: "Cancel",
};

function rpcOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/**
 * A server in the test's process that implements get, set, delete and increment. The test can replace its behaviour.
 */
export class FakeServer {
  /** Handles each call. By default, the call is answered immediately. */
  onCall: (call: FakeCall) => void = (call) => call.answer();
  pipelineSupported = true;
  /** Handles the near-cache calls. By default the server does not support them. */
  onNear: (call: FakeNearCall) => void = (call) => call.fail(Status.unimplemented, "unknown call");
  /** Returns whether a token is rejected. The server calls it for each call, and also when a pipeline opens. */
  refuses: (token: string | undefined) => boolean = () => false;
  /** A value larger than this is answered with `use_unary` if the call is on a pipeline. */
  largeValueBytes = 65_536;
  /** The names of the received calls, in order. */
  readonly calls: string[] = [];
  connections = 0;
  /** The number of cancelled calls: reset unary streams, and `cancel` frames on a pipeline. */
  cancelled = 0;
  pipelines = 0;
  /** The request headers of each stream. */
  readonly headers: http2.IncomingHttpHeaders[] = [];
  readonly #store = new Map<string, Buffer>();
  readonly #server: http2.Http2Server | http2.Http2SecureServer;
  readonly #sockets = new Set<Socket>();
  readonly #pipelineStreams = new Set<http2.ServerHttp2Stream>();

  /** For each TLS connection, the server name that the client requested and the name in the client's certificate. */
  readonly shown: { readonly serverName: string | false | null; readonly client: string | undefined }[] = [];

  /** Creates a server. With `tls`, it uses TLS. */
  constructor(tls?: http2.SecureServerOptions) {
    const settings = { maxConcurrentStreams: 100 };
    this.#server =
      tls === undefined ? http2.createServer({ settings }) : http2.createSecureServer({ ...tls, settings });
  }

  /** Replaces the TLS options of new connections. */
  use(tls: http2.SecureServerOptions): void {
    (this.#server as http2.Http2SecureServer).setSecureContext(tls);
  }

  async start(port = 0): Promise<this> {
    this.#server.on("secureConnection", (socket: TLSSocket) => {
      const { subject } = socket.getPeerCertificate();
      this.shown.push({ serverName: socket.servername, client: subject?.CN as string | undefined });
    });
    this.#server.on("connection", (socket: Socket) => {
      this.connections++;
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
    this.#server.on("sessionError", () => {});
    this.#server.on("stream", (stream, headers) => {
      stream.on("error", () => {});
      this.headers.push(headers);
      const path = String(headers[":path"]);
      if (this.refuses(headers.authorization)) {
        refuse(stream);
        return;
      }
      if (path === pipelinePath) this.#pipeline(stream, headers.authorization);
      else this.#unary(stream, path);
    });
    await new Promise<void>((resolve) => this.#server.listen(port, "127.0.0.1", resolve));
    return this;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }
  get endpoint(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Breaks every connection, as a crash would. */
  breakConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Notifies all clients with a pipeline that the server is shutting down. */
  drainPipelines(): void {
    for (const stream of this.#pipelineStreams) stream.write(frame(Buffer.from([16, 1])));
  }

  /** Sends invalidations on each pipeline. They invalidate the given tickets or, if `clear` is set, all copies. */
  tell(told: { readonly tickets?: readonly number[]; readonly clear?: boolean }): void {
    for (const stream of this.#pipelineStreams) stream.write(frame(copiesTold(told)));
  }

  async stop(): Promise<void> {
    this.breakConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #unary(stream: http2.ServerHttp2Stream, path: string): void {
    stream.on("aborted", () => this.cancelled++);
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      const body = Buffer.concat(chunks);
      const reader = new ProtoReader(body, 5);
      this.#take(rpcOf(path), reader, {
        answer: (response) => {
          if (stream.closed) return;
          stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
          stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
          stream.end(frame(response));
        },
        fail: (status, message, cause) => {
          if (stream.closed) return;
          const trailers = { "grpc-status": String(status), "grpc-message": percentEncoded(message) };
          const extra = cause === undefined ? {} : { err: cause };
          stream.respond(
            { ":status": 200, "content-type": "application/grpc", ...trailers, ...extra },
            { endStream: true },
          );
        },
      });
    });
  }

  #pipeline(stream: http2.ServerHttp2Stream, token: string | undefined): void {
    const header = { ":status": 200, "content-type": "application/grpc" };
    if (!this.pipelineSupported) {
      stream.respond({ ...header, "grpc-status": String(Status.unimplemented) }, { endStream: true });
      return;
    }
    this.pipelines++;
    this.#pipelineStreams.add(stream);
    stream.on("close", () => this.#pipelineStreams.delete(stream));
    stream.respond(header);
    let rest: Buffer = Buffer.alloc(0);
    stream.on("data", (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 5 && rest.length >= 5 + rest.readUInt32BE(1)) {
        const end = 5 + rest.readUInt32BE(1);
        const reader = new ProtoReader(rest, 5, end);
        while (reader.more) {
          reader.varint();
          reader.nested((operation) => this.#operation(stream, operation, token));
        }
        rest = rest.subarray(end);
      }
    });
  }

  #operation(stream: http2.ServerHttp2Stream, reader: ProtoReader, token: string | undefined): void {
    let id = 0;
    let near = false;
    while (reader.more) {
      const tag = reader.varint();
      if (tag === 8) id = reader.varint();
      else if (tag === nearTag) near = reader.varint() !== 0;
      else if (tag >>> 3 < 4) reader.skip(tag);
      else if (this.refuses(token)) {
        reader.skip(tag);
        stream.write(frame(result(id, 2, callStatus(Status.unauthenticated, "unknown token", undefined))));
      } else this.#dispatch(stream, { id, near }, tag, reader);
    }
  }

  #dispatch(
    stream: http2.ServerHttp2Stream,
    { id, near }: { readonly id: number; readonly near: boolean },
    tag: number,
    reader: ProtoReader,
  ): void {
    const field = tag >>> 3;
    const send = (outcomeField: number, outcome: Buffer, kept?: Buffer) => {
      if (!stream.closed && !stream.destroyed) stream.write(frame(result(id, outcomeField, outcome, kept)));
    };
    const fail = (status: number, message: string, cause?: string) => send(2, callStatus(status, message, cause));
    if (field === nearOpenField || field === nearRenewField) {
      reader.skip(tag);
      const answer = (leaseMs?: number) =>
        send(field, leaseMs === undefined ? Buffer.alloc(0) : varintField(8, leaseMs));
      this.onNear({ what: field === nearOpenField ? "open" : "renew", answer, fail });
      return;
    }
    const answer = (response: Buffer, kept?: Buffer) =>
      response.length > this.largeValueBytes ? send(3, Buffer.alloc(0)) : send(field, response, kept);
    reader.nested((request) => this.#take(fields[field] ?? "Unknown", request, { answer, fail }, near));
  }

  #take(rpc: string, reader: ProtoReader, reply: Reply, near = false): void {
    if (rpc === "Ping") {
      reply.answer(Buffer.alloc(0));
      return;
    }
    this.calls.push(rpc);
    if (rpc === "Cancel") {
      this.cancelled++;
      return;
    }
    const request = Buffer.from(reader.buffer.subarray(reader.position, reader.end));
    let key = "";
    let value: Buffer = Buffer.alloc(0);
    let amount = 0n;
    while (reader.more) {
      const tag = reader.varint();
      if (tag === 10) key = reader.bytes().toString("latin1");
      else if (tag === 18) value = Buffer.from(reader.bytes());
      else if (tag === 16) amount = reader.bigVarint();
      else reader.skip(tag);
    }
    const answer = () => reply.answer(this.#execute(rpc, key, value, amount));
    const answerKept = (ticket: number, ttlLeftMs = 60_000) =>
      reply.answer(
        this.#execute(rpc, key, value, amount),
        Buffer.concat([varintField(512, ticket), varintField(520, ttlLeftMs)]),
      );
    this.onCall({ rpc, request, key, value, answer, answerWith: reply.answer, fail: reply.fail, near, answerKept });
  }

  #execute(rpc: string, key: string, value: Buffer, amount: bigint): Buffer {
    switch (rpc) {
      case "Get": {
        const found = this.#store.get(key);
        if (found === undefined) return Buffer.from([8, 3]);
        const writer = new ProtoWriter(found.length + 16);
        writer.byte(8);
        writer.byte(2);
        writer.bytesField(18, found, found.length);
        return Buffer.from(writer.written());
      }
      case "Set":
        this.#store.set(key, value);
        return Buffer.from([8, 1]);
      case "Increment": {
        const sum = BigInt(this.#store.get(key)?.toString() ?? "0") + amount;
        this.#store.set(key, Buffer.from(sum.toString()));
        const writer = new ProtoWriter(16);
        writer.byte(8);
        writer.bigVarint(sum);
        return Buffer.from(writer.written());
      }
      default:
        this.#store.delete(key);
        return Buffer.alloc(0);
    }
  }
}

function refuse(stream: http2.ServerHttp2Stream): void {
  const status = { "grpc-status": String(Status.unauthenticated), "grpc-message": "unknown token" };
  stream.respond({ ":status": 200, "content-type": "application/grpc", ...status }, { endStream: true });
}

/** Wraps a message in a gRPC frame. */
export function frame(message: Buffer): Buffer {
  const header = Buffer.alloc(5);
  header.writeUInt32BE(message.length, 1);
  return Buffer.concat([header, message]);
}

/** Encodes a numeric field. */
export function varintField(tag: number, value: number): Buffer {
  const writer = new ProtoWriter(24);
  writer.varint(tag);
  writer.varint(value);
  return Buffer.from(writer.written());
}

/** Encodes a BatchResult that invalidates copies. Each ticket has its own field. */
export function copiesTold({
  tickets = [],
  clear = false,
}: {
  readonly tickets?: readonly number[];
  readonly clear?: boolean;
}): Buffer {
  return Buffer.concat([...tickets.map((ticket) => varintField(24, ticket)), ...(clear ? [varintField(32, 1)] : [])]);
}

/**
 * Encodes a BatchResult with one result.
 * @param kept - The encoded fields of the result except its outcome.
 */
export function result(id: number, field: number, outcome: Buffer, kept: Buffer = Buffer.alloc(0)): Buffer {
  const tag = field * 8 + 2;
  const length = 1 + varintLength(id) + varintLength(tag) - 1 + fieldLength(outcome.length) + kept.length;
  const writer = new ProtoWriter(length + 16);
  writer.byte(10);
  writer.varint(length);
  writer.byte(8);
  writer.varint(id);
  writer.varint(tag);
  writer.varint(outcome.length);
  writer.raw(outcome, outcome.length);
  writer.raw(kept, kept.length);
  return Buffer.from(writer.written());
}

function callStatus(status: number, message: string, cause: string | undefined): Buffer {
  const writer = new ProtoWriter(256);
  writer.byte(8);
  writer.varint(status);
  writer.bytesField(18, message, Buffer.byteLength(message));
  if (cause !== undefined) writer.bytesField(26, cause, Buffer.byteLength(cause));
  return Buffer.from(writer.written());
}

// Encodes `grpc-message` as gRPC requires: encodes only the percent sign and bytes that are not printable ASCII.
function percentEncoded(message: string): string {
  return message.replace(/[^\x20-\x24\x26-\x7e]/gu, encodeURIComponent);
}

/** Returns a client of a fake server. Its deadline is long enough even on a loaded machine. */
export function clientOf(
  server: FakeServer,
  transport: TransportKind,
  options: Partial<CacheClientOptions> = {},
): CacheClient {
  return new CacheClient({
    credentials: CredentialProvider.local(server.endpoint),
    configuration: withSettings(Configurations.Laptop.latest(), { transport, requestTimeoutMs: 30_000 }),
    defaultTtlMs: 60_000,
    ...options,
  });
}

/** Waits until a condition holds. Only the test's own timeout limits the wait. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
}
