import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Cache } from "../../src/client/cache.js";
import { CacheClient } from "../../src/client/client.js";
import { CollectionTtl } from "../../src/collections/collection-ttl.js";
import type { TransportKind } from "../../src/configuration/configuration.js";
import { withSettings } from "../../src/configuration/configuration-check.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { CredentialProvider } from "../../src/configuration/credential-provider.js";
import { clientOf, FakeServer } from "./fake-server.js";
import { type ServerProcess, skipWithoutServer, startServer } from "./server-process.js";

/** Runs tests of one collection type against the server, over both transports. */
export function onServer(what: string, tests: (cache: (name?: string) => Cache) => void): void {
  for (const transport of ["unary", "pipeline"] as const)
    describe(`${what} on the real server, ${transport}`, { skip: skipWithoutServer }, () => {
      let server: ServerProcess;
      let client: CacheClient;
      before(async () => {
        server = await startServer();
        client = new CacheClient({
          credentials: CredentialProvider.local(server.endpoint),
          configuration: withSettings(Configurations.Laptop.latest(), { transport, requestTimeoutMs: 60_000 }),
          defaultTtlMs: 3_600_000,
        });
      });
      after(async () => {
        await client.close();
        await server.stop();
      });
      tests((name = "cache") => client.cache(name));
    });
}

/** A TTL of 7 ms that an update of the collection does not refresh. */
export const kept = CollectionTtl.of(7).withNoRefreshTtlOnUpdates();

/** Starts a fake server. Returns it with a client that is not connected yet and makes at most one retry. */
export async function startFakeServer(
  transport: TransportKind,
): Promise<{ readonly server: FakeServer; readonly client: CacheClient }> {
  const server = await new FakeServer().start();
  const settings = { transport, requestTimeoutMs: 30_000, maxRetries: 1 };
  const client = clientOf(server, transport, {
    configuration: withSettings(Configurations.Laptop.latest(), settings),
  });
  return { server, client };
}

/** Asserts that calls on a key of another type fail and do not change the item. */
export function refusesOtherTypes(
  cache: () => Cache,
  calls: (cache: Cache, name: string) => readonly Promise<{ readonly result: string }>[],
): void {
  test("calls on a scalar fail with FailedPrecondition and change nothing", async () => {
    await cache().set("scalar", "value");
    for (const call of calls(cache(), "scalar")) assert.equal(codeOf(await call), "FailedPrecondition");
    const got = await cache().get("scalar");
    assert.ok(got.result === "hit");
    assert.equal(got.value, "value");
  });
}

/** Returns the error code of a response, or its result if there is no error. */
export function codeOf(response: { readonly result: string; readonly error?: { readonly code: string } }): string {
  return response.error?.code ?? response.result;
}

/** Returns a collection's remaining TTL in hours, rounded up: 1 for the client's default TTL. */
export async function hoursLeft(cache: Cache, name: string): Promise<number> {
  const response = await cache.itemGetTtl(name);
  assert.ok(response.result === "hit", response.result);
  return Math.ceil(response.remainingTtlMs / 3_600_000);
}
