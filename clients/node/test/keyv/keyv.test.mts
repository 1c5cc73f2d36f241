import { keyvApiTests, keyvNamespaceTest, keyvValueTests } from "@keyv/test-suite";
import { createCache } from "cache-manager";
import { Cacheable } from "cacheable";
import { Keyv } from "keyv";
import * as vitest from "vitest";
import { CacheClient, Configurations, CredentialProvider, withSettings } from "../../dist/src/index.js";
import { KeyvLarder } from "../../dist/src/keyv.js";
import { serverProgram, startServer } from "../../dist/test/server-process.js";

const program = serverProgram();

// SKIPPED where the server is not built: this is a test against the real thing, or none.
vitest.describe.skipIf(program === null)("KeyvLarder against the server program", async () => {
  let endpoint = "";
  const clients: CacheClient[] = [];
  let stop = async () => {};
  if (program !== null) {
    const server = await startServer();
    endpoint = server.endpoint;
    stop = () => server.stop();
  }
  const store = () => {
    const client = new CacheClient({
      credentials: CredentialProvider.local(endpoint),
      configuration: withSettings(Configurations.Laptop.latest(), { requestTimeoutMs: 30_000 }),
      defaultTtlMs: 60_000,
    });
    clients.push(client);
    return new KeyvLarder({ client, cacheName: "cache" });
  };
  vitest.afterAll(async () => {
    for (const client of clients) await client.close();
    await stop();
  });

  keyvApiTests(vitest, Keyv, store);
  keyvValueTests(vitest, Keyv, store);
  keyvNamespaceTest(vitest, Keyv, store);

  vitest.test("cache-manager reads and writes through it", async () => {
    const cache = createCache({ stores: [new Keyv({ store: store(), namespace: "manager" })] });
    await cache.set("key", { a: 1 }, 60_000);
    vitest.expect(await cache.get("key")).toEqual({ a: 1 });
    vitest.expect(await cache.wrap("made", () => "once")).toBe("once");
    vitest.expect(await cache.get("made")).toBe("once");
    await cache.del("key");
    vitest.expect(await cache.get("key")).toBeUndefined();
  });

  vitest.test("cacheable uses it as its second layer", async () => {
    const cache = new Cacheable({ secondary: new Keyv({ store: store(), namespace: "cacheable" }) });
    await cache.set("key", { b: 2 }, 60_000);
    await cache.primary.clear();
    vitest.expect(await cache.get("key")).toEqual({ b: 2 });
  });

  vitest.test("an unknown cache reaches Keyv's error event", async () => {
    const client = store().opts.client;
    const keyv = new Keyv({ store: new KeyvLarder({ client, cacheName: "no-such-cache" }) });
    const errors: Error[] = [];
    keyv.on("error", (error) => errors.push(error));
    vitest.expect(await keyv.get("key")).toBeUndefined();
    vitest.expect((errors[0] as { code?: string } | undefined)?.code).toBe("NotFound");
  });
});
