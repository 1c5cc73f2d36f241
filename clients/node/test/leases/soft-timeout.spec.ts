// Tests the soft timeout of callers that wait for the load of another caller or of another process.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { CacheClient } from "../../src/client/client.js";
import type { GetOrSetOptions } from "../../src/client/client-options.js";
import { Hit } from "../../src/client/responses.js";
import { textCodec } from "../../src/codecs/codec.js";
import { FakeServer } from "../../src/testing/fake.js";
import { until } from "../support/fake-server.js";
import { fakeBench, type LeaseBench, serverBench } from "../support/lease-benches.js";
import { skipWithoutServer } from "../support/server-process.js";

const hour = 3_600_000;
const patient = { ttlMs: hour, failSafeForMs: hour, leaseMs: 600_000 };
const soft = { ...patient, softTimeoutMs: 5 };
const neverRuns = () => assert.fail("another caller loads the value");

/** A factory whose calls are pending until the test calls `open`. */
function gate() {
  let open = (_: string) => {};
  const value = new Promise<string>((resolve) => {
    open = resolve;
  });
  const signals: (AbortSignal | undefined)[] = [];
  const factory = (signal: AbortSignal | undefined) => {
    signals.push(signal);
    return value;
  };
  return { factory, signals, open: (text: string) => open(text) };
}

const storedValue = async (client: CacheClient, key: string) => {
  const found = await client.cache("cache").get(key);
  return found instanceof Hit ? found.value : null;
};

function tests(make: () => LeaseBench | Promise<LeaseBench>): void {
  let bench: LeaseBench;
  let one: CacheClient;
  let other: CacheClient;
  before(async () => {
    bench = await make();
    [one, other] = [bench.client(), bench.client()];
  });
  after(() => bench.close());
  const eventually = async (condition: () => Promise<boolean>) => {
    while (!(await condition())) await bench.pass(5);
  };
  /** Stores a value that has expired and may be returned as stale for an hour. */
  const expire = async (key: string) => {
    await bench.settled(one.cache("cache").getOrSet(key, () => "old", { ...patient, ttlMs: 1 }));
    await eventually(async () => (await storedValue(one, key)) === null);
  };

  test("GOC-10: waiting for another process returns the stale value", async () => {
    await expire("process");
    const { factory, signals, open } = gate();
    const loading = one.cache("cache").getOrSet("process", factory, patient);
    await until(() => signals.length === 1);
    for (let i = 0; i < 2; i++)
      assert.equal(String(await bench.settled(other.cache("cache").getOrSet("process", neverRuns, soft))), "old");
    const waiting = other.cache("cache").getOrSet("process", neverRuns, { ...patient, softTimeoutMs: 600_000 });
    open("new");
    assert.equal(String(await bench.settled(loading)), "new");
    assert.equal(String(await bench.settled(waiting)), "new");
  });

  test("GOC-10: typed cache that waits for another process returns the stale value", async () => {
    const old = one
      .cache("cache")
      .typed(textCodec)
      .getOrSet("typed", () => "old", { ...patient, ttlMs: 1 });
    await bench.settled(old);
    await eventually(async () => (await storedValue(one, "typed")) === null);
    const { factory, signals, open } = gate();
    const loading = one.cache("cache").typed(textCodec).getOrSet("typed", factory, patient);
    await until(() => signals.length === 1);
    for (const client of [other, one])
      assert.equal(
        await bench.settled(client.cache("cache").typed(textCodec).getOrSet("typed", neverRuns, soft)),
        "old",
      );
    open("new");
    assert.equal(await bench.settled(loading), "new");
  });

  test("GOC-10: joined caller returns the stale value at its own timeout", async () => {
    await expire("joined");
    const { factory, signals, open } = gate();
    const loading = one.cache("cache").getOrSet("joined", factory, patient);
    await until(() => signals.length === 1);
    const joined = Array.from({ length: 3 }, () => one.cache("cache").getOrSet("joined", neverRuns, soft));
    const values = await bench.settled(Promise.all(joined));
    assert.deepEqual(values.map(String), ["old", "old", "old"]);
    assert.equal(new Set(values).size, 3);
    open("new");
    assert.equal(String(await bench.settled(loading)), "new");
    assert.equal(await storedValue(one, "joined"), "new");
  });

  test("GOC-10: load continues when the other callers abort", async () => {
    await expire("aborted");
    const { factory, signals, open } = gate();
    const controller = new AbortController();
    const loading = one.cache("cache").getOrSet("aborted", factory, { ...patient, signal: controller.signal });
    await until(() => signals.length === 1);
    assert.equal(String(await bench.settled(one.cache("cache").getOrSet("aborted", neverRuns, soft))), "old");
    controller.abort();
    await assert.rejects(loading);
    assert.equal(signals[0]!.aborted, false);
    open("new");
    await eventually(async () => (await storedValue(one, "aborted")) === "new");
  });

  test("GOC-10: a caller whose fail-safe time is over waits for the load", async () => {
    await expire("over");
    const { factory, signals, open } = gate();
    const loading = one.cache("cache").getOrSet("over", factory, patient);
    await until(() => signals.length === 1);
    const options = { ...soft, ttlMs: 1, failSafeForMs: 0.001 };
    const waiting = [one, other].map((client) => client.cache("cache").getOrSet("over", neverRuns, options));
    await bench.pass(50);
    open("new");
    assert.deepEqual((await bench.settled(Promise.all([loading, ...waiting]))).map(String), ["new", "new", "new"]);
  });
}

