// Tests that exactly one process loads a value that is missing, on the fake server and on the real server. Each client
// simulates a separate process.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { CacheClient } from "../../src/client/client.js";
import type { GetOrSetOptions } from "../../src/client/client-options.js";
import { Hit } from "../../src/client/responses.js";
import { FakeServer } from "../../src/testing/fake.js";
import { until } from "../support/fake-server.js";
import { fakeBench, type LeaseBench, serverBench } from "../support/lease-benches.js";
import { skipWithoutServer } from "../support/server-process.js";

const longest: GetOrSetOptions = { leaseMs: 600_000 };
const hour = 3_600_000;

/** A factory that counts its calls. The calls are pending until the test calls `open` or `fail`. */
class Gate {
  ran = 0;
  open: (value: string) => void = () => {};
  fail: (error: Error) => void = () => {};
  readonly #value = new Promise<string>((resolve, reject) => {
    this.open = resolve;
    this.fail = reject;
  });
  readonly factory = () => {
    this.ran++;
    return this.#value;
  };
}

async function there(client: CacheClient, key: string): Promise<string | null> {
  const found = await client.cache("cache").get(key);
  return found instanceof Hit ? found.value : null;
}

function tests(make: () => LeaseBench | Promise<LeaseBench>): void {
  let bench: LeaseBench;
  let one: CacheClient;
  let other: CacheClient;
  before(async () => {
    bench = await make();
    [one, other] = [bench.client(), bench.client()];
  });
  after(() => bench.close());
  const get = async (client: CacheClient, key: string, factory: () => string | Promise<string>, options = longest) =>
    String(await bench.settled(client.cache("cache").getOrSet(key, factory, options)));
  /** Lets time pass in steps of 5 ms until a condition holds. */
  const eventually = async (condition: () => boolean | Promise<boolean>) => {
    while (!(await condition())) await bench.pass(5);
  };
  /** Stores a value that has expired and may be returned as stale for an hour. */
  const expired = async (key: string, options: GetOrSetOptions) => {
    assert.equal(await get(one, key, () => "old", { ttlMs: 1, ...options }), "old");
    await bench.pass(1);
    await eventually(async () => (await there(one, key)) === null);
  };

  test("GOC-1: factory runs once for 1,000 callers of four processes", async () => {
    const gate = new Gate();
    const clients = [one, other, bench.client(), bench.client()];
    const asked = clients.flatMap((client) =>
      Array.from({ length: 250 }, () => client.cache("cache").getOrSet("many", gate.factory, longest)),
    );
    await until(() => gate.ran === 1);
    await bench.pass(300);
    assert.equal(gate.ran, 1);
    gate.open("value");
    const values = await bench.settled(Promise.all(asked));
    assert.deepEqual(new Set(values.map(String)), new Set(["value"]));
    assert.equal(new Set(values).size, 1_000);
    assert.equal(gate.ran, 1);
    assert.equal(await there(one, "many"), "value");
  });

  test("GOC-10: soft timeout returns stale value and stores the result", async () => {
    const options = { ttlMs: hour, failSafeForMs: hour, softTimeoutMs: 5 };
    await expired("soft", { failSafeForMs: hour });
    const gate = new Gate();
    assert.equal(await get(one, "soft", gate.factory, options), "old");
    assert.equal(gate.ran, 1);
    gate.open("new");
    await eventually(async () => (await there(one, "soft")) === "new");
    assert.equal(await get(one, "soft, in time", () => "made", options), "made");
  });

  test("GOC-10: failure after the soft timeout releases the lease", async () => {
    const options = { failSafeForMs: hour, softTimeoutMs: 5, leaseMs: 600_000 };
    await expired("soft, failing", { failSafeForMs: hour });
    const gate = new Gate();
    assert.equal(await get(one, "soft, failing", gate.factory, options), "old");
    gate.fail(new Error("no such row"));
    await eventually(async () => (await get(other, "soft, failing", () => "new", options)) === "new");
  });

  test("GOC-11: hard timeout aborts the factory and releases the lease", async () => {
    const options = { failSafeForMs: hour, hardTimeoutMs: 5, leaseMs: 600_000 };
    const signals: (AbortSignal | undefined)[] = [];
    const never = (signal: AbortSignal | undefined) => {
      signals.push(signal);
      return new Promise<string>(() => {});
    };
    await assert.rejects(bench.settled(one.cache("cache").getOrSet("hard", never, options)), { name: "TimeoutError" });
    await expired("hard", { failSafeForMs: hour });
    assert.equal(String(await bench.settled(one.cache("cache").getOrSet("hard", never, options))), "old");
    assert.deepEqual(
      signals.map((signal) => signal?.aborted),
      [true, true],
    );
    assert.equal(await get(other, "hard", () => "new", options), "new");
  });

  test("1,000 callers of one process share one factory call", async () => {
    const gate = new Gate();
    const asked = Array.from({ length: 1_000 }, () => one.cache("cache").getOrSet("one", gate.factory, longest));
    gate.open("value");
    const values = await bench.settled(Promise.all(asked));
    assert.ok(values.every((value) => String(value) === "value"));
    assert.equal(gate.ran, 1);
  });

  test("GOC-2: another process loads after a dead process's lease expires", async () => {
    const dying = bench.client();
    const [never, gate] = [new Gate(), new Gate()];
    const lost = dying.cache("cache").getOrSet("died", never.factory, { leaseMs: 100 });
    await until(() => never.ran === 1);
    await dying.close();
    gate.open("another's");
    assert.equal(await get(other, "died", gate.factory), "another's");
    never.open("too late");
    assert.equal(String(await bench.settled(lost)), "too late");
    assert.equal(await there(other, "died"), "another's");
  });

  test("GOC-2: value loaded after lease expiry is returned, not stored", async () => {
    const slow = new Gate();
    const late = one.cache("cache").getOrSet("late", slow.factory, { leaseMs: 50 });
    await until(() => slow.ran === 1);
    assert.equal(await get(other, "late", () => "in time"), "in time");
    slow.open("late");
    assert.equal(String(await bench.settled(late)), "late");
    assert.equal(await there(other, "late"), "in time");
  });

  test("GOC-2: value loaded during a write is returned, not stored", async () => {
    const client = bench.client();
    const cache = client.cache("cache");
    for (const [left, write] of [
      ["written", () => cache.set("write", "written")],
      [null, () => cache.delete("write")],
      ["1", () => cache.increment("write")],
      ["tagged", () => cache.setWithTags("write", "tagged", ["t"])],
      [null, () => client.flushCache("cache")],
    ] as const) {
      await one.cache("cache").delete("write");
      const gate = new Gate();
      const asked = one.cache("cache").getOrSet("write", gate.factory, longest);
      await until(() => gate.ran === 1);
      await write();
      gate.open("read before");
      assert.equal(String(await bench.settled(asked)), "read before");
      assert.equal(await there(other, "write"), left);
    }
  });

  test("GOC-3: throwing factory releases the lease to other processes", async () => {
    const failing = async () => {
      throw new Error("no such row");
    };
    await assert.rejects(one.cache("cache").getOrSet("throws", failing, longest), /no such row/);
    assert.equal(await get(other, "throws", () => "now"), "now");
  });

  test("GOC-3: aborted load releases the lease to a waiting process", async () => {
    const [never, gate] = [new Gate(), new Gate()];
    const controller = new AbortController();
    const left = one.cache("cache").getOrSet("left", never.factory, { ...longest, signal: controller.signal });
    const rejected = assert.rejects(left, /enough/);
    await until(() => never.ran === 1);
    const waits = other.cache("cache").getOrSet("left", gate.factory, longest);
    gate.open("the other's");
    await bench.pass(100);
    assert.equal(gate.ran, 0);
    controller.abort(new Error("enough"));
    await rejected;
    assert.equal(String(await bench.settled(waits)), "the other's");
    never.open("too late");
    await setImmediate();
    assert.equal(await there(one, "left"), "the other's");
  });

  test("GOC-3: abort while waiting runs no factory", async () => {
    const gate = new Gate();
    const loading = one.cache("cache").getOrSet("waits", gate.factory, longest);
    await until(() => gate.ran === 1);
    const controller = new AbortController();
    const { signal } = controller;
    const waits = other.cache("cache").getOrSet("waits", () => assert.fail("not called"), { ...longest, signal });
    const rejected = assert.rejects(waits, /enough/);
    await bench.pass(50);
    controller.abort(new Error("enough"));
    await rejected;
    gate.open("value");
    assert.equal(String(await bench.settled(loading)), "value");
  });

  test("GOC-4: expired value is returned while one process refreshes it", async () => {
    const options = { ...longest, revalidateForMs: hour, ttlMs: hour };
    await expired("anew", { ...options, ttlMs: 1 });
    const gate = new Gate();
    for (let i = 0; i < 10; i++)
      for (const client of [one, other]) assert.equal(await get(client, "anew", gate.factory, options), "old");
    await eventually(() => gate.ran === 1);
    gate.open("new");
    await eventually(async () => (await there(other, "anew")) === "new");
    assert.equal(gate.ran, 1);
  });

  test("GOC-4: failed refresh is retried by the next caller", async () => {
    const options = { revalidateForMs: hour, ttlMs: hour };
    await expired("again", { ...options, ttlMs: 1 });
    let ran = 0;
    const failing = async (): Promise<string> => {
      ran++;
      throw new Error("no such row");
    };
    await eventually(async () => {
      assert.equal(await get(one, "again", failing, options), "old");
      return ran === 2;
    });
    await eventually(async () => (await get(one, "again", () => "new", options)) === "new");
  });

  test("GOC-4: value older than revalidateForMs is reloaded, not returned", async () => {
    await expired("past", { failSafeForMs: hour });
    await bench.pass(5);
    assert.equal(await get(one, "past", () => "new", { revalidateForMs: 1, ttlMs: hour }), "new");
  });

  test("GOC-5: expired value is returned only if the factory throws", async () => {
    const options = { failSafeForMs: hour, ttlMs: hour };
    await expired("safe", { ...options, ttlMs: 1 });
    const failing = () => {
      throw new Error("no such row");
    };
    for (const client of [one, other]) assert.equal(await get(client, "safe", failing, options), "old");
    assert.equal(await get(one, "safe", () => 7 as unknown as string, options), "old");
    await assert.rejects(one.cache("cache").getOrSet("safe", failing, longest), /no such row/);
    assert.equal(await get(one, "safe", () => "new", options), "new");
    await one.cache("cache").delete("safe");
    await assert.rejects(one.cache("cache").getOrSet("safe", failing, options), /no such row/);
  });

  test("GOC-5: returning expired values warns once per cache", async () => {
    const warnings: string[] = [];
    const listener = ({ message }: Error) => warnings.push(message);
    process.on("warning", listener);
    const client = bench.client();
    const options = { failSafeForMs: hour };
    await expired("told", options);
    for (const thrown of [new Error("first"), null, Symbol("second")])
      assert.equal(await get(client, "told", () => Promise.reject(thrown), options), "old");
    await setImmediate();
    process.off("warning", listener);
    const said = warnings.filter((warning) => warning.includes("a stale value"));
    assert.equal(said.length, 1);
    assert.match(said[0]!, /first/);
  });

  test("GOC-5: aborted refresh rejects instead of returning the expired value", async () => {
    const options = { failSafeForMs: hour };
    await expired("leaves", options);
    const gate = new Gate();
    const controller = new AbortController();
    const { signal } = controller;
    const left = assert.rejects(one.cache("cache").getOrSet("leaves", gate.factory, { ...options, signal }), /enough/);
    await until(() => gate.ran === 1);
    controller.abort(new Error("enough"));
    await left;
    assert.equal(await get(other, "leaves", () => "new", options), "new");
  });

  test("GOC-6: tag removal deletes values; loads in progress store nothing", async () => {
    const options = { tags: new Set(["red", "blue"]) };
    await get(one, "tagged", () => "value", options);
    assert.equal(await there(other, "tagged"), "value");
    await other.cache("cache").removeByTag(["blue"]);
    assert.equal(await there(other, "tagged"), null);
    const gate = new Gate();
    const asked = one.cache("cache").getOrSet("tagged", gate.factory, options);
    await until(() => gate.ran === 1);
    await other.cache("cache").removeByTag(["red"]);
    gate.open("read before");
    assert.equal(String(await bench.settled(asked)), "read before");
    assert.equal(await there(other, "tagged"), null);
  });

  test("GOC-7: jitter gives each item a different, shorter TTL", async () => {
    const left = new Set<number>();
    for (let i = 0; i < 50; i++) {
      await get(one, `jitter ${i}`, () => "value", { ttlMs: hour, jitter: 0.5 });
      const found = await one.cache("cache").itemGetTtl(`jitter ${i}`);
      assert.ok(found.result === "hit" && found.remainingTtlMs <= hour);
      left.add(found.remainingTtlMs);
    }
    assert.ok(left.size > 10);
  });

  test("recursive requests for one key load without deadlock", async () => {
    const inner = () => get(one, "own", () => "inner");
    assert.equal(await get(one, "own", inner), "inner");
    assert.equal(await there(other, "own"), "inner");
    const round = () => get(one, "b", () => get(one, "a", () => "plain"));
    assert.equal(await get(one, "a", round), "plain");
    assert.equal(await there(other, "b"), "plain");
  });

  test("getOrSet on a collection key returns an unstored value", async () => {
    await one.cache("cache").setUnion("collection", ["element"]);
    assert.equal(await get(one, "collection", () => "made"), "made");
    assert.equal((await one.cache("cache").setLength("collection")).result, "hit");
  });

  test("closing the client makes a waiting call run its factory", async () => {
    const gate = new Gate();
    const loading = one.cache("cache").getOrSet("closed", gate.factory, longest);
    await until(() => gate.ran === 1);
    const closing = bench.client();
    const waits = closing.cache("cache").getOrSet("closed", () => "its own", longest);
    await bench.pass(50);
    await closing.close();
    assert.equal(String(await bench.settled(waits)), "its own");
    gate.open("value");
    await bench.settled(loading);
  });
}

