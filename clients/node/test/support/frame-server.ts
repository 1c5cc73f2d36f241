import { Buffer } from "node:buffer";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { CacheClient } from "../../src/client/client.js";
import type { Configuration } from "../../src/configuration/configuration.js";
import { withSettings } from "../../src/configuration/configuration-check.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { CredentialProvider } from "../../src/configuration/credential-provider.js";
import { encodeHeaders, HeaderDecoder } from "../../src/http2/hpack.js";
import { Http2FrameReader } from "../../src/http2/http2-frame-reader.js";
import { connectionPreface, FrameFlag, FrameType, frameOf, settingsFrame } from "../../src/http2/http2-frames.js";

/** A received frame other than a DATA frame. */
export interface CameFrame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** A complete request. */
export interface CameRequest {
  readonly stream: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly message: Buffer;
}

/** The server side of a client's connection. */
export class FramePeer {
  readonly frames: CameFrame[] = [];
  /** The number of data bytes received on each stream. */
  readonly dataBytes = new Map<number, number>();
  readonly #decoder = new HeaderDecoder();
  readonly #headers = new Map<number, Readonly<Record<string, string>>>();
  readonly #data = new Map<number, Buffer[]>();
  #stream = 0;
  #preface = connectionPreface.length;

  constructor(
    readonly socket: Socket,
    private readonly server: FrameServer,
  ) {
    const reader = new Http2FrameReader(
      {
        data: (bytes) => this.#data.get(this.#stream)!.push(Buffer.from(bytes)),
        dataFrame: (stream, lengthBytes) => {
          this.#stream = stream;
          this.dataBytes.set(stream, (this.dataBytes.get(stream) ?? 0) + lengthBytes);
          if (!this.#data.has(stream)) this.#data.set(stream, []);
        },
        dataEnded: () => this.#ended(),
        frame: (type, flags, stream, payload) => {
          this.frames.push({ type, flags, stream, payload: Buffer.from(payload) });
          if (type !== FrameType.headers || (flags & FrameFlag.endHeaders) === 0) return;
          this.#headers.set(stream, this.#decoder.decode(payload));
          this.server.onStream(stream, this);
        },
      },
      1 << 20,
    );
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => {
      const skipped = Math.min(this.#preface, chunk.length);
      this.#preface -= skipped;
      reader.push(chunk.subarray(skipped));
    });
    socket.write(server.greeting());
    server.onConnection(this);
  }

  send(...frames: readonly Buffer[]): void {
    this.socket.write(Buffer.concat(frames));
  }

  /** Sends a HEADERS frame whose fields are encoded as literals. */
  headers(stream: number, fields: Readonly<Record<string, string>>, isLast: boolean): void {
    this.send(
      frameOf(
        FrameType.headers,
        FrameFlag.endHeaders | (isLast ? FrameFlag.endStream : 0),
        stream,
        encodeHeaders(Object.entries(fields)),
      ),
    );
  }

  data(stream: number, bytes: Buffer): void {
    this.send(frameOf(FrameType.data, 0, stream, bytes));
  }

  /** Sends a complete gRPC response. By default, the message is the response to a get of a missing key. */
  answer(
    stream: number,
    { message = miss, head = {} }: { readonly message?: Buffer; readonly head?: Readonly<Record<string, string>> } = {},
  ): void {
    this.headers(stream, { ...okHead, ...head }, false);
    this.data(stream, message);
    this.headers(stream, { "grpc-status": "0" }, true);
  }

  reset(stream: number, code: number): void {
    this.send(numbers(FrameType.rstStream, stream, code));
  }

  goaway(last: number, code = 0): void {
    this.send(numbers(FrameType.goaway, 0, last, code));
  }

  #ended(): void {
    const stream = this.#stream;
    this.server.onRequest(
      { stream, headers: this.#headers.get(stream)!, message: Buffer.concat(this.#data.get(stream)!) },
      this,
    );
  }
}

export const okHead = { ":status": "200", "content-type": "application/grpc" };
/** The gRPC frame of the response to a get of a missing key. */
export const miss = Buffer.from([0, 0, 0, 0, 2, 8, 3]);

/** A server that sends and records HTTP/2 frames. The test can replace its behaviour. */
export class FrameServer {
  /** Handles a request. By default, the request is answered immediately. */
  onRequest: (request: CameRequest, peer: FramePeer) => void = ({ stream }, peer) => peer.answer(stream);
  /** Handles an accepted connection, after the server has sent its first bytes. By default, does nothing. */
  onConnection: (peer: FramePeer) => void = () => {};
  /** Handles the headers of a request. By default, does nothing. */
  onStream: (stream: number, peer: FramePeer) => void = () => {};
  /** Returns the first bytes that the server sends on a connection. */
  greeting: () => Buffer = () => settingsFrame([]);
  /** The accepted connections, in order. */
  readonly peers: FramePeer[] = [];
  readonly #server: Server = createServer((socket) => this.peers.push(new FramePeer(socket, this)));

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  get endpoint(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { socket } of this.peers) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Returns a client for unary calls, with one channel and no retries. */
export function unaryClientOf({ endpoint }: FrameServer, changes: Partial<Configuration> = {}): CacheClient {
  return new CacheClient({
    credentials: CredentialProvider.local(endpoint),
    configuration: withSettings(Configurations.Laptop.latest(), {
      transport: "unary",
      requestTimeoutMs: 30_000,
      channels: 1,
      maxRetries: 0,
      ...changes,
    }),
    defaultTtlMs: 60_000,
  });
}

/** Returns a frame whose payload consists of 4-byte numbers. */
export function numbers(type: number, stream: number, ...values: readonly number[]): Buffer {
  const payload = Buffer.alloc(values.length * 4);
  values.forEach((value, place) => void payload.writeUInt32BE(value, place * 4));
  return frameOf(type, 0, stream, payload);
}
