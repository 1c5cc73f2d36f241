import { keyvApiTests, keyvIteratorTests, keyvNamespaceTest, keyvValueTests } from "@keyv/test-suite";
import { createCache } from "cache-manager";
import { Cacheable } from "cacheable";
import { Keyv } from "keyv";
import * as vitest from "vitest";
import {
  CacheClient,
  Configurations,
  CredentialProvider,
  type NearCacheSettings,
  withSettings,
} from "../../dist/src/index.js";
import { KeyvLarder } from "../../dist/src/integrations/keyv.js";
import { serverProgram, startServer } from "../../dist/test/support/server-process.js";

const program = serverProgram();

// Skipped if the server is not built, because these tests need the real server.
for (const nearCache of ["off", { maxBytes: 1_048_576 }] as const)
  vitest.describe.skipIf(program === null)(
    `KeyvLarder on the real server, near cache ${nearCache === "off" ? "off" : "on"}`,
    () => keyvTests(nearCache),
  );

async function keyvTests(nearCache: NearCacheSettings | "off"): Promise<void> {
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
      configuration: withSettings(Configurations.Laptop.latest(), { requestTimeoutMs: 30_000, nearCache }),
      defaultTtlMs: 60_000,
    });
    clients.push(client);
    return new KeyvLarder({ client, cacheName: "cache" });
  };
  // Close the clients after each test, because a server allows only 128 near streams.
  vitest.afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
  });
  vitest.afterAll(() => stop());

  keyvApiTests(vitest, Keyv, store);
  keyvValueTests(vitest, Keyv, store);
  keyvNamespaceTest(vitest, Keyv, store);
  // Keyv 5 offers an iterator only for stores whose dialect is in Keyv's list of dialects.
  keyvIteratorTests(vitest, Keyv, () => Object.assign(store(), { opts: { dialect: "redis", url: "" } }));

  vitest.test("cache-manager reads and writes through KeyvLarder", async () => {
    const cache = createCache({ stores: [new Keyv({ store: store(), namespace: "manager" })] });
    await cache.set("key", { a: 1 }, 60_000);
    vitest.expect(await cache.get("key")).toEqual({ a: 1 });
    vitest.expect(await cache.wrap("made", () => "once")).toBe("once");
    vitest.expect(await cache.get("made")).toBe("once");
    await cache.del("key");
    vitest.expect(await cache.get("key")).toBeUndefined();
  });

  vitest.test("Cacheable uses KeyvLarder as its second layer", async () => {
    const cache = new Cacheable({ secondary: new Keyv({ store: store(), namespace: "cacheable" }) });
    await cache.set("key", { b: 2 }, 60_000);
    await cache.primary.clear();
    vitest.expect(await cache.get("key")).toEqual({ b: 2 });
  });

  vitest.test("unknown cache emits a Keyv error event", async () => {
    const client = store().opts.client;
    const keyv = new Keyv({ store: new KeyvLarder({ client, cacheName: "no-such-cache" }) });
    const errors: Error[] = [];
    keyv.on("error", (error) => errors.push(error));
    vitest.expect(await keyv.get("key")).toBeUndefined();
    vitest.expect((errors[0] as { code?: string } | undefined)?.code).toBe("NotFound");
  });

  vitest.test("changes are visible at once locally and soon elsewhere", async () => {
    const [here, there] = [store(), store()].map((each) => new Keyv({ store: each, namespace: "shared" })) as [
      Keyv,
      Keyv,
    ];
    for (let i = 0; i < 20; i++) {
      await here.set("key", i);
      vitest.expect(await here.get("key")).toBe(i);
      vitest.expect(await here.get("key")).toBe(i);
      await there.set("key", -i);
      await vitest.vi.waitUntil(async () => (await here.get("key")) === -i);
    }
    await there.delete("key");
    await vitest.vi.waitUntil(async () => (await here.get("key")) === undefined);
    await here.set("key", "again");
    vitest.expect(await here.get("key")).toBe("again");
    await there.clear();
    await vitest.vi.waitUntil(async () => (await here.get("key")) === undefined);
    const { nearCache: figures } = (here.store as KeyvLarder).opts.client;
    vitest.expect((figures?.hits ?? 0) > 0).toBe(nearCache !== "off");
  });
}
