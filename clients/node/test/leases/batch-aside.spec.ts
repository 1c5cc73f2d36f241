// Tests getOrSetBatch on the fake server and on the real server.
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { after, before, describe, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { Cache } from "../../src/client/cache.js";
import type { CacheClient } from "../../src/client/client.js";
import type { SetOptions } from "../../src/client/client-options.js";
import { CacheError } from "../../src/client/errors.js";
import { maxBatchItems } from "../../src/client/validation.js";
import type { BatchFactory } from "../../src/leases/batch-cache-aside.js";
import type { Bytes } from "../../src/operations/proto-writer.js";
import { FakeServer } from "../../src/testing/fake.js";
import { fakeBench, type LeaseBench, serverBench } from "../support/lease-benches.js";
import { skipWithoutServer } from "../support/server-process.js";

const notCalled = () => assert.fail("not called");
const upper = (keys: readonly Bytes[]) => keys.map((key) => String(key).toUpperCase());
const texts = (values: readonly Buffer[]) => values.map(String);

function tests(make: () => LeaseBench | Promise<LeaseBench>): void {
  let bench: LeaseBench;
  let client: CacheClient;
  let handle: Cache;
  before(async () => {
    bench = await make();
    client = bench.client();
    handle = client.cache("cache");
  });
  after(() => bench.close());
  const there = async (key: Bytes) => {
    const found = await handle.get(key);
    return found.result === "hit" ? found.value : null;
  };

  test("GOC-15: factory runs once for all missing keys", async () => {
    await handle.set("b", "there");
    const asked: (readonly Bytes[])[] = [];
    const factory = (keys: readonly Bytes[], signal: AbortSignal | undefined) => {
      assert.equal(signal, undefined);
      asked.push(keys);
      return upper(keys);
    };
    const keys = new Set(["d", "b", "c", "a"]);
    assert.deepEqual(texts(await handle.getOrSetBatch(keys, factory)), ["D", "there", "C", "A"]);
    assert.deepEqual(asked, [["d", "c", "a"]]);
    assert.equal(await there("d"), "D");
    const cache = client.cache("cache");
    assert.deepEqual(texts(await cache.getOrSetBatch(keys, notCalled)), ["D", "there", "C", "A"]);
  });

  test("GOC-15: duplicate keys are loaded once with separate results", async () => {
    const keys = ["twice", Buffer.from("twice"), "ä", Buffer.from("ä"), "twice"];
    const asked: (readonly Bytes[])[] = [];
    for (let i = 0; i < 2; i++) {
      const values = await handle.getOrSetBatch(keys, async (missing) => {
        asked.push(missing);
        return ["1", "2"];
      });
      assert.deepEqual(texts(values), ["1", "1", "2", "2", "1"]);
      assert.equal(new Set(values).size, 5);
      values[0]!.fill(0);
      assert.equal(String(values[1]), "1");
    }
    assert.deepEqual(asked, [["twice", "ä"]]);
  });

  test("GOC-15: wrong number or type of values throws TypeError", async () => {
    for (const made of [
      [],
      ["1"],
      ["1", "2", "3"],
      ["1", 2],
      ["1", null],
      new Array(2),
      "12",
      null,
      undefined,
      {},
      7,
    ]) {
      const factory = (async () => made) as unknown as BatchFactory;
      await assert.rejects(handle.getOrSetBatch(["none 1", "none 2"], factory), TypeError);
      assert.equal(await there("none 1"), null);
    }
  });

  test("GOC-15: factory exception is rethrown and nothing is stored", async () => {
    for (const factory of [
      () => {
        throw new Error("no such row");
      },
      () => Promise.reject(new Error("no such row")),
    ])
      await assert.rejects(handle.getOrSetBatch(["throws"], factory), /no such row/);
    assert.equal(await there("throws"), null);
  });

  test("GOC-15: stored values get the call's TTL", async () => {
    await handle.getOrSetBatch(["brief"], upper, { ttlMs: 5_000 });
    const found = await handle.itemGetTtl("brief");
    assert.ok(found.result === "hit" && found.remainingTtlMs <= 5_000);
  });

  test("empty value counts as a hit", async () => {
    assert.deepEqual(texts(await handle.getOrSetBatch(["empty"], () => [""])), [""]);
    assert.deepEqual(texts(await handle.getOrSetBatch(["empty"], notCalled)), [""]);
  });

  test("value is stored under the key's original bytes", async () => {
    const key = Buffer.from("changes");
    await handle.getOrSetBatch([key], () => {
      key.fill(120);
      return ["made"];
    });
    assert.equal(await there("changes"), "made");
  });

  test("aborted getOrSetBatch rejects with the abort reason and stores nothing", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const factory: BatchFactory = (_keys, given) => {
      assert.equal(given, signal);
      controller.abort(new Error("enough"));
      return new Promise(() => {});
    };
    await assert.rejects(handle.getOrSetBatch(["left"], factory, { signal }), /enough/);
    await assert.rejects(handle.getOrSetBatch(["left"], notCalled, { signal }), /enough/);
    assert.equal(await there("left"), null);
  });
}

