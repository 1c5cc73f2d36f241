import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import { type ErrorResponse, Hit } from "../../src/client/responses.js";
import type { CallReport } from "../../src/telemetry/metrics.js";
import { cacheName } from "../support/every-call.js";
import { clientOf, type FakeCall, FakeServer, until } from "../support/fake-server.js";
import { nearBench, valueAt } from "../support/near-bench.js";

describe("near cache hits", () => {
  test("NEAR-28: repeated get returns the copy without a call", async () => {
    await using bench = await nearBench();
    const { server, client, keep } = bench;
    const cache = client.cache(cacheName);
    await keep("k", "wörth");
    const before = client.nearCache!;
    const calls = server.calls.length;
    const { hits } = client.statistics();
    for (const key of ["k", Buffer.from("k"), new Uint8Array(Buffer.from("k"))]) {
      const hit = await cache.get(key);
      assert.ok(hit instanceof Hit);
      assert.equal(hit.value, "wörth");
      assert.deepEqual(hit.valueBytes, Buffer.from("wörth"));
      assert.equal(cache.tryGetNear(key)?.value, "wörth");
      assert.equal(client.cache(cacheName).tryGetNear(key)?.value, "wörth");
    }
    assert.equal(server.calls.length, calls);
    assert.equal(client.nearCache!.hits - before.hits, 9);
    assert.equal(client.statistics().hits, hits, "hits of copies are counted apart");
    assert.deepEqual(client.statistics().nearCache, client.nearCache);
  });

  test("NEAR-30: changing returned bytes does not change the copy", async () => {
    await using bench = await nearBench();
    const { client, keep } = bench;
    const cache = client.cache(cacheName);
    for (const [key, value] of [
      ["text", Buffer.from("value")],
      ["bytes", Buffer.from([255, 0, 1])],
      ["long", Buffer.alloc(5_000, "x")],
    ] as const) {
      const given = Buffer.from(value);
      await keep(key, given);
      given.fill(1);
      for (let i = 0; i < 3; i++) {
        const hit = (await cache.get(key)) as Hit;
        assert.deepEqual(hit.valueBytes, value);
        hit.valueBytes.fill(2);
      }
      const made = await cache.getOrSet(key, () => assert.fail("it is there"));
      assert.deepEqual(made, value);
      made.fill(3);
      assert.deepEqual(cache.tryGetNear(key)?.valueBytes, value);
    }
  });

  test("NEAR-28: hit needs no permit when the queue is full", async () => {
    await using bench = await nearBench({}, { maxInFlightPipeline: 1, queueLimit: 0 });
    const { server, client, keep } = bench;
    await keep("k");
    const held: FakeCall[] = [];
    const { onCall } = server;
    server.onCall = (call) => held.push(call);
    const waits = client.cache(cacheName).get("other");
    await until(() => held.length === 1);
    assert.equal(await valueAt(client, "third"), "ClientOverloaded");
    assert.equal(await valueAt(client, "k"), "kept");
    server.onCall = onCall;
    held[0]!.answer();
    assert.equal((await waits).result, "miss");
  });

  test("NEAR-28: hit is not reported to metrics hooks", async () => {
    const reports: CallReport[] = [];
    await using bench = await nearBench({}, {}, { metrics: { callEnded: (report) => reports.push(report) } });
    const { client, keep } = bench;
    await keep("k");
    const before = reports.length;
    await client.cache(cacheName).get("k");
    assert.equal(reports.length, before);
  });

  test("invalid call options are rejected even for a hit", async () => {
    await using bench = await nearBench();
    const { client, keep } = bench;
    const cache = client.cache(cacheName);
    await keep("k");
    assert.equal((await cache.get("k", { timeoutMs: 5, signal: new AbortController().signal })).result, "hit");
    await assert.rejects(cache.get("k", { timeout: 5 } as object), /TypeError.*'timeout'/);
    assert.match(
      ((await cache.get("k", { timeoutMs: 0 })) as ErrorResponse).error.message,
      /timeoutMs must be above 0/,
    );
    const given = await cache.get("k", { signal: AbortSignal.abort() });
    assert.equal((given as ErrorResponse).error.code, "Cancelled");
    assert.equal(cache.tryGetNear(""), undefined);
    assert.throws(() => cache.tryGetNear(7 as never), TypeError);
  });

  test("byte key differs from text that looks similar", async () => {
    await using bench = await nearBench();
    const { client, keep } = bench;
    const cache = client.cache(cacheName);
    await keep(Buffer.from([0xff]), "of bytes");
    for (const key of ["ÿ", "\ufffd", "\ud800ÿ"]) assert.equal(cache.tryGetNear(key), undefined);
    assert.equal(cache.tryGetNear(new Uint8Array([0xff]))?.value, "of bytes");
  });

  test("readers of copies do not block the event loop", async () => {
    await using bench = await nearBench();
    const { client, keep } = bench;
    await keep("k");
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    while (turns < 3) assert.equal(await valueAt(client, "k"), "kept");
    clearInterval(timer);
  });

  test("closed client serves no copies", async () => {
    await using bench = await nearBench();
    const { client, keep } = bench;
    await keep("k");
    await client.close();
    assert.equal(client.cache(cacheName).tryGetNear("k"), undefined);
    assert.equal(await valueAt(client, "k"), "Cancelled");
    assert.equal(client.nearCache!.copies, 0);
  });

  test("client without nearCache setting uses no near cache", async () => {
    const server = await new FakeServer().start();
    let asked = 0;
    server.onNear = () => asked++;
    const plain = clientOf(server, "pipeline");
    const plainCache = plain.cache(cacheName);
    await plainCache.get("k");
    assert.equal(plain.nearCache, null);
    assert.equal(plainCache.tryGetNear("k"), undefined);
    assert.equal("nearCache" in plain.statistics(), false);
    assert.equal(asked, 0);
    await plain.close();
    await server.stop();
  });
});
