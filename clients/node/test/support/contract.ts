import { Buffer } from "node:buffer";
import { join } from "node:path";
import protobuf from "protobufjs";
import type { Operation } from "../../src/operations/operation.js";
import { ProtoReader } from "../../src/operations/proto-reader.js";
import { ProtoWriter } from "../../src/operations/proto-writer.js";

// The contract's own messages, read by a library that is not ours.
const root = protobuf.loadSync(
  ["cache", "extras", "pubsub"].map((file) => join(import.meta.dirname, `../../../../../protocol/proto/${file}.proto`)),
);

/** A request as the contract reads it: bytes as text, 64-bit numbers and those that are not finite as text, too. */
export function requestOf(operation: Operation<unknown>): object {
  const writer = new ProtoWriter(operation.measure());
  operation.encode(writer);
  if (writer.length !== operation.measure())
    throw new Error(`measured ${operation.measure()} bytes, wrote ${writer.length}`);
  return readRequest(operation.kind.path, writer.written());
}

/** A message of an rpc's request, as the contract reads it. */
export function readRequest(path: string, message: Uint8Array): object {
  const type = root.lookupType(`${path.slice(path.lastIndexOf("/") + 1)}Request`);
  return told(type.toObject(type.decode(message), { longs: String, enums: String })) as object;
}

/** A response of the contract, as bytes. */
export function responseBytes(rpc: string, response: object): Buffer {
  const type = root.lookupType(`${rpc}Response`);
  // A server may send a number that the enum does not have.
  const wrong = type.verify(response);
  if (wrong !== null && !wrong.endsWith("enum value expected")) throw new Error(wrong);
  return Buffer.from(type.encode(type.fromObject(response)).finish());
}

/** A message of the contract, as bytes. */
export function messageBytes(name: string, message: object): Buffer {
  const type = root.lookupType(name);
  return Buffer.from(type.encode(type.fromObject(message)).finish());
}

/** What an operation makes of a response of the contract. */
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
