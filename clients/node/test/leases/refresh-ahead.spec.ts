// Tests refreshing values before they expire, and TTLs that are computed from the value.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { CacheClient } from "../../src/client/client.js";
import type { GetOrSetOptions } from "../../src/client/client-options.js";
import { CacheError } from "../../src/client/errors.js";
import { FakeServer } from "../../src/testing/fake.js";
import { fakeBench, type LeaseBench, serverBench } from "../support/lease-benches.js";
import { skipWithoutServer } from "../support/server-process.js";

const hour = 3_600_000;
const isInvalid = (error: unknown) => error instanceof CacheError && error.code === "InvalidArgument";

function tests(make: () => LeaseBench | Promise<LeaseBench>): void {
  let bench: LeaseBench;
  let one: CacheClient;
  let other: CacheClient;
  before(async () => {
    bench = await make();
    [one, other] = [bench.client(), bench.client()];
  });
  after(() => bench.close());
  const get = async (client: CacheClient, key: string, factory: () => string | Promise<string>, options = {}) =>
    String(await bench.settled(client.cache("cache").getOrSet(key, factory, options)));
  const there = async (key: string) => {
    const found = await one.cache("cache").get(key);
    return found.result === "hit" ? found.value : null;
  };
  const leftMs = async (key: string) => {
    const found = await one.cache("cache").itemGetTtl(key);
    assert.ok(found.result === "hit");
    return found.remainingTtlMs;
  };
  const eventually = async (condition: () => boolean | Promise<boolean>) => {
    while (!(await condition())) await bench.pass(5);
  };

  test("GOC-12: expiring value is returned while one process refreshes it", async () => {
    const options = { ttlMs: hour, refreshAheadForMs: hour / 2 };
    await get(one, "ahead", () => "old", options);
    assert.ok((await leftMs("ahead")) <= hour / 2);
    await one.cache("cache").updateTtl("ahead", 1);
    await bench.pass(1);
    await eventually(async () => (await there("ahead")) === null);
    let ran = 0;
    let open = (_: string) => {};
    const gate = new Promise<string>((resolve) => {
      open = resolve;
    });
    const factory = () => {
      ran++;
      return gate;
    };
    for (let i = 0; i < 5; i++)
      for (const client of [one, other]) assert.equal(await get(client, "ahead", factory, options), "old");
    await eventually(() => ran === 1);
    open("new");
    await eventually(async () => (await there("ahead")) === "new");
    assert.equal(await get(other, "ahead", () => assert.fail("it is there"), options), "new");
    assert.equal(ran, 1);
  });

  test("GOC-12: fully expired value is reloaded before returning", async () => {
    await get(one, "over", () => "old", { ttlMs: 2, refreshAheadForMs: 1 });
    await bench.pass(2);
    await eventually(async () => (await there("over")) === null);
    assert.equal(await get(one, "over", () => "new", { refreshAheadForMs: 1, ttlMs: hour }), "new");
  });

  test("GOC-14: ttlOf overrides the call's TTL unless it returns undefined", async () => {
    const ttlOf = (value: string | Uint8Array) => (value === "none" ? 5_000 : undefined);
    await get(one, "none", () => "none", { ttlMs: hour, ttlOf });
    assert.ok((await leftMs("none")) <= 5_000);
    await get(one, "some", () => "some", { ttlMs: hour, ttlOf });
    assert.ok((await leftMs("some")) > hour / 2);
    const seen: unknown[] = [];
    await get(one, "seen", () => "text", { ttlOf: (value: unknown) => void seen.push(value) });
    assert.deepEqual(seen, ["text"]);
  });

  test("GOC-14: refresh starts after half of a short TTL", async () => {
    const options = { ttlMs: hour, refreshAheadForMs: hour / 2, ttlOf: () => 60_000 };
    await get(one, "short", () => "value", options);
    assert.ok((await leftMs("short")) <= 30_000);
  });

  test("GOC-14: invalid TTL rejects, stores nothing and releases the lease", async () => {
    for (const [ttlMs, expected] of [
      [0, isInvalid],
      [-1, isInvalid],
      [Number.NaN, isInvalid],
      [Infinity, isInvalid],
      ["5", TypeError],
      [null, TypeError],
      [Promise.resolve(5), TypeError],
    ] as const) {
      const options = { leaseMs: 600_000, ttlOf: () => ttlMs } as GetOrSetOptions;
      await assert.rejects(bench.settled(one.cache("cache").getOrSet("bad", () => "value", options)), expected);
      assert.equal(await there("bad"), null);
      assert.equal(await get(other, "bad", () => "value", { leaseMs: 600_000 }), "value");
      await one.cache("cache").delete("bad");
    }
  });

  test("GOC-14: throwing ttlOf rejects and releases the lease", async () => {
    const ttlOf = () => {
      throw new Error("no idea");
    };
    const asked = one.cache("cache").getOrSet("throws", () => "value", { leaseMs: 600_000, ttlOf });
    await assert.rejects(bench.settled(asked), /no idea/);
    assert.equal(await get(other, "throws", () => "now", { leaseMs: 600_000 }), "now");
  });
}

describe("refresh ahead on the fake server", () => {
  tests(fakeBench);

  test("GOC-13: client runs at most 32 background refreshes", async () => {
    const fake = new FakeServer();
    await using client = fake.client();
    const cache = client.cache("cache");
    await using other = fake.client();
    const options = { ttlMs: hour, refreshAheadForMs: hour / 2, leaseMs: 600_000 };
    const keys = Array.from({ length: 40 }, (_, i) => `many ${i}`);
    for (const key of keys) await cache.getOrSet(key, () => "old", options);
    await fake.advance(hour / 2);
    let ran = 0;
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const slow = async () => {
      ran++;
      await gate;
      return "new";
    };
    const asked = await Promise.all(keys.map((key) => cache.getOrSet(key, slow, options)));
    assert.deepEqual(new Set(asked.map(String)), new Set(["old"]));
    await fake.advance(0);
    assert.equal(ran, 32);
    assert.equal(fake.count("releaseLease"), 8);
    for (const key of keys) await other.cache("cache").getOrSet(key, slow, options);
    await fake.advance(0);
    assert.equal(ran, 40);
    open();
    await fake.advance(0);
    for (const key of keys) assert.equal((await cache.get(key)).result, "hit");
    assert.equal(fake.count("releaseLease"), 8);
    // Finished refreshes free their slots.
    await fake.advance(hour / 2);
    await cache.getOrSet(keys[0]!, slow, options);
    await fake.advance(0);
    assert.equal(ran, 41);
  });

  test("GOC-12: without leases the full TTL is stored", async () => {
    const fake = new FakeServer();
    await using client = fake.client();
    const cache = client.cache("cache");
    fake.fail("getOrLease", "Unknown");
    await cache.getOrSet("key", () => "made", { ttlMs: hour, refreshAheadForMs: hour / 2 });
    const found = await cache.itemGetTtl("key");
    assert.ok(found.result === "hit" && found.remainingTtlMs > hour - 10);
  });
});

describe("refresh ahead on the real server", { skip: skipWithoutServer }, () => tests(serverBench));
