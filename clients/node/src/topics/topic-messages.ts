import { Buffer } from "node:buffer";
import { type Success, success } from "../client/responses.js";
import { kinds } from "../operations/_generated/operation-kinds.js";
import { Operation, type OperationKind } from "../operations/operation.js";
import type { ProtoReader } from "../operations/proto-reader.js";
import { type Bytes, bigVarintLength, byteLength, fieldLength, ProtoWriter } from "../operations/proto-writer.js";
import { outcomeOf } from "../operations/response-fields.js";
import type { SubscribeStart } from "./subscription-state.js";

/** The HTTP/2 path of the RPC that opens a subscription's stream. */
export const subscribePath = "/cache_client.pubsub.Pubsub/Subscribe";

// The header of a gRPC frame: one byte for the compression flag and four bytes for the length.
const frameHeaderBytes = 5;

/** The operation that publishes a message to a topic. The cache's name is in the request, not in the metadata. */
export class PublishOperation extends Operation<Success> {
  constructor(
    readonly cache: string,
    readonly topic: string,
    readonly value: Bytes,
  ) {
    super("", 0);
  }
  get kind(): OperationKind {
    return kinds.publish;
  }
  measure(): number {
    return nameLength(this.cache) + nameLength(this.topic) + fieldLength(this.#valueLength);
  }
  encode(writer: ProtoWriter): void {
    writeNames(writer, this.cache, this.topic);
    writer.header(26, this.#valueLength);
    writer.bytesField(typeof this.value === "string" ? 10 : 18, this.value, byteLength(this.value));
  }
  decode(): Success {
    return success;
  }
  get #valueLength(): number {
    return fieldLength(byteLength(this.value));
  }
}

/** Returns the request of a subscription, as a framed gRPC message. */
export function subscribeRequest(cache: string, topic: string, { resumeAt, page }: SubscribeStart): Buffer {
  const [signedStart, signedPage] = [BigInt.asIntN(64, resumeAt), BigInt.asIntN(64, page)];
  const length = nameLength(cache) + nameLength(topic) + 2 + bigVarintLength(signedStart) + bigVarintLength(signedPage);
  const writer = new ProtoWriter(frameHeaderBytes + length);
  for (let i = 0; i < frameHeaderBytes; i++) writer.byte(0);
  writer.patchUint32(1, length);
  writeNames(writer, cache, topic);
  writer.byte(24);
  writer.bigVarint(resumeAt);
  writer.byte(32);
  writer.bigVarint(page);
  return writer.written();
}

/**
 * A message from the server on the stream of a subscription. Its kind is `unknown` if this version of the client does
 * not know it.
 */
export type TopicMessage =
  | {
      readonly kind: "item";
      readonly number: bigint;
      readonly page: bigint;
      readonly value: string | Buffer;
      readonly publisherId: string;
    }
  | { readonly kind: "discontinuity"; readonly last: bigint; readonly newest: bigint; readonly page: bigint }
  | { readonly kind: "heartbeat" }
  | { readonly kind: "unknown" };

const heartbeat: TopicMessage = { kind: "heartbeat" };
const unknown: TopicMessage = { kind: "unknown" };

/**
 * Reads one message of a subscription's stream.
 * @throws ProtoError if the bytes are invalid.
 */
export function readTopicMessage(reader: ProtoReader): TopicMessage {
  const { number, content } = outcomeOf(reader);
  switch (number) {
    case 1:
      return readItem(content);
    case 2:
      return readDiscontinuity(content);
    case 3:
      return heartbeat;
    default:
      return unknown;
  }
}

function readItem(reader: ProtoReader): TopicMessage {
  const item = { kind: "item" as const, number: 0n, page: 0n, value: "" as string | Buffer, publisherId: "" };
  while (reader.more) {
    const tag = reader.varint();
    if (tag === 8) item.number = reader.unsignedBigVarint();
    else if (tag === 18) item.value = reader.nested(readValue);
    else if (tag === 26) item.publisherId = reader.text();
    else if (tag === 32) item.page = reader.unsignedBigVarint();
    else reader.skip(tag);
  }
  return item;
}

// Returns the published text or bytes. Copies bytes, because a view would keep the connection's whole buffer alive.
function readValue(reader: ProtoReader): string | Buffer {
  let value: string | Buffer = "";
  while (reader.more) {
    const tag = reader.varint();
    if (tag === 10) value = reader.text();
    else if (tag === 18) value = Buffer.from(reader.bytes());
    else reader.skip(tag);
  }
  return value;
}

function readDiscontinuity(reader: ProtoReader): TopicMessage {
  const gap = { kind: "discontinuity" as const, last: 0n, newest: 0n, page: 0n };
  while (reader.more) {
    const tag = reader.varint();
    if (tag === 8) gap.last = reader.unsignedBigVarint();
    else if (tag === 16) gap.newest = reader.unsignedBigVarint();
    else if (tag === 24) gap.page = reader.unsignedBigVarint();
    else reader.skip(tag);
  }
  return gap;
}

function nameLength(name: string): number {
  return fieldLength(byteLength(name));
}

function writeNames(writer: ProtoWriter, cache: string, topic: string): void {
  writer.bytesField(10, cache, byteLength(cache));
  writer.bytesField(18, topic, byteLength(topic));
}
