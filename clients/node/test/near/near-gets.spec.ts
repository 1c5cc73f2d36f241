import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import type { CacheClient } from "../../src/client/client.js";
import { Status } from "../../src/client/errors.js";
import type { ErrorResponse, Hit } from "../../src/client/responses.js";
import { cacheName } from "../support/every-call.js";
import { type FakeCall, type FakeServer, until } from "../support/fake-server.js";
import { nearBench, valueAt } from "../support/near-bench.js";
import { ticketOf } from "../support/near-client.js";

describe("the near cache, gets in flight", () => {
  /** Keeps the next near get of a key pending. Returns a function that answers it. */
  async function held(server: FakeServer, client: CacheClient, key: string, options?: { signal?: AbortSignal }) {
    const { onCall } = server;
    let call: FakeCall | null = null;
    server.onCall = (each) => {
      if (!each.near || each.key !== key) onCall(each);
      else call = each;
    };
    const get = client.cache(cacheName).get(key, options);
    await until(() => call !== null);
    server.onCall = onCall;
    const answer = () => call!.answerKept(ticketOf(key) + 1);
    return { get, call: call as unknown as FakeCall, answer };
  }

  for (const [name, happens] of [
    ["write of the key", (_: FakeServer, client: CacheClient) => client.cache(cacheName).set("k", "new")],
    ["read of the key", (_: FakeServer, client: CacheClient) => client.cache(cacheName).getBatch(["k"])],
    ["flush of the cache", (_: FakeServer, client: CacheClient) => client.flushCache(cacheName)],
    ["ticket of the key", async (server: FakeServer) => server.tell({ tickets: [ticketOf("k")] })],
    ["clear", async (server: FakeServer) => server.tell({ clear: true })],
  ] as const)
    test(`NEAR-22: ${name} during a get prevents a near copy`, async () => {
      await using bench = await nearBench();
      const { server, client, counted } = bench;
      const cache = client.cache(cacheName);
      await cache.set("k", "old");
      const before = client.nearCache!;
      const { get, answer } = await held(server, client, "k");
      await happens(server, client);
      await cache.get("behind what was told");
      answer();
      assert.equal((await get).result === "error", false);
      assert.equal(cache.tryGetNear("k"), undefined);
      assert.equal(counted(before, "kept"), 0, "of a miss and of a poisoned one nothing is kept");
    });

  test("NEAR-24: second response that differs drops the copy", async () => {
    await using bench = await nearBench();
    const { server, client } = bench;
    const cache = client.cache(cacheName);
    for (const isSame of [true, false]) {
      await cache.set("k", "v");
      const first = await held(server, client, "k");
      const second = await held(server, client, "k");
      first.answer();
      assert.equal(((await first.get) as Hit).value, "v");
      assert.ok(cache.tryGetNear("k"));
      if (isSame) second.answer();
      else second.call.answerWith(Buffer.from([8, 2, 18, 1, 0x77]));
      assert.equal(((await second.get) as Hit).value, isSame ? "v" : "w");
      assert.equal(cache.tryGetNear("k") !== undefined, isSame);
    }
  });

  test("1,000 concurrent reads of a key cause few calls", async () => {
    await using bench = await nearBench();
    const { server, client } = bench;
    await client.cache(cacheName).set("k", "v");
    server.calls.length = 0;
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        for (let i = 0; i < 20; i++) assert.equal(await valueAt(client, "k"), "v");
      }),
    );
    assert.ok(server.calls.length <= 50, `${server.calls.length} calls of 1,000`);
  });

  test("response of an aborted get leaves no copy", async () => {
    await using bench = await nearBench();
    const { server, client } = bench;
    const cache = client.cache(cacheName);
    await cache.set("k", "v");
    const abort = new AbortController();
    const { get, answer } = await held(server, client, "k", { signal: abort.signal });
    abort.abort();
    assert.equal(((await get) as ErrorResponse).error.code, "Cancelled");
    answer();
    await cache.get("behind it");
    assert.equal(cache.tryGetNear("k"), undefined);
  });

  test("retried get ignores tickets received before the retry", async () => {
    await using bench = await nearBench();
    const { server, client } = bench;
    const cache = client.cache(cacheName);
    await cache.set("k", "v");
    const { get, call } = await held(server, client, "k");
    server.tell({ tickets: [ticketOf("k")] });
    call.fail(Status.unavailable, "again", "not_executed");
    assert.equal(((await get) as Hit).value, "v");
    assert.ok(cache.tryGetNear("k"));
  });

  test("failed get drops the copy", async () => {
    await using bench = await nearBench();
    const { server, client, keep } = bench;
    const cache = client.cache(cacheName);
    await keep("k");
    server.tell({ tickets: [ticketOf("k")] });
    await until(() => cache.tryGetNear("k") === undefined);
    const first = await held(server, client, "k");
    const second = await held(server, client, "k");
    first.answer();
    await first.get;
    second.call.fail(Status.permissionDenied, "no");
    assert.equal((await second.get).result, "error");
    assert.equal(cache.tryGetNear("k"), undefined);
  });

  test("PIPE-9: value too large for the pipeline gets no copy", async () => {
    await using bench = await nearBench();
    const { client } = bench;
    const cache = client.cache(cacheName);
    const large = Buffer.alloc(65_537, "x");
    await cache.set("k", large);
    for (let i = 0; i < 2; i++) assert.ok(((await cache.get("k")) as Hit).valueBytes.equals(large));
    assert.equal(cache.tryGetNear("k"), undefined);
    await cache.set("k", large.subarray(0, 65_500));
    await cache.get("k");
    assert.equal(cache.tryGetNear("k")?.valueLengthBytes, 65_500);
  });

  test("NEAR-29: caches and prefixes not configured bypass the near cache", async () => {
    await using bench = await nearBench({ caches: [cacheName, "named"], keyPrefixes: ["until", "user:"] });
    const { server, client } = bench;
    const nears: string[] = [];
    const { onCall } = server;
    server.onCall = (call) => {
      if (call.near) nears.push(call.key);
      onCall(call);
    };
    for (const name of [cacheName, "other", "named"])
      for (const key of ["user:1", "session:1"]) {
        await client.cache(name).set(key, "v");
        await client.cache(name).get(key);
        await client.cache(name).get(key);
        assert.equal(client.cache(name).tryGetNear(key) !== undefined, name !== "other" && key === "user:1");
      }
    assert.deepEqual(nears, ["user:1", "user:1"]);
  });
});