describe("getOrSet with a lease on the fake server", () => {
  tests(fakeBench);

  test("FakeServer can simulate missing lease support", async () => {
    const fake = new FakeServer();
    await using client = fake.client();
    const cache = client.cache("cache");
    fake.fail("getOrLease", "Unknown", { times: 2 });
    await cache.getOrSet("tagged", () => "made", { tags: ["t"] });
    assert.equal(await there(client, "tagged"), null);
    await cache.getOrSet("plain", () => "made", longest);
    assert.equal(await there(client, "plain"), "made");
    const counts = ["getOrLease", "setWithLease", "releaseLease", "set"] as const;
    assert.deepEqual(
      counts.map((name) => fake.count(name)),
      [2, 0, 0, 1],
    );
  });
});

describe("getOrSet with a lease on the real server", { skip: skipWithoutServer }, () => {
  tests(serverBench);

  test("near cache serves a leased value until it is invalidated", async () => {
    const bench = await serverBench();
    const [near, other] = [bench.client({ nearCache: { maxBytes: 1_048_576 } }), bench.client()];
    const otherCache = other.cache("cache");
    const nearCache = near.cache("cache");
    await nearCache.getOrSet("near", () => "made", longest);
    while (nearCache.tryGetNear("near") === undefined)
      assert.equal(String(await nearCache.getOrSet("near", () => assert.fail("it is there"), longest)), "made");
    await otherCache.delete("near");
    await until(() => nearCache.tryGetNear("near") === undefined);
    assert.equal(String(await otherCache.getOrSet("near", () => "again", longest)), "again");
    assert.equal(String(await nearCache.getOrSet("near", () => assert.fail("it is there"), longest)), "again");
    await bench.close();
  });
});
