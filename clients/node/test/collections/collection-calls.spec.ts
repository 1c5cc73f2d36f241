import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { after, before, describe, test } from "node:test";
import type { Cache } from "../../src/client/cache.js";
import type { CacheClient } from "../../src/client/client.js";
import type { CallOptions } from "../../src/client/client-options.js";
import { Status } from "../../src/client/errors.js";
import { ErrorResponse } from "../../src/client/responses.js";
import { CollectionTtl } from "../../src/collections/collection-ttl.js";
import { withSettings } from "../../src/configuration/configuration-check.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { kept, startFakeServer } from "../support/collections.js";
import { readRequest, responseBytes } from "../support/contract.js";
import { clientOf, type FakeCall, type FakeServer, until } from "../support/fake-server.js";

/**
 * Returns bytes whose buffer is resizable. Node supports this since version 20, but its types do not declare it yet.
 */
function resizable(bytes: number) {
  const make = ArrayBuffer as unknown as new (
    length: number,
    options: object,
  ) => ArrayBuffer & { resize(to: number): void };
  const buffer = new make(bytes, { maxByteLength: bytes });
  return { buffer, alone: new Uint8Array(buffer) };
}

for (const transport of ["unary", "pipeline"] as const)
  describe(`collection calls, ${transport}`, () => {
    let server: FakeServer;
    let client: CacheClient;
    let handle: Cache;
    before(async () => {
      ({ server, client } = await startFakeServer(transport));
      handle = client.cache("cache");
      await client.connect();
    });
    after(async () => {
      await client.close();
      await server.stop();
    });

    /** Returns the request that a call sends. */
    async function asked(call: () => Promise<unknown>): Promise<Record<string, unknown>> {
      let request: object = {};
      server.onCall = (each) => {
        request = readRequest(each.rpc, each.request);
        each.fail(Status.failedPrecondition, "seen");
      };
      await call();
      return request as Record<string, unknown>;
    }

    test("TTL is taken from the call or the client default", async () => {
      const cache = client.cache("cache");
      const ttlOf = async (options?: Parameters<typeof cache.setUnion>[2]) => {
        const { ttlMs, refreshTtl = false } = await asked(() => cache.setUnion("s", ["a"], options));
        return [ttlMs, refreshTtl];
      };
      assert.deepEqual(await ttlOf(), ["60000", true]);
      assert.deepEqual(await ttlOf({}), ["60000", true]);
      assert.deepEqual(await ttlOf({ ttlMs: 0.5 }), ["1", true]);
      assert.deepEqual(await ttlOf({ ttl: CollectionTtl.of(5) }), ["5", true]);
      assert.deepEqual(await ttlOf({ ttl: kept }), ["7", false]);
      assert.deepEqual(await ttlOf({ ttl: CollectionTtl.fromCacheTtl().withNoRefreshTtlOnUpdates() }), [
        "60000",
        false,
      ]);
      await assert.rejects(ttlOf({ ttl: kept, ttlMs: 5 }), /ttl and ttlMs/);
      for (const ttl of [5, null, "5", {}, { ttlMs: 5, refreshTtl: true }])
        await assert.rejects(ttlOf({ ttl: ttl as never }), TypeError);
      for (const options of [{ ttlMs: 0 }, { ttlMs: Number.NaN }, { ttl: CollectionTtl.of(-1) }])
        assert.equal((await cache.setUnion("s", ["a"], options)).result, "error");
    });

    test("listRetain keeps the TTL unless the call specifies a TTL", async () => {
      const cache = client.cache("cache");
      const ttlOf = async (options?: Parameters<typeof cache.listRetain>[1]) => {
        const { ttlMs, refreshTtl = false } = await asked(() => cache.listRetain("l", options));
        return [ttlMs, refreshTtl];
      };
      assert.deepEqual(await ttlOf(), ["0", false]);
      assert.deepEqual(await ttlOf({ start: 1 }), ["0", false]);
      assert.deepEqual(await ttlOf({ ttlMs: 5 }), ["5", true]);
      assert.deepEqual(await ttlOf({ ttl: CollectionTtl.fromCacheTtl() }), ["60000", true]);
      assert.equal(
        (await cache.listRetain("l", { ttl: CollectionTtl.of(0).withNoRefreshTtlOnUpdates() })).result,
        "error",
      );
    });

    test("omitted arguments are sent with their documented defaults", async () => {
      const cache = client.cache("cache");
      assert.equal((await asked(() => cache.setPop("s"))).count, 1);
      assert.equal((await asked(() => cache.dictionaryIncrement("d", "f"))).amount, "1");
      assert.equal((await asked(() => cache.sortedSetIncrement("z", "e"))).amount, 1);
      assert.equal((await asked(() => cache.listPushBack("l", "v"))).truncateFrontToSize, 0);
      assert.deepEqual((await asked(() => cache.sortedSetFetchByScore("z"))).byScore, {
        unboundedMin: {},
        unboundedMax: {},
        offset: 0,
        count: -1,
      });
      assert.equal((await asked(() => cache.sortedSetUnionStore("z", ["x"]))).aggregate, "SUM");
    });

    test("unary call fetches a response too large for the pipeline", async () => {
      const elements = Array.from({ length: 1_000 }, (_, i) => Buffer.alloc(100, String(i % 10)));
      server.onCall = (call) => call.answerWith(responseBytes(call.rpc, { found: { elements } }));
      const response = await handle.setFetch("s");
      assert.ok(response.result === "hit");
      assert.equal(response.count, 1_000);
      assert.equal(response.elements[999], "9".repeat(100));
    });

    test("changes to arguments after the call are not sent", async () => {
      const narrow = clientOf(server, transport, {
        configuration: withSettings(Configurations.Laptop.latest(), {
          transport,
          maxInFlightPipeline: 1,
          maxInFlightUnary: 1,
        }),
      });
      const narrowCache = narrow.cache("cache");
      await narrow.connect();
      let first: FakeCall | null = null;
      const requests: object[] = [];
      server.onCall = (call) => {
        requests.push(readRequest(call.rpc, call.request));
        if (first === null) first = call;
        else call.answerWith(responseBytes(call.rpc, {}));
      };
      const held = narrowCache.dictionarySet("d", {});
      const value = new Uint8Array([0x61]);
      const items = new Map([["f", value]]);
      const waits = narrowCache.dictionarySet("d", items);
      const { buffer, alone } = resizable(2);
      const shrunk = narrowCache.setIfPresent("k", alone);
      await until(() => first !== null);
      items.set("g", value);
      value[0] = 0x7a;
      buffer.resize(1);
      first!.answerWith(Buffer.alloc(0));
      assert.equal((await held).result, "success");
      assert.equal((await waits).result, "success");
      assert.deepEqual((requests[1] as { items: unknown }).items, [{ field: "f", value: "a" }]);
      const response = await shrunk;
      assert.ok(response instanceof ErrorResponse);
      assert.equal(response.error.code, "InvalidArgument");
      await narrow.close();
    });

    test("collection hits and misses do not count as item lookups", async () => {
      const { hits, misses } = client.statistics();
      server.onCall = (call) => call.answerWith(responseBytes(call.rpc, { missing: {} }));
      assert.equal((await handle.listPopFront("l")).result, "miss");
      server.onCall = (call) => call.answerWith(responseBytes(call.rpc, { found: { value: Buffer.from("v") } }));
      assert.equal((await handle.listPopFront("l")).result, "hit");
      assert.deepEqual([client.statistics().hits, client.statistics().misses], [hits, misses]);
    });

    test("single-element calls return a value, score, flag or miss", async () => {
      const cache = client.cache("cache");
      const options: CallOptions = { timeoutMs: 30_000 };
      const answer = (response: object) => {
        server.onCall = (call) => call.answerWith(responseBytes(call.rpc, response));
      };
      answer({ found: { parts: [{ result: 2, value: Buffer.from("v") }] } });
      const field = await cache.dictionaryGetField("d", "f", options);
      assert.ok(field.result === "hit");
      assert.deepEqual([field.value, field.valueBytes], ["v", Buffer.from("v")]);
      answer({ found: { parts: [{ result: 2 }] } });
      const empty = await cache.dictionaryGetField("d", "f");
      assert.ok(empty.result === "hit");
      assert.equal(empty.value, "");
      answer({ found: { parts: [{ result: 3 }] } });
      assert.equal((await cache.dictionaryGetField("d", "f")).result, "miss");
      assert.equal((await cache.sortedSetGetElementScore("z", "e")).result, "miss");
      answer({ found: { parts: [{ result: 2, score: 0 }] } });
      assert.deepEqual(await cache.sortedSetGetElementScore("z", "e"), { result: "hit", score: 0 });
      answer({ found: { contains: [false] } });
      assert.deepEqual(await cache.setContainsElement("s", "e"), { result: "hit", contains: false });
      answer({ missing: {} });
      assert.equal((await cache.dictionaryGetField("d", "f")).result, "miss");
      assert.equal((await cache.setContainsElement("s", "e")).result, "miss");
      assert.equal((await cache.sortedSetGetElementScore("z", "e")).result, "miss");
      server.onCall = (call) => call.fail(Status.failedPrecondition, "another type");
      for (const each of [
        cache.dictionaryGetField("d", "f"),
        cache.setContainsElement("s", "e"),
        cache.sortedSetGetElementScore("z", "e"),
      ])
        assert.equal((await each).result, "error");
    });
  });
