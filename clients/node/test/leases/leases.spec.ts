// One load across all processes, on the fake and on the real server. Each client acts as another process.
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

/** A factory that counts its calls and completes when the test opens it. */
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
  /** Waits for a condition while time passes. */
  const eventually = async (condition: () => boolean | Promise<boolean>) => {
    while (!(await condition())) await bench.pass(5);
  };
  /** Stores a value that has expired and stays available as stale for an hour. */
  const expired = async (key: string, options: GetOrSetOptions) => {
    assert.equal(await get(one, key, () => "old", { ttlMs: 1, ...options }), "old");
    await bench.pass(1);
    await eventually(async () => (await there(one, key)) === null);
  };

  test("GOC-1: of several processes with 250 callers each one runs its factory, and answers all", async () => {
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

  test("GOC-10: a factory slower than the soft timeout is not waited for, and what it makes is stored", async () => {
    const options = { ttlMs: hour, failSafeForMs: hour, softTimeoutMs: 5 };
    await expired("soft", { failSafeForMs: hour });
    const gate = new Gate();
    assert.equal(await get(one, "soft", gate.factory, options), "old");
    assert.equal(gate.ran, 1);
    gate.open("new");
    await eventually(async () => (await there(one, "soft")) === "new");
    assert.equal(await get(one, "soft, in time", () => "made", options), "made");
  });

  test("GOC-10: a factory that fails after the soft timeout gives its lease back", async () => {
    const options = { failSafeForMs: hour, softTimeoutMs: 5, leaseMs: 600_000 };
    await expired("soft, failing", { failSafeForMs: hour });
    const gate = new Gate();
    assert.equal(await get(one, "soft, failing", gate.factory, options), "old");
    gate.fail(new Error("no such row"));
    await eventually(async () => (await get(other, "soft, failing", () => "new", options)) === "new");
  });

  test("GOC-11: a factory slower than the hard timeout is told so, and its lease is given back", async () => {
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

  test("1,000 callers of one process are one factory call", async () => {
    const gate = new Gate();
    const asked = Array.from({ length: 1_000 }, () => one.cache("cache").getOrSet("one", gate.factory, longest));
    gate.open("value");
    const values = await bench.settled(Promise.all(asked));
    assert.ok(values.every((value) => String(value) === "value"));
    assert.equal(gate.ran, 1);
  });

  test("GOC-2: a process that dies while it loads is followed by another when its lease is over", async () => {
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

  test("GOC-2: what takes longer than its lease is answered and not stored", async () => {
    const slow = new Gate();
    const late = one.cache("cache").getOrSet("late", slow.factory, { leaseMs: 50 });
    await until(() => slow.ran === 1);
    assert.equal(await get(other, "late", () => "in time"), "in time");
    slow.open("late");
    assert.equal(String(await bench.settled(late)), "late");
    assert.equal(await there(other, "late"), "in time");
  });

  test("GOC-2: what is made while its key is written, deleted or flushed is answered and not stored", async () => {
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

  test("GOC-3: a factory that throws gives its lease back, and another process loads at once", async () => {
    const failing = async () => {
      throw new Error("no such row");
    };
    await assert.rejects(one.cache("cache").getOrSet("throws", failing, longest), /no such row/);
    assert.equal(await get(other, "throws", () => "now"), "now");
  });

  test("GOC-3: who leaves while it loads gives its lease back, and one who waits loads", async () => {
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

  test("GOC-3: who leaves while it waits for another runs no factory, and asks no more", async () => {
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

  test("GOC-4: an expired value is answered at once, of every process, while one makes it anew", async () => {
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

  test("GOC-4: what could not be made anew is tried again by who asks next, and ends no process", async () => {
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

  test("GOC-4: past that time it is made before it is answered", async () => {
    await expired("past", { failSafeForMs: hour });
    await bench.pass(5);
    assert.equal(await get(one, "past", () => "new", { revalidateForMs: 1, ttlMs: hour }), "new");
  });

  test("GOC-5: an expired value is answered where its factory throws, and only then", async () => {
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

  test("GOC-5: a cache whose expired values are answered is told of once", async () => {
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

  test("GOC-5: who leaves while an expired value is made anew is not answered by it", async () => {
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

  test("GOC-6: what is made has its tags, and one that is removed meanwhile makes it a miss", async () => {
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

  test("GOC-7: jitter takes a part off the time to live, and of each another", async () => {
    const left = new Set<number>();
    for (let i = 0; i < 50; i++) {
      await get(one, `jitter ${i}`, () => "value", { ttlMs: hour, jitter: 0.5 });
      const found = await one.cache("cache").itemGetTtl(`jitter ${i}`);
      assert.ok(found.result === "hit" && found.remainingTtlMs <= hour);
      left.add(found.remainingTtlMs);
    }
    assert.ok(left.size > 10);
  });

  test("a factory that asks for its own key, or for one that waits for it, makes that by itself", async () => {
    const inner = () => get(one, "own", () => "inner");
    assert.equal(await get(one, "own", inner), "inner");
    assert.equal(await there(other, "own"), "inner");
    const round = () => get(one, "b", () => get(one, "a", () => "plain"));
    assert.equal(await get(one, "a", round), "plain");
    assert.equal(await there(other, "b"), "plain");
  });

  test("a key that holds a collection has no lease: the value is answered, and nothing is stored", async () => {
    await one.cache("cache").setUnion("collection", ["element"]);
    assert.equal(await get(one, "collection", () => "made"), "made");
    assert.equal((await one.cache("cache").setLength("collection")).result, "hit");
  });

  test("a client that is closed while it waits answers by its factory", async () => {
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

describe("getOrSet with a lease, of the fake", () => {
  tests(fakeBench);

  test("a fake is told to have no leases", async () => {
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

describe("getOrSet with a lease, of the server", { skip: skipWithoutServer }, () => {
  tests(serverBench);

  test("a near copy is answered without a call, and what is stored with a lease ends it", async () => {
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
