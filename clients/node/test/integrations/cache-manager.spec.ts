// cache-manager uses Keyv stores directly. These tests run each of its calls through KeyvLarder against the real
// server.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Cache, createCache } from "cache-manager";
import { Keyv } from "keyv";
import { CacheClient, Configurations, CredentialProvider, withSettings } from "../../src/index.js";
import { KeyvLarder } from "../../src/integrations/keyv.js";
import { type ServerProcess, skipWithoutServer, startServer } from "../support/server-process.js";

describe("cache-manager over KeyvLarder", { skip: skipWithoutServer }, () => {
  let server: ServerProcess;
  let client: CacheClient;
  let namespaces = 0;
  before(async () => {
    server = await startServer();
    client = clientOf(server.endpoint, 30_000);
  });
  after(async () => {
    await client.close();
    await server.stop();
  });
  const clientOf = (endpoint: string, requestTimeoutMs: number) =>
    new CacheClient({
      credentials: CredentialProvider.local(endpoint),
      configuration: withSettings(Configurations.Laptop.latest(), { requestTimeoutMs }),
      defaultTtlMs: 60_000,
    });
  const storeIn = (namespace: string) => new Keyv({ store: new KeyvLarder({ client, cacheName: "cache" }), namespace });
  const cacheIn = (namespace: string, options: { ttl?: number; refreshThreshold?: number } = {}) =>
    createCache({ stores: [storeIn(namespace)], ...options });
  const freshCache = () => cacheIn(`test-${++namespaces}`);
  const leftMs = async (cache: Cache, key: string) => ((await cache.ttl(key)) ?? 0) - Date.now();

  test("get, set and del support any JSON value", async () => {
    const cache = freshCache();
    for (const value of [{ a: [1, "ø🍞"] }, [], "text", "", 0, false, null, 1.5]) {
      assert.deepEqual(await cache.set("key", value), value);
      assert.deepEqual(await cache.get("key"), value);
    }
    assert.equal(await cache.del("key"), true);
    assert.equal(await cache.get("key"), undefined);
    assert.equal(await cache.del("key"), true);
  });

  test("mset, mget and mdel keep order; a miss is undefined", async () => {
    const cache = freshCache();
    await cache.mset<unknown>([
      { key: "a", value: 1 },
      { key: "b", value: { two: 2 }, ttl: 60_000 },
    ]);
    assert.deepEqual(await cache.mget<unknown>(["b", "missing", "a"]), [{ two: 2 }, undefined, 1]);
    await cache.mdel(["a", "missing"]);
    assert.deepEqual(await cache.mget<unknown>(["a", "b"]), [undefined, { two: 2 }]);
  });

  test("ttl comes from the call or the cache default", async () => {
    const cache = cacheIn("times", { ttl: 600_000 });
    await cache.set("own", 1, 60_000);
    await cache.set("default", 1);
    await cache.mset([{ key: "many", value: 1, ttl: 60_000 }]);
    for (const key of ["own", "many"]) {
      const ms = await leftMs(cache, key);
      assert.ok(ms > 0 && ms <= 60_000, `${key}: ${ms}`);
    }
    const defaultMs = await leftMs(cache, "default");
    assert.ok(defaultMs > 60_000 && defaultMs <= 600_000, `${defaultMs}`);
    await cache.set("short", 1, 50);
    while ((await cache.get("short")) !== undefined);
    assert.equal(await cache.ttl("short"), undefined);
  });

  test("disconnect waits for calls in progress and then closes the client", async () => {
    const own = clientOf(server.endpoint, 30_000);
    const store = new KeyvLarder({ client: own, cacheName: "cache" });
    store.namespace = "left";
    const writes = [store.set("left:a", "1", 60_000), store.setMany([{ key: "left:b", value: "2" }])];
    const others = [store.get("left:missing"), store.getMany(["left:missing"]), store.has("left:missing")];
    const removed = store.deleteMany(["left:missing"]);
    await store.disconnect();
    assert.deepEqual(await Promise.all(writes), [true, [true]]);
    assert.deepEqual(await Promise.all(others), [undefined, [undefined], false]);
    assert.equal(await removed, false);
    await assert.rejects(store.get("left:a"), { code: "Cancelled" });
    const reader = new KeyvLarder({ client, cacheName: "cache" });
    reader.namespace = "left";
    assert.deepEqual(await reader.getMany(["left:a", "left:b"]), ["1", "2"]);
  });

  test("disconnect waits until a namespace is cleared", async () => {
    const own = clientOf(server.endpoint, 30_000);
    const store = new KeyvLarder({ client: own, cacheName: "cache" });
    store.namespace = "clearing";
    const cleared = store.clear();
    await store.disconnect();
    await cleared;
  });

  test("disconnect ends if the calls in progress fail", async () => {
    const gone = await startServer();
    const own = clientOf(gone.endpoint, 500);
    const store = new KeyvLarder({ client: own, cacheName: "cache" });
    await gone.stop();
    const write = assert.rejects(store.set("a", "1", 60_000), { code: "Unavailable" });
    await store.disconnect();
    await write;
  });

  test("clear empties one namespace for all processes", async () => {
    const [cache, same, other] = [cacheIn("cleared"), cacheIn("cleared"), cacheIn("other")];
    for (const each of [cache, other]) await each.set("key", "value");
    assert.equal(await same.get("key"), "value");
    assert.equal(await cache.clear(), true);
    assert.deepEqual([await cache.get("key"), await same.get("key")], [undefined, undefined]);
    assert.equal(await other.get("key"), "value");
  });

  test("wrap runs the factory once for concurrent callers", async () => {
    const cache = freshCache();
    let made = 0;
    const make = async () => ({ number: ++made });
    const all = await Promise.all(Array.from({ length: 200 }, () => cache.wrap("key", make, 60_000)));
    assert.ok(all.every(({ number }) => number === 1));
    assert.deepEqual(await cacheIn(`test-${namespaces}`).wrap("key", make), { number: 1 });
    assert.equal(made, 1);
    const ms = await leftMs(cache, "key");
    assert.ok(ms > 0 && ms <= 60_000, `${ms}`);
  });

  test("wrap stores nothing if the factory throws", async () => {
    const cache = freshCache();
    await assert.rejects(
      cache.wrap("key", () => Promise.reject(new Error("the program's own"))),
      /the program's own/,
    );
    assert.equal(await cache.get("key"), undefined);
    assert.equal(await cache.wrap("key", () => "made"), "made");
  });

  test("wrap refreshes an expiring value in the background", async () => {
    const cache = freshCache();
    let made = 0;
    const wrap = () => cache.wrap("key", () => ++made, { ttl: 60_000, refreshThreshold: 120_000 });
    assert.equal(await wrap(), 1);
    const renewed = new Promise((resolve) => cache.on("refresh", resolve));
    assert.equal(await wrap(), 1);
    await renewed;
    assert.equal(await cache.get("key"), 2);
  });

  test("memory layer is refilled from KeyvLarder", async () => {
    const memory = new Keyv();
    const cache = createCache({ stores: [memory, storeIn("layered")] });
    await cache.set("key", { a: 1 }, 60_000);
    await memory.clear();
    assert.deepEqual(await cache.wrap("key", () => assert.fail("it is there"), 60_000), { a: 1 });
    assert.deepEqual(await memory.get("key"), { a: 1 });
  });

  test("unreachable server causes an error event; wrap returns factory's value", async () => {
    const stopped = await startServer();
    await stopped.stop();
    const lonely = clientOf(stopped.endpoint, 500);
    const store = new Keyv({ store: new KeyvLarder({ client: lonely, cacheName: "cache" }) });
    const codes: (string | undefined)[] = [];
    store.on("error", (error: { code?: string }) => codes.push(error.code));
    const cache = createCache({ stores: [store] });
    assert.equal(await cache.wrap("key", () => "made", 60_000), "made");
    assert.equal(await cache.get("key"), undefined);
    await lonely.close();
    assert.ok(codes.length >= 2);
    for (const code of codes) assert.match(`${code}`, /^(Unavailable|Timeout)$/);
  });
});
