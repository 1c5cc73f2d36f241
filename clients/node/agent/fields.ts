import { Buffer, isUtf8 } from "node:buffer";
import type { Bytes } from "../src/index.js";
import { AgentFailure } from "./line-agent.js";

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

/** Bytes as an answer has them: base64, and text beside it where they are UTF-8. */
export function valueFields(value: Buffer): object {
  return { valueBase64: value.toString("base64"), ...(isUtf8(value) ? { value: value.toString() } : {}) };
}
