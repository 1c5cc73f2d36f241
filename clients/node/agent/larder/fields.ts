import { Buffer, isUtf8 } from "node:buffer";
import type { Bytes, CallOptions, SetOptions } from "../../src/index.js";
import { AgentFailure } from "../line-agent.js";

type Fields = Readonly<Record<string, unknown>>;

/** Bytes under `name`, given as text or as base64; exactly one of the two. */
export function bytesField(fields: Fields, name: string): Bytes {
  const text = fields[name];
  const encoded = fields[`${name}Base64`];
  if (typeof text === "string" && encoded === undefined) return text;
  if (typeof encoded === "string" && text === undefined) return Buffer.from(encoded, "base64");
  throw new AgentFailure("AgentError", `"${name}" or "${name}Base64" is missing, or both are there`);
}

/** The objects of a list. */
export function listField(fields: Fields, name: string): readonly Fields[] {
  const list = fields[name];
  if (Array.isArray(list)) return list as Fields[];
  throw new AgentFailure("AgentError", `"${name}" is no list`);
}

/** A time to live: a number, or decimal digits. */
export function ttlField(fields: Fields): number | undefined {
  const ttl = fields.ttlMs;
  return ttl === undefined || ttl === null ? undefined : Number(ttl);
}

export function requiredTtl(fields: Fields): number {
  const ttlMs = ttlField(fields);
  if (ttlMs === undefined) throw new AgentFailure("AgentError", `"ttlMs" is missing`);
  return ttlMs;
}

/** A 64-bit number: a number, or decimal digits. */
export function bigField(fields: Fields, name: string): bigint {
  return BigInt(fields[name] as string | number);
}

/** A hash, always in base64. */
export function hashField(fields: Fields): Uint8Array {
  return Buffer.from(String(fields.hashBase64), "base64");
}

/** The options of a call that stores: with the line's time to live where it has one. */
export function withTtl(fields: Fields, options: CallOptions): SetOptions {
  const ttlMs = ttlField(fields);
  return ttlMs === undefined ? options : { ...options, ttlMs };
}

/** Bytes as an answer has them: base64, and text beside it where they are UTF-8. */
export function bytesFields(name: string, bytes: Buffer): object {
  return { [`${name}Base64`]: bytes.toString("base64"), ...(isUtf8(bytes) ? { [name]: bytes.toString() } : {}) };
}
