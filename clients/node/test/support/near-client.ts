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

/** A client with a near cache, and a deadline that a loaded machine does not reach. */
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

/** The ticket of a key, as an honest server has it. */
export function ticketOf(key: string | Uint8Array): number {
  let hash = 7;
  for (const byte of Buffer.from(key as string)) hash = (hash * 31 + byte) % 1_048_576;
  return hash;
}

/** Has a fake do as an honest server: gives a lease, tickets with the answers of near gets, and tells of each write. */
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

/** Connects, and reads until the stream is the near stream: what is read from here on is kept. */
export async function untilNear(client: CacheClient): Promise<void> {
  const cache = client.cache("cache");
  await client.connect();
  const before = client.nearCache!.kept;
  while (client.nearCache!.kept === before) {
    await cache.set("until near", "near");
    await cache.get("until near");
  }
}

/** Stores a value, and reads it until there is a copy that is served. */
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

/** Has the machine sleep: the wall clock goes on, and no other does. */
export function sleeper(test: TestContext): (ms: number) => void {
  const { now } = Date;
  let sleptMs = 0;
  test.mock.method(Date, "now", () => now() + sleptMs);
  return (ms) => {
    sleptMs += ms;
  };
}
