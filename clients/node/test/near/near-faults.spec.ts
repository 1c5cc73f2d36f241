import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import { Status } from "../../src/client/errors.js";
import { cacheName } from "../support/every-call.js";
import { type FakeCall, until } from "../support/fake-server.js";
import { nearBench, valueAt } from "../support/near-bench.js";
import { ticketOf } from "../support/near-client.js";

describe("near cache with a hostile server", () => {
  test("ticket in a response other than near_get is ignored", async () => {
    await using bench = await nearBench({ keyPrefixes: ["until"] });
    const { server, client } = bench;
    const cache = client.cache(cacheName);
    server.onCall = (call) => call.answerKept(ticketOf(call.key) + 1);
    await cache.set("k", "v");
    await cache.get("k");
    await cache.increment("n");
    assert.equal(cache.tryGetNear("k"), undefined);
    assert.equal(cache.tryGetNear("n"), undefined);
  });

  test("NEAR-24: invalid ticket or no remaining TTL prevents a copy", async () => {
    await using bench = await nearBench();
    const { server, client } = bench;
    const cache = client.cache(cacheName);
    await cache.set("k", "v");
    for (const [ticket, ttlLeftMs, kept] of [
      [0, 60_000, false],
      [1, 0, false],
      [1_048_577, 60_000, false],
      [2 ** 40, 60_000, false],
      [Number.MAX_SAFE_INTEGER, 60_000, false],
      [1_048_576, 60_000, true],
      [1, Number.MAX_SAFE_INTEGER, true],
    ] as const) {
      server.onCall = (call) => call.answerKept(ticket, ttlLeftMs);
      await cache.get("k");
      assert.equal(cache.tryGetNear("k") !== undefined, kept, `${ticket}, ${ttlLeftMs}`);
      const { clears } = client.nearCache!;
      server.tell({ clear: true });
      await until(() => client.nearCache!.clears > clears);
    }
  });

  test("millions of tickets and clears do not block calls", async () => {
    await using bench = await nearBench();
    const { server, client, keep } = bench;
    const cache = client.cache(cacheName);
    const { onCall } = server;
    let held: FakeCall | null = null;
    server.onCall = (call) => {
      held = call;
    };
    const get = cache.get("k");
    await until(() => held !== null);
    server.onCall = onCall;
    for (let i = 0; i < 20; i++)
      server.tell({ tickets: Array.from({ length: 50_000 }, (_, j) => i * 50_000 + j), clear: i % 3 === 0 });
    await cache.get("behind them");
    held!.answerKept(ticketOf("k") + 1);
    assert.equal((await get).result, "miss");
    await keep("k");
    assert.equal(await valueAt(client, "k"), "kept");
  });

  test("failed renewal is retried later without failing calls", async () => {
    await using bench = await nearBench();
    const { server, client, keep } = bench;
    await keep("k");
    let renewals = 0;
    server.onNear = (call) => {
      renewals++;
      call.fail(Status.failedPrecondition, "no near stream");
    };
    await until(() => renewals === 2);
    assert.equal(await valueAt(client, "k"), "kept");
    assert.equal(client.statistics().connections, 1);
  });

  test("undecodable response leaves no copy and fails only its get", async () => {
    await using bench = await nearBench({}, { maxRetries: 0 });
    const { server, client } = bench;
    const cache = client.cache(cacheName);
    const { onCall } = server;
    server.onCall = (call) => call.answerWith(Buffer.from([8, 9]));
    assert.equal((await cache.get("k")).result, "error");
    server.onCall = onCall;
    await cache.set("k", "v");
    assert.equal(await valueAt(client, "k"), "v");
  });

  test("NEAR-27: copies never exceed maxBytes", async () => {
    await using bench = await nearBench({ maxBytes: 20_000 });
    const { server, client } = bench;
    const cache = client.cache(cacheName);
    const { onCall } = server;
    server.onCall = (call) => (call.near ? call.answerKept(8) : onCall(call));
    const values = new Map(Array.from({ length: 400 }, (_, i) => [`key-${i}`, "v".repeat((i * 97) % 3_000)]));
    await cache.setBatch(values);
    for (const [key, value] of values) await cache.set(key, value);
    for (let i = 0; i < 2_000; i++) {
      const key = `key-${i % 2 === 0 ? i % 6 : (i * 7) % 400}`;
      assert.equal(await valueAt(client, key), values.get(key));
      const { bytes, copies } = client.nearCache!;
      assert.ok(bytes <= 20_000 && bytes >= copies * 128, `${bytes} bytes of ${copies} copies`);
    }
    assert.ok(client.nearCache!.evictions > 0);
    assert.ok(client.nearCache!.hits > 0);
    server.tell({ tickets: [7] });
    await until(() => client.nearCache!.copies === 0);
    assert.equal(client.nearCache!.bytes, 0);
  });
});
