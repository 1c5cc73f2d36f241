import type { Buffer } from "node:buffer";
import { toBuffer } from "../client/validation.js";
import type { Bytes } from "../operations/proto-writer.js";
import type { NearCacheSettings } from "./near-settings.js";

/** Decides which values are copied: values whose cache name and key prefix are in the settings (NEAR-29). */
export class NearCacheFilter {
  readonly #caches: ReadonlySet<string> | null;
  readonly #prefixes: readonly Buffer[] | null;

  constructor({ caches, keyPrefixes }: NearCacheSettings) {
    this.#caches = caches === undefined ? null : new Set(caches);
    this.#prefixes = keyPrefixes === undefined ? null : keyPrefixes.map(toBuffer);
  }

  includes(cacheName: string, key: Bytes): boolean {
    if (this.#caches !== null && !this.#caches.has(cacheName)) return false;
    return this.#prefixes === null || this.#hasPrefix(toBuffer(key), this.#prefixes);
  }

  // Returns whether a key has one of the prefixes. Compares bytes, because a prefix may end within a character.
  #hasPrefix(key: Buffer, prefixes: readonly Buffer[]): boolean {
    return prefixes.some((prefix) => key.length >= prefix.length && prefix.compare(key, 0, prefix.length) === 0);
  }
}
