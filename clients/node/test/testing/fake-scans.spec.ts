import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { FakeServer } from "../../src/testing/fake.js";
import { codeOf } from "../support/responses.js";

describe("fake server scans", () => {
  test("scan returns every key that exists during the whole scan", async () => {
    const client = new FakeServer().client();
    const cache = client.cache("cache");
    await cache.setBatch(Array.from({ length: 10 }, (_, i) => [`key-${i}`, "1"] as const));
    const seen = new Set<string>();
    let cursor = Buffer.alloc(0);
    for (let page = 0; page === 0 || cursor.length > 0; page++) {
      const scanned = await cache.scanKeys({ count: 3, cursor });
      assert.ok(scanned.result === "success");
      for (const { key } of scanned.keys) seen.add(key.toString());
      cursor = scanned.cursor as typeof cursor;
      await cache.set(`another-${page}`, "1");
      await cache.delete(`key-${page}`);
    }
    for (let i = 4; i < 10; i++) assert.ok(seen.has(`key-${i}`), `key-${i}`);
  });

  test("list scan continues after elements at the front change", async () => {
    const client = new FakeServer().client();
    const cache = client.cache("cache");
    await cache.listConcatenateBack("list", ["a", "b", "c", "d", "e"]);
    const first = await cache.scanItems("list", { count: 2 });
    assert.ok(first.result === "hit" && first.type === "list");
    assert.deepEqual(first.values, ["a", "b"]);
    await cache.listPushFront("list", "z");
    await cache.listRemove("list", "b");
    const next = await cache.scanItems("list", { cursor: first.cursor });
    assert.ok(next.result === "hit" && next.type === "list");
    for (const value of ["c", "d", "e"]) assert.ok(next.values.includes(value), value);
  });

  test("rejects cursors of another key, cache, scan or server", async () => {
    const client = new FakeServer({ caches: ["cache", "other"] }).client();
    const cache = client.cache("cache");
    const stranger = new FakeServer().client();
    for (const each of [client, stranger]) {
      await each.cache("cache").setUnion("set", ["a", "b"]);
      await each.cache("cache").setUnion("set-2", ["a", "b"]);
    }
    await client.cache("other").setUnion("set", ["a", "b"]);
    const items = await cache.scanItems("set", { count: 1 });
    const keys = await cache.scanKeys({ count: 1 });
    assert.ok(items.result === "hit" && keys.result === "success");
    const changed = Buffer.from(items.cursor);
    changed[changed.length - 1]! ^= 1;
    const refused = [
      cache.scanItems("set-2", { cursor: items.cursor }),
      client.cache("other").scanItems("set", { cursor: items.cursor }),
      stranger.cache("cache").scanItems("set", { cursor: items.cursor }),
      cache.scanItems("set", { cursor: keys.cursor }),
      cache.scanItems("set", { cursor: changed }),
      cache.scanKeys({ cursor: items.cursor }),
      client.cache("other").scanKeys({ cursor: keys.cursor }),
    ];
    for (const response of await Promise.all(refused)) assert.equal(codeOf(response), "InvalidArgument");
    await cache.delete("set");
    await cache.listPushBack("set", "a");
    assert.equal(codeOf(await cache.scanItems("set", { cursor: items.cursor })), "FailedPrecondition");
  });
});
