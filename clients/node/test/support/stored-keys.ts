import assert from "node:assert/strict";
import type { CacheClient } from "../../src/client/client.js";

/** Returns the number of keys in the cache named "cache". */
export async function keysIn(client: CacheClient): Promise<number> {
  const scanned = await client.cache("cache").scanKeys();
  assert.ok(scanned.result === "success");
  return scanned.keys.length;
}
