import { Buffer, isUtf8 } from "node:buffer";
import type { Bytes, CallOptions, SetOptions } from "../../src/index.js";
import { AgentFailure } from "../line-agent.js";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the bytes of the field `name`. The request contains exactly one of two fields: `name` with a string, or
 * `nameBase64` with base64.
 */
export function bytesField(fields: Fields, name: string): Bytes {
  const text = fields[name];
  const encoded = fields[`${name}Base64`];
  if (typeof text === "string" && encoded === undefined) return text;
  if (typeof encoded === "string" && text === undefined) return Buffer.from(encoded, "base64");
  throw new AgentFailure("AgentError", `"${name}" or "${name}Base64" is missing, or both are set`);
}

/** Returns a list of objects. */
export function listField(fields: Fields, name: string): readonly Fields[] {
  const list = fields[name];
  if (Array.isArray(list)) return list as Fields[];
  throw new AgentFailure("AgentError", `"${name}" must be a list`);
}

/**
 * Returns the TTL in milliseconds. The request contains the TTL as a number or as decimal digits. Returns undefined if
 * the TTL is absent.
 */
export function ttlField(fields: Fields): number | undefined {
  const ttl = fields.ttlMs;
  return ttl === undefined || ttl === null ? undefined : Number(ttl);
}

export function requiredTtl(fields: Fields): number {
  const ttlMs = ttlField(fields);
  if (ttlMs === undefined) throw new AgentFailure("AgentError", `"ttlMs" is missing`);
  return ttlMs;
}

/** Returns a 64-bit integer. The request contains the integer as a number or as decimal digits. */
export function bigField(fields: Fields, name: string): bigint {
  return BigInt(fields[name] as string | number);
}

/** Returns a hash. Requests always contain the hash as base64. */
export function hashField(fields: Fields): Uint8Array {
  return Buffer.from(String(fields.hashBase64), "base64");
}

/** Returns the options of a write call, with the request's TTL if it has one. */
export function withTtl(fields: Fields, options: CallOptions): SetOptions {
  const ttlMs = ttlField(fields);
  return ttlMs === undefined ? options : { ...options, ttlMs };
}

/** Returns bytes in protocol form: as base64, and also as a string if the bytes are UTF-8. */
export function bytesFields(name: string, bytes: Buffer): object {
  return { [`${name}Base64`]: bytes.toString("base64"), ...(isUtf8(bytes) ? { [name]: bytes.toString() } : {}) };
}
