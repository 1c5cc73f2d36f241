import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";
import {
  CacheClient,
  type CacheErrorCode,
  Configurations,
  type ErrorResponse,
  Hit,
  type TopicEvent,
  withSettings,
} from "../../src/index.js";
import { FakeServer } from "../../src/testing/fake.js";
import type { FakeCode, FakeOperation } from "../../src/testing/fake-faults.js";

const laptop = Configurations.Laptop.latest();

function textOf(response: { readonly result: string }): string {
  return response instanceof Hit ? response.value : response.result;
}

function codeOf(response: { readonly result: string }): CacheErrorCode | null {
  return response.result === "error" ? (response as ErrorResponse).error.code : null;
}

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

describe("injected faults", () => {
  test("injected faults affect only the next calls of their operation", async () => {
    const fake = new FakeServer();
    const client = fake.client();
    const cache = client.cache("cache");
    fake.fail("get", "Unavailable", { times: 2 });
    fake.fail("get", "LimitExceeded");
    await cache.set("key", "value");
    const codes = [];
    for (let i = 0; i < 4; i++) codes.push(codeOf(await cache.get("key")));
    assert.deepEqual(codes, ["Unavailable", "Unavailable", "LimitExceeded", null]);
    assert.equal(fake.count("get"), 4);
  });

  const codes = [
    "InvalidArgument",
    "NotFound",
    "AlreadyExists",
    "PermissionDenied",
    "Unauthenticated",
    "LimitExceeded",
    "FailedPrecondition",
    "Timeout",
    "Cancelled",
    "Unavailable",
    "Internal",
    "Unknown",
  ] as const;
  for (const code of codes)
    test(`injected ${code} is returned without executing the call`, async () => {
      const fake = new FakeServer();
      const client = fake.client();
      const cache = client.cache("cache");
      fake.fail("set", code);
      assert.equal(codeOf(await cache.set("key", "value")), code);
      assert.equal(textOf(await cache.get("key")), "miss");
    });

  test("client retries after the back-off", async () => {
    const fake = new FakeServer();
    const client = fake.client({ configuration: withSettings(laptop, { maxRetries: 1 }) });
    fake.fail("get", "Unavailable");
    const answer = client.cache("cache").get("key");
    await fake.advance(laptop.initialBackOffMs);
    assert.equal(textOf(await answer), "miss");
    assert.equal(fake.count("get"), 2);
  });

  test("call delayed past its deadline times out without executing", async () => {
    const fake = new FakeServer();
    const client = fake.client();
    const cache = client.cache("cache");
    fake.delay("set", 100);
    const setting = cache.set("key", "value", { timeoutMs: 50 });
    await fake.advance(50);
    assert.equal(codeOf(await setting), "Timeout");
    await fake.advance(100);
    assert.equal(textOf(await cache.get("key")), "miss");
  });

  test("delayed call completes or fails after its delay", async () => {
    const fake = new FakeServer();
    const client = fake.client();
    const cache = client.cache("cache");
    fake.delay("set", 100);
    fake.delay("set", 100, { code: "Internal" });
    const both = [cache.set("one", "1"), cache.set("two", "2")];
    await fake.advance(99);
    assert.equal(textOf(await cache.get("one")), "miss");
    await fake.advance(1);
    assert.deepEqual((await Promise.all(both)).map(codeOf), [null, "Internal"]);
  });

  test("delayed call is not executed after abort or client close", async () => {
    const fake = new FakeServer();
    const client = fake.client();
    const cache = client.cache("cache");
    const controller = new AbortController();
    fake.delay("set", 100, { times: 2 });
    const given = cache.set("key", "value", { signal: controller.signal });
    const closed = cache.set("key", "value");
    controller.abort();
    await client.close();
    assert.deepEqual((await Promise.all([given, closed])).map(codeOf), ["Cancelled", "Cancelled"]);
    await fake.advance(100);
    assert.equal(textOf(await fake.client().cache("cache").get("key")), "miss");
  });

  test("clearFaults removes injected faults", async () => {
    const fake = new FakeServer();
    fake.fail("get", "Internal", { times: Infinity });
    const client = fake.client();
    const cache = client.cache("cache");
    assert.equal(codeOf(await cache.get("key")), "Internal");
    fake.clearFaults();
    assert.equal(codeOf(await cache.get("key")), null);
  });

  test("accepts 10,000 faults per operation and rejects more", () => {
    const fake = new FakeServer();
    for (let i = 0; i < 10_000; i++) fake.fail("get", "Internal");
    assert.throws(() => fake.fail("get", "Internal"), RangeError);
    fake.fail("set", "Internal", { times: 100_000 });
  });

  test("rejects invalid operations, codes, counts and delays", () => {
    const fake = new FakeServer();
    for (const operation of ["keyExists", "toString", "nothing", 7, null])
      assert.throws(() => fake.fail(operation as FakeOperation, "Internal"), RangeError);
    for (const code of ["ClientOverloaded", "ok", 13, undefined])
      assert.throws(() => fake.fail("get", code as FakeCode), RangeError);
    for (const times of [0, -1, 1.5, Number.NaN])
      assert.throws(() => fake.fail("get", "Internal", { times }), RangeError);
    assert.throws(() => fake.fail("get", "Internal", { time: 1 } as object), TypeError);
    for (const ms of [0, -1, Number.NaN, Infinity, 31_536_000_001])
      assert.throws(() => fake.delay("get", ms), RangeError);
    assert.throws(() => fake.delay("get", "1" as unknown as number), TypeError);
    assert.throws(() => fake.count("keyExists" as FakeOperation), RangeError);
  });

  test("stopped fake fails calls and keeps items until restarted", async () => {
    const fake = new FakeServer();
    const client = fake.client();
    const cache = client.cache("cache");
    await cache.set("key", "value");
    fake.stop();
    assert.equal(codeOf(await cache.get("key")), "Unavailable");
    assert.equal(codeOf(await client.ping()), "Unavailable");
    assert.equal(client.statistics().connections, 0);
    await assert.rejects(client.connect());
    fake.start();
    assert.equal(textOf(await cache.get("key")), "value");
    await client.connect();
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

describe("fake server scans", () => {
  test("scan returns every key that exists during the whole scan", async () => {
    const client = new FakeServer().client();
    const cache = client.cache("cache");
    await cache.setBatch(Array.from({ length: 10 }, (_, i) => [`key-${i}`, "1"] as const));
    const seen = new Set<string>();
    let cursor = Buffer.alloc(0);
    for (let page = 0; page === 0 || cursor.length > 0; page++) {
      const scanned = await cache.scanKeys({ count: 3, cursor });
      assert.ok(scanned.result === "success");
      for (const { key } of scanned.keys) seen.add(key.toString());
      cursor = scanned.cursor as typeof cursor;
      await cache.set(`another-${page}`, "1");
      await cache.delete(`key-${page}`);
    }
    for (let i = 4; i < 10; i++) assert.ok(seen.has(`key-${i}`), `key-${i}`);
  });

  test("list scan continues after elements at the front change", async () => {
    const client = new FakeServer().client();
    const cache = client.cache("cache");
    await cache.listConcatenateBack("list", ["a", "b", "c", "d", "e"]);
    const first = await cache.scanItems("list", { count: 2 });
    assert.ok(first.result === "hit" && first.type === "list");
    assert.deepEqual(first.values, ["a", "b"]);
    await cache.listPushFront("list", "z");
    await cache.listRemove("list", "b");
    const next = await cache.scanItems("list", { cursor: first.cursor });
    assert.ok(next.result === "hit" && next.type === "list");
    for (const value of ["c", "d", "e"]) assert.ok(next.values.includes(value), value);
  });

  test("rejects cursors of another key, cache, scan or server", async () => {
    const client = new FakeServer({ caches: ["cache", "other"] }).client();
    const cache = client.cache("cache");
    const stranger = new FakeServer().client();
    for (const each of [client, stranger]) {
      await each.cache("cache").setUnion("set", ["a", "b"]);
      await each.cache("cache").setUnion("set-2", ["a", "b"]);
    }
    await client.cache("other").setUnion("set", ["a", "b"]);
    const items = await cache.scanItems("set", { count: 1 });
    const keys = await cache.scanKeys({ count: 1 });
    assert.ok(items.result === "hit" && keys.result === "success");
    const changed = Buffer.from(items.cursor);
    changed[changed.length - 1]! ^= 1;
    const refused = [
      cache.scanItems("set-2", { cursor: items.cursor }),
      client.cache("other").scanItems("set", { cursor: items.cursor }),
      stranger.cache("cache").scanItems("set", { cursor: items.cursor }),
      cache.scanItems("set", { cursor: keys.cursor }),
      cache.scanItems("set", { cursor: changed }),
      cache.scanKeys({ cursor: items.cursor }),
      client.cache("other").scanKeys({ cursor: keys.cursor }),
    ];
    for (const response of await Promise.all(refused)) assert.equal(codeOf(response), "InvalidArgument");
    await cache.delete("set");
    await cache.listPushBack("set", "a");
    assert.equal(codeOf(await cache.scanItems("set", { cursor: items.cursor })), "FailedPrecondition");
  });
});

describe("fake server topics", () => {
  async function next(events: AsyncIterator<TopicEvent, undefined>): Promise<string> {
    const { value } = await events.next();
    if (value === undefined) return "end";
    if (value.type === "item") return `${value.number} ${value.value}`;
    return value.type === "error" ? value.error.code : value.type;
  }

  test("message reaches subscribers of every client", async () => {
    const fake = new FakeServer();
    const [one, other] = [fake.client(), fake.client()];
    const oneCache = one.cache("cache");
    const subscriptions = [oneCache.subscribe("topic"), other.cache("cache").subscribe("topic")];
    for (const subscription of subscriptions) assert.equal(await subscription.established(), true);
    await oneCache.publish("topic", "hello");
    for (const subscription of subscriptions) {
      assert.equal(await next(subscription[Symbol.asyncIterator]()), "1 hello");
      await subscription.close();
    }
    assert.equal(one.statistics().topics.subscriptions, 0);
  });

  test("lost subscription resumes at its position after the back-off", async () => {
    const fake = new FakeServer();
    const client = fake.client();
    const cache = client.cache("cache");
    const subscription = cache.subscribe("topic");
    await subscription.established();
    fake.endSubscriptions("Unavailable");
    await cache.publish("topic", "while it is away");
    await fake.advance(1_000);
    await cache.publish("topic", "afterwards");
    const events = subscription[Symbol.asyncIterator]();
    assert.deepEqual([await next(events), await next(events)], ["1 while it is away", "2 afterwards"]);
    assert.equal(fake.count("subscribe"), 2);
    assert.equal(client.statistics().topics.reconnects, 1);
    await client.close();
  });

  test("subscription retries until the stopped server restarts", async () => {
    const fake = new FakeServer();
    const client = fake.client();
    const cache = client.cache("cache");
    const subscription = cache.subscribe("topic");
    await subscription.established();
    fake.stop();
    await fake.advance(60_000);
    fake.start();
    await fake.advance(2_000);
    await cache.publish("topic", "hello");
    assert.equal(await next(subscription[Symbol.asyncIterator]()), "1 hello");
    await client.close();
  });

  test("permanent error ends a subscription", async () => {
    const fake = new FakeServer();
    const client = fake.client();
    const cache = client.cache("cache");
    fake.fail("subscribe", "PermissionDenied");
    const refused = cache.subscribe("topic")[Symbol.asyncIterator]();
    assert.deepEqual([await next(refused), await next(refused)], ["PermissionDenied", "end"]);
    const later = cache.subscribe("topic");
    await later.established();
    fake.endSubscriptions("Unauthenticated");
    const events = later[Symbol.asyncIterator]();
    assert.deepEqual([await next(events), await next(events)], ["Unauthenticated", "end"]);
  });

  test("delayed first message fails the subscription with Timeout", async () => {
    const fake = new FakeServer();
    const client = fake.client();
    fake.delay("subscribe", laptop.requestTimeoutMs * 2, { times: Infinity });
    const events = client.cache("cache").subscribe("topic")[Symbol.asyncIterator]();
    await fake.advance(laptop.requestTimeoutMs);
    assert.equal(await next(events), "Timeout");
    await fake.advance(laptop.requestTimeoutMs * 2);
  });

  test("slow reader gets a gap and then the newest message", async () => {
    const fake = new FakeServer();
    const client = fake.client();
    const cache = client.cache("cache");
    const subscription = cache.subscribe("topic");
    await subscription.established();
    // The client buffers 256 events, and the server buffers 256 more events for this client.
    for (let i = 1; i <= 256 + 257; i++) await cache.publish("topic", `${i}`);
    const events = subscription[Symbol.asyncIterator]();
    const told = [];
    for (let i = 0; i < 258; i++) told.push(await next(events));
    assert.deepEqual(told.slice(254), ["255 255", "256 256", "discontinuity", "513 513"]);
    await client.close();
  });

  test("reader within both buffer limits gets every message", async () => {
    const fake = new FakeServer();
    const client = fake.client();
    const cache = client.cache("cache");
    const subscription = cache.subscribe("topic");
    await subscription.established();
    for (let i = 1; i <= 256 + 256; i++) await cache.publish("topic", `${i}`);
    const events = subscription[Symbol.asyncIterator]();
    const told = [];
    for (let i = 0; i < 512; i++) told.push(await next(events));
    assert.deepEqual([told[255], told[256], told[511]], ["256 256", "257 257", "512 512"]);
    await client.close();
  });

  test("topic unused for ten minutes restarts its item numbers", async () => {
    const fake = new FakeServer();
    const client = fake.client();
    const cache = client.cache("cache");
    await cache.publish("topic", "old");
    await fake.advance(599_999);
    await cache.publish("topic", "older");
    await fake.advance(600_000);
    await cache.publish("topic", "new");
    assert.equal(await next(cache.subscribe("topic")[Symbol.asyncIterator]()), "1 new");
    await client.close();
  });

  test("heartbeats keep a subscription alive", async () => {
    const fake = new FakeServer();
    const client = fake.client();
    const subscription = client.cache("cache").subscribe("topic");
    await subscription.established();
    await fake.advance(3_600_000);
    assert.equal(subscription.ended, false);
    assert.equal(fake.count("subscribe"), 1);
    await client.close();
  });
});