describe("getOrSetBatch on the fake server", () => {
  tests(fakeBench);

  test("GOC-15: empty key list makes no call", async () => {
    const fake = new FakeServer();
    await using client = fake.client();
    assert.deepEqual(await client.cache("cache").getOrSetBatch([], notCalled), []);
    assert.equal(fake.count("getBatch") + fake.count("setBatch"), 0);
  });

  test("GOC-15: values are not stored if the read failed", async () => {
    const fake = new FakeServer();
    await using client = fake.client();
    const cache = client.cache("cache");
    await cache.set("a", "there");
    fake.fail("getBatch", "Unavailable");
    assert.deepEqual(texts(await cache.getOrSetBatch(["a", "b"], upper)), ["A", "B"]);
    assert.equal(fake.count("setBatch"), 0);
  });

  test("GOC-15: values of a failed part are not stored", async () => {
    const fake = new FakeServer();
    await using client = fake.client();
    const cache = client.cache("cache");
    const keys = Array.from({ length: 3_000 }, (_, i) => `${i}:`.padEnd(4_096, "k"));
    fake.fail("getBatch", "Unavailable");
    const made = await cache.getOrSetBatch(keys, (missing) => missing.map((_, i) => String(i)));
    assert.deepEqual(texts(made), Array.from(keys.keys()).map(String));
    assert.equal((await cache.get(keys[0]!)).result, "miss");
    assert.equal((await cache.get(keys[2_999]!)).result, "hit");
  });

  test("GOC-15: failed store still returns values and warns once", async () => {
    const fake = new FakeServer();
    await using client = fake.client();
    const warnings: string[] = [];
    const listener = ({ message }: Error) => warnings.push(message);
    process.on("warning", listener);
    for (const code of ["Unavailable", "PermissionDenied", "PermissionDenied"] as const) {
      fake.fail("setBatch", code);
      assert.deepEqual(texts(await client.cache("cache").getOrSetBatch(["a"], upper)), ["A"]);
    }
    await setImmediate();
    process.off("warning", listener);
    assert.equal(warnings.filter((message) => message.includes("PermissionDenied")).length, 1);
  });

  test("rejects invalid arguments before any call", async () => {
    const fake = new FakeServer();
    await using client = fake.client();
    const many = {
      *[Symbol.iterator]() {
        for (let i = 0; i <= maxBatchItems; i++) yield "k";
      },
    };
    for (const [cache, keys, options] of [
      ["", [], {}],
      ["cache", [""], {}],
      ["cache", ["\ud800"], {}],
      ["cache", many, {}],
      ["cache", ["a"], { ttlMs: 0 }],
      ["cache", ["a"], { timeoutMs: -1 }],
    ] as const)
      await assert.rejects(
        client.cache(cache).getOrSetBatch(keys, notCalled, options),
        (error) => error instanceof CacheError && error.code === "InvalidArgument",
      );
    for (const [keys, factory, options] of [
      ["ab", notCalled, {}],
      [[7], notCalled, {}],
      [["a"], "made", {}],
      [["a"], notCalled, { ttl: 1 }],
      [["a"], notCalled, { leaseMs: 1 }],
      [["a"], notCalled, { ttlMs: "1" }],
      [["a"], notCalled, { signal: new AbortController() }],
    ] as const)
      await assert.rejects(
        client.cache("cache").getOrSetBatch(keys as Iterable<Bytes>, factory as BatchFactory, options as SetOptions),
        TypeError,
      );
    assert.equal(fake.count("getBatch"), 0);
  });
});

describe("getOrSetBatch on the real server", { skip: skipWithoutServer }, () => tests(serverBench));
