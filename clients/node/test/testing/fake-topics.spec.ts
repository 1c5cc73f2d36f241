import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Configurations, type TopicEvent } from "../../src/index.js";
import { FakeServer } from "../../src/testing/fake.js";

const laptop = Configurations.Laptop.latest();

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
