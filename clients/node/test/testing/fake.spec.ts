import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";
import { CacheClient, Configurations, Hit, withSettings } from "../../src/index.js";
import { FakeServer } from "../../src/testing/fake.js";
import { codeOf, textOf } from "../support/responses.js";

const laptop = Configurations.Laptop.latest();

describe("fake server clients", () => {
  test("client() returns a client that stores and reads items", async () => {
    const client = new FakeServer().client();
    const cache = client.cache("cache");
    await cache.set("key", "value");
    assert.equal(textOf(await cache.get("key")), "value");
    await client.close();
  });

  test("clients of one fake share items; other fakes do not", async () => {
    const fake = new FakeServer();
    const [one, other, stranger] = [fake.client(), fake.client(), new FakeServer().client()];
    await one.cache("cache").set("key", "value");
    assert.equal(textOf(await other.cache("cache").get("key")), "value");
    assert.equal(textOf(await stranger.cache("cache").get("key")), "miss");
  });

  test("program can create its client from the fake's credentials", async () => {
    const fake = new FakeServer({ caches: ["mine", "other"] });
    const client = await CacheClient.create({
      credentials: fake.credentials.withToken("a-token-that-nobody-checks"),
      configuration: withSettings(Configurations.InRegion.Default.latest(), { eagerConnect: true }),
      defaultTtlMs: 1_000,
    });
    const cache = client.cache("mine");
    assert.equal((await cache.set("key", "value")).result, "success");
    assert.equal(codeOf(await client.cache("cache").get("key")), "NotFound");
    assert.equal(client.statistics().connections, 1);
    await client.close();
    assert.equal(client.statistics().connections, 0);
    assert.equal(codeOf(await cache.get("key")), "Cancelled");
  });

  test("changing bytes after a call affects no stored value", async () => {
    const client = new FakeServer().client();
    const cache = client.cache("cache");
    const value = Buffer.from("value");
    const setting = cache.set("key", value);
    value.fill("x");
    await setting;
    const hit = await cache.get("key");
    assert.ok(hit instanceof Hit);
    hit.valueBytes.fill("y");
    assert.equal(textOf(await cache.get("key")), "value");
  });

  test("nearCache setting is accepted but has no effect", async () => {
    const client = new FakeServer().client({ configuration: withSettings(laptop, { nearCache: { maxBytes: 1_024 } }) });
    const cache = client.cache("cache");
    await cache.set("key", "value");
    assert.equal(textOf(await cache.get("key")), "value");
    assert.equal(cache.tryGetNear("key"), undefined);
    assert.equal(client.nearCache?.hits, 0);
    await client.close();
  });

  test("metrics hooks and statistics count a call", async () => {
    const told: string[] = [];
    const client = new FakeServer().client({ metrics: { callEnded: (call) => told.push(call.operation) } });
    await client.cache("cache").get("key");
    assert.deepEqual(told, ["get"]);
    assert.deepEqual([client.statistics().misses, client.statistics().inFlight], [1, 0]);
  });

  test("batch in several parts returns every result", async () => {
    const fake = new FakeServer();
    const client = fake.client();
    const cache = client.cache("cache");
    const items = Array.from({ length: 5 }, (_, i) => [`key-${i}`, Buffer.alloc(4_000_000, i)] as const);
    assert.equal((await cache.setBatch(items)).result, "success");
    assert.equal(fake.count("setBatch"), 3);
    const batch = await cache.getBatch(items.map(([key]) => key));
    assert.ok(batch.result === "success");
    assert.deepEqual(
      batch.responses.map((response) => response instanceof Hit && response.valueBytes[0]),
      [0, 1, 2, 3, 4],
    );
  });
});

describe("fake server time", () => {
  test("time of the fake server changes only when advanced", async () => {
    const fake = new FakeServer();
    const client = fake.client();
    const cache = client.cache("cache");
    await cache.set("key", "value", { ttlMs: 1_000 });
    assert.equal(fake.nowMs, 0);
    await fake.advance(999);
    assert.equal(textOf(await cache.get("key")), "value");
    await fake.advance(1);
    assert.equal(textOf(await cache.get("key")), "miss");
    assert.equal(fake.nowMs, 1_000);
  });

  test("concurrent advance calls run one after another", async () => {
    const fake = new FakeServer();
    await Promise.all([fake.advance(1), fake.advance(2), fake.advance(0)]);
    assert.equal(fake.nowMs, 3);
  });

  test("advance accepts 0 ms up to one year", async () => {
    const fake = new FakeServer();
    await fake.advance(0);
    await fake.advance(31_536_000_000);
    for (const ms of [-1, Number.NaN, 31_536_000_001, 315_360_000_000, Infinity])
      assert.throws(() => fake.advance(ms), RangeError);
    assert.throws(() => fake.advance("1" as unknown as number), TypeError);
    assert.equal(fake.nowMs, 31_536_000_000);
  });

  test("advance completes while timers are mocked", async () => {
    mock.timers.enable();
    try {
      const fake = new FakeServer();
      await fake.advance(5);
      assert.equal(fake.nowMs, 5);
    } finally {
      mock.timers.reset();
    }
  });
});

describe("fake server options", () => {
  test("rejects server limits outside their range", () => {
    const ranges = { maxTtlMs: [1_000, 31_536_000_000], maxTopics: [1, 10_000], maxTopicSubscribers: [1, 10_000] };
    for (const [name, [least, most]] of Object.entries(ranges) as [string, [number, number]][]) {
      for (const value of [least, most]) new FakeServer({ [name]: value });
      for (const value of [least - 1, most + 1, most * 10, 0.5, Number.NaN])
        assert.throws(() => new FakeServer({ [name]: value }), RangeError);
      assert.throws(() => new FakeServer({ [name]: `${least}` }), TypeError);
    }
  });

  test("rejects invalid cache names and ignores duplicate ones", async () => {
    assert.throws(() => new FakeServer({ caches: [""] }), RangeError);
    assert.throws(() => new FakeServer({ caches: [7 as unknown as string] }), TypeError);
    assert.throws(() => new FakeServer({ caches: "cache" as unknown as string[] }), TypeError);
    assert.throws(() => new FakeServer({ cache: "cache" } as object), TypeError);
    const client = new FakeServer({ caches: ["a", "a"] }).client();
    const listed = await client.listCaches();
    assert.deepEqual(listed.result === "success" && listed.caches, [
      { name: "a", maxItemSizeKiB: 4_883, maxTtlSeconds: 86_400 },
    ]);
  });

  test("rejects invalid client options", () => {
    const fake = new FakeServer();
    assert.throws(() => fake.client({ credentials: fake.credentials } as object), TypeError);
    assert.throws(() => fake.client({ defaultTtlMs: -1 }), RangeError);
    assert.throws(() => fake.client(null as unknown as object), TypeError);
  });
});
