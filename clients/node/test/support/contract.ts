import { Buffer } from "node:buffer";
import { join } from "node:path";
import protobuf from "protobufjs";
import type { Operation } from "../../src/operations/operation.js";
import { ProtoReader } from "../../src/operations/proto-reader.js";
import { ProtoWriter } from "../../src/operations/proto-writer.js";

// The messages in the .proto files of the contract, parsed by an independent library.
const root = protobuf.loadSync(
  ["cache", "extras", "pubsub"].map((file) => join(import.meta.dirname, `../../../../../protocol/proto/${file}.proto`)),
);

/**
 * Decodes an operation's request as the contract defines it. Bytes become text. 64-bit and non-finite numbers become
 * strings.
 */
export function requestOf(operation: Operation<unknown>): object {
  const writer = new ProtoWriter(operation.measure());
  operation.encode(writer);
  if (writer.length !== operation.measure())
    throw new Error(`measured ${operation.measure()} bytes, wrote ${writer.length}`);
  return readRequest(operation.kind.path, writer.written());
}

/** Decodes the request message of an RPC as the contract defines it. */
export function readRequest(path: string, message: Uint8Array): object {
  const type = root.lookupType(`${path.slice(path.lastIndexOf("/") + 1)}Request`);
  return told(type.toObject(type.decode(message), { longs: String, enums: String })) as object;
}

/** Encodes a response as the contract defines it. */
export function responseBytes(rpc: string, response: object): Buffer {
  const type = root.lookupType(`${rpc}Response`);
  // Accept unknown enum values, because a server may send a value that the contract does not define.
  const wrong = type.verify(response);
  if (wrong !== null && !wrong.endsWith("enum value expected")) throw new Error(wrong);
  return Buffer.from(type.encode(type.fromObject(response)).finish());
}

/** Encodes a message as the contract defines it. */
export function messageBytes(name: string, message: object): Buffer {
  const type = root.lookupType(name);
  return Buffer.from(type.encode(type.fromObject(message)).finish());
}

/** Encodes a response as the contract defines it, and parses it with an operation. */
export function answerOf<R>(operation: Operation<R>, response: object): R {
  const { path } = operation.kind;
  return operation.decode(new ProtoReader(responseBytes(path.slice(path.lastIndexOf("/") + 1), response)));
}

function told(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (Array.isArray(value)) return value.map(told);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, told(each)]));
}