describe("soft timeouts on the fake server", () => {
  tests(fakeBench);

  /** A fake server with expired values, and a client that has a pending load of each of them. */
  async function loads(count: number, options: GetOrSetOptions = soft) {
    const fake = new FakeServer();
    const client = fake.client();
    const cache = client.cache("cache");
    const keys = Array.from({ length: count }, (_, i) => `key ${i}`);
    for (const key of keys) await cache.getOrSet(key, () => "old", { ...patient, ttlMs: 1 });
    await fake.advance(1);
    const { factory, signals, open } = gate();
    const asked = keys.map((key) => cache.getOrSet(key, factory, options));
    await fake.advance(0);
    return { fake, client, cache, keys, signals, open, asked };
  }

  test("GOC-13: at most 32 loads continue after their soft timeout", async () => {
    const { fake, client, cache, keys, signals, open, asked } = await loads(40);
    assert.deepEqual([signals.length, fake.count("releaseLease")], [40, 0]);
    await fake.advance(5);
    assert.deepEqual(new Set((await Promise.all(asked)).map(String)), new Set(["old"]));
    await fake.advance(0);
    assert.equal(signals.filter((signal) => signal!.aborted).length, 8);
    assert.equal(fake.count("releaseLease"), 8);
    // A refresh in the background has the same limit.
    const refreshed = await cache.getOrSet(keys.at(-1)!, neverRuns, { ...patient, revalidateForMs: hour });
    assert.equal(String(refreshed), "old");
    assert.equal(fake.count("releaseLease"), 9);
    open("new");
    await fake.advance(0);
    const stored = await Promise.all(keys.map((key) => storedValue(client, key)));
    assert.equal(stored.filter((value) => value === "new").length, 32);
    // The finished loads free their slots.
    await cache.getOrSet(keys.at(-1)!, () => "new", { ...patient, revalidateForMs: hour });
    await fake.advance(0);
    assert.equal(await storedValue(client, keys.at(-1)!), "new");
    await client.close();
  });

  test("GOC-13: loads that a caller waits for are not limited", async () => {
    const { fake, client, signals, open, asked } = await loads(40, patient);
    await fake.advance(10_000);
    assert.equal(signals.filter((signal) => signal?.aborted === true).length, 0);
    open("new");
    await fake.advance(0);
    assert.deepEqual(new Set((await Promise.all(asked)).map(String)), new Set(["new"]));
    await client.close();
  });

  test("GOC-10: waiting ends when all callers have the stale value", async () => {
    const { fake, client, signals, open, asked } = await loads(1, patient);
    const waiting = fake.client();
    const stale = waiting.cache("cache").getOrSet("key 0", neverRuns, soft);
    while ((await Promise.race([stale, null])) === null) await fake.advance(5);
    await fake.advance(200);
    const requests = fake.count("getOrLease");
    await fake.advance(10_000);
    assert.equal(fake.count("getOrLease"), requests);
    open("new");
    await fake.advance(0);
    assert.deepEqual([String(await asked[0]), signals.length], ["new", 1]);
    await waiting.close();
    await client.close();
  });
});

describe("soft timeouts on the real server", { skip: skipWithoutServer }, () => tests(serverBench));
