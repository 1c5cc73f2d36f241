import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { TestContext } from "node:test";
import { CacheClient } from "../../src/client/client.js";
import type { CacheClientOptions } from "../../src/client/client-options.js";
import type { Configuration } from "../../src/configuration/configuration.js";
import { withSettings } from "../../src/configuration/configuration-check.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { CredentialProvider } from "../../src/configuration/credential-provider.js";
import type { NearCacheSettings } from "../../src/near/near-settings.js";
import type { FakeServer } from "./fake-server.js";

/** Returns a client with a near cache. Its deadline is long enough even on a loaded machine. */
export function nearClientOf(
  endpoint: string,
  near: Partial<NearCacheSettings> = {},
  changes: Partial<Configuration> = {},
  options: Partial<CacheClientOptions> = {},
): CacheClient {
  const nearCache = { maxBytes: 1_048_576, ...near };
  return new CacheClient({
    credentials: CredentialProvider.local(endpoint),
    configuration: withSettings(Configurations.Laptop.latest(), { requestTimeoutMs: 30_000, ...changes, nearCache }),
    defaultTtlMs: 60_000,
    ...options,
  });
}

/** Returns the ticket of a key, as a correct server computes it. */
export function ticketOf(key: string | Uint8Array): number {
  let hash = 7;
  for (const byte of Buffer.from(key as string)) hash = (hash * 31 + byte) % 1_048_576;
  return hash;
}

/**
 * Makes a fake server behave like a correct near-cache server: it grants a lease, returns tickets for near gets and
 * invalidates written keys.
 */
export function makeNear(server: FakeServer, leaseMs = 10_000): void {
  server.onNear = ({ what, answer }) => answer(what === "open" ? leaseMs : undefined);
  server.onCall = (call) => {
    if (call.near) call.answerKept(ticketOf(Buffer.from(call.key, "latin1")) + 1);
    else {
      if (call.rpc !== "Get") server.tell({ tickets: [ticketOf(Buffer.from(call.key, "latin1"))] });
      call.answer();
    }
  };
}

/** Connects and waits until the near stream is open. Only reads after that create local copies. */
export async function untilNear(client: CacheClient): Promise<void> {
  const cache = client.cache("cache");
  await client.connect();
  const before = client.nearCache!.kept;
  while (client.nearCache!.kept === before) {
    await cache.set("until near", "near");
    await cache.get("until near");
  }
}

/** Stores a value and reads it until a local copy is served. */
export async function keepCopy(
  client: CacheClient,
  key: string | Uint8Array,
  value: string | Uint8Array,
): Promise<void> {
  const cache = client.cache("cache");
  await cache.set(key, value);
  for (let reads = 0; cache.tryGetNear(key) === undefined; reads++) {
    assert.ok(reads < 100, "it is not kept");
    await cache.get(key);
  }
}

/** Returns a function that simulates a sleep of the machine: only the wall clock advances. */
export function sleeper(test: TestContext): (ms: number) => void {
  const { now } = Date;
  let sleptMs = 0;
  test.mock.method(Date, "now", () => now() + sleptMs);
  return (ms) => {
    sleptMs += ms;
  };
}
