import type { Buffer } from "node:buffer";
import type * as grpc from "@grpc/grpc-js";
import type { BatchOperation } from "./batch-operations.js";
import type { Call } from "./call.js";
import type { PooledChannel } from "./channel-pool.js";
import { ProtoReader } from "./proto-reader.js";
import { asIs } from "./unary-channel.js";

/** Told once how an attempt ended: why it failed, or how to read its answer. */
export type AttemptEnd = (attempt: UnaryAttempt, error: grpc.ServiceError | null, decode: () => unknown) => void;

/** One attempt of a call, on a channel: the call's `handle` while it is under way. */
export class UnaryAttempt {
  #sent: { cancel(): void } | null = null;

  constructor(
    readonly pooled: PooledChannel<grpc.Client>,
    readonly call: Call,
    private readonly end: AttemptEnd,
    /** The number of the provider's token that it shows; undefined: there is no provider. */
    readonly shown?: number,
  ) {}

  send(request: Buffer, metadata: grpc.Metadata, options: grpc.CallOptions): void {
    const { operation } = this.call;
    const { path, serverStream } = operation.kind;
    const { channel } = this.pooled;
    this.#sent = serverStream
      ? this.#read(channel.makeServerStreamRequest(path, asIs, asIs, request, metadata, options))
      : channel.makeUnaryRequest(path, asIs, asIs, request, metadata, options, (error, bytes) =>
          this.end(this, error, () => operation.decode(new ProtoReader(bytes!))),
        );
  }

  cancel(): void {
    this.#sent?.cancel();
  }

  #read(stream: grpc.ClientReadableStream<Buffer>): grpc.ClientReadableStream<Buffer> {
    const operation = this.call.operation as BatchOperation<unknown>;
    const messages: ProtoReader[] = [];
    let ended = false;
    const end = (error: grpc.ServiceError | null) => {
      if (ended) return;
      ended = true;
      this.end(this, error, () => operation.decodeMessages(messages));
    };
    stream.on("data", (bytes: Buffer) => messages.push(new ProtoReader(bytes)));
    stream.on("error", (error: grpc.ServiceError) => end(error));
    stream.on("end", () => end(null));
    return stream;
  }
}
