import { Buffer } from "node:buffer";
import { setImmediate as whenOthersHaveRun } from "node:timers/promises";
import { type Cache, type CacheClient, ErrorResponse, Hit } from "../../src/index.js";
import { AgentFailure, type Request } from "../line-agent.js";
import { nearHitsOf } from "./near.js";

type Read = (rounds: number) => Promise<number> | number;

const ttlMs = 3_600_000;
const patienceMs = 10_000;
// After about this many hits, other tasks of the event loop may run. The time of these tasks is not measured.
const hitsAtATime = 10_000;
const warmupMs = 300;

/**
 * Measures the time of a hit with one caller and one hit at a time (conformance/AGENT.md, `nearHits`). The hits come
 * from the near cache or, for comparison, from a map or an LRU cache.
 */
export async function nearHits(client: CacheClient, cache: Cache, request: Request): Promise<object> {
  const { what = "get", keys: count = 1_000, valueBytes = 100, seconds = 1 } = request as unknown as HitsRequest;
  const keys = Array.from({ length: count }, (_, key) => `hit-${String(key).padStart(9, "0")}`);
  const value = "x".repeat(valueBytes);
  if (what === "get" || what === "tryGet") await fill(client, cache, keys, value);
  const read = await readOf(what, cache, keys, value);
  const rounds = Math.max(1, Math.floor(hitsAtATime / count));
  await run(warmupMs, rounds, read);
  const before = nearHitsOf(client);
  const { turns, size, takenNs } = await run(seconds * 1_000, rounds, read);
  const reads = turns * rounds * count;
  const hits = nearHitsOf(client) - before;
  return { result: "success", reads, found: size / valueBytes, hits, nsPerHit: takenNs / reads, bytesPerHit: null };
}

interface HitsRequest {
  readonly what?: string;
  readonly keys?: number;
  readonly valueBytes?: number;
  readonly seconds?: number;
}

async function run(ms: number, rounds: number, read: Read): Promise<{ turns: number; size: number; takenNs: number }> {
  const end = performance.now() + ms;
  const sum = { turns: 0, size: 0, takenNs: 0 };
  while (performance.now() < end) {
    const began = process.hrtime.bigint();
    const found = read(rounds);
    sum.size += typeof found === "number" ? found : await found;
    sum.takenNs += Number(process.hrtime.bigint() - began);
    sum.turns++;
    await whenOthersHaveRun();
  }
  return sum;
}

function near(cache: Cache, keys: readonly string[]): Read {
  return async (rounds) => {
    let size = 0;
    for (let round = 0; round < rounds; round++)
      for (const key of keys) {
        const response = await cache.get(key);
        if (response instanceof Hit) size += response.value.length;
      }
    return size;
  };
}

function tried(cache: Cache, keys: readonly string[]): Read {
  return (rounds) => {
    let size = 0;
    for (let round = 0; round < rounds; round++)
      for (const key of keys) size += cache.tryGetNear(key)?.value.length ?? 0;
    return size;
  };
}

async function readOf(what: string, cache: Cache, keys: readonly string[], value: string): Promise<Read> {
  if (what === "get") return near(cache, keys);
  if (what === "tryGet") return tried(cache, keys);
  return bare(what, keys, value);
}

async function bare(what: string, keys: readonly string[], value: string): Promise<Read> {
  const copies = what === "map" ? new Map<string, string>() : await lruCache(what, 2 * keys.length);
  for (const key of keys) copies.set(key, value);
  return (rounds) => {
    let size = 0;
    for (let round = 0; round < rounds; round++) for (const key of keys) size += copies.get(key)!.length;
    return size;
  };
}

interface Copies {
  get(key: string): string | undefined;
  set(key: string, value: string): unknown;
}

async function lruCache(what: string, max: number): Promise<Copies> {
  if (what !== "lruCache")
    throw new AgentFailure("AgentError", `"what" must be get, tryGet, map or lruCache, not ${what}`);
  const { LRUCache } = await import("lru-cache");
  return new LRUCache<string, string>({ max, ttl: ttlMs });
}

// Read until each key has a local copy. Responses that arrive before the near stream is open are not copied.
async function fill(client: CacheClient, cache: Cache, keys: readonly string[], value: string): Promise<void> {
  for (const key of keys) {
    const response = await cache.set(key, Buffer.from(value), { ttlMs });
    if (response instanceof ErrorResponse)
      throw new AgentFailure("AgentError", `a key could not be set: ${response.error.message}`);
  }
  const end = performance.now() + patienceMs;
  while (performance.now() < end) {
    const before = nearHitsOf(client);
    for (const key of keys) await cache.get(key);
    if (nearHitsOf(client) - before === keys.length) return;
  }
  throw new AgentFailure("AgentError", "the near cache has not stored all keys; check whether nearCache is configured");
}
