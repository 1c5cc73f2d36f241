import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import type { Cache } from "../../src/client/cache.js";
import type { CacheClient } from "../../src/client/client.js";
import type { TopicSubscription } from "../../src/topics/topic-subscription.js";
import { until } from "../support/fake-server.js";
import { FakeTopics, taken, told, topicClientOf } from "../support/fake-topics.js";

describe("TopicSubscription", () => {
  let server: FakeTopics;
  let client: CacheClient;
  let cache: Cache;
  beforeEach(async () => {
    server = await new FakeTopics().start();
    client = topicClientOf(server);
    cache = client.cache("cache");
  });
  afterEach(async () => {
    await client.close();
    await server.stop();
  });

  test("yields published text and bytes in order", async () => {
    server.onSubscribe = (it) =>
      it
        .open("7-1")
        .heartbeat()
        .item(1, 7, "one")
        .item(2, 7, Buffer.from([0, 255]));
    const events = await taken(cache.subscribe("topic"), 2);
    assert.deepEqual(told(events)[0], "1 one");
    assert.deepEqual(events[1]?.type === "item" && events[1].value, Buffer.from([0, 255]));
  });

  test("leaving the loop closes the stream and connection", async () => {
    server.onSubscribe = (it) => it.open("7-1").heartbeat().item(1, 7).item(2, 7);
    const subscription = cache.subscribe("topic");
    for await (const event of subscription) if (event.type === "item") break;
    assert.equal(client.statistics().topics.subscriptions, 0);
    await until(() => server.last.cancelled && server.sockets.size === 0);
    assert.deepEqual(await taken(subscription, 1), []);
  });

  test("resumes at its position when the connection breaks", async () => {
    let streams = 0;
    server.onSubscribe = (it) => {
      const from = ++streams * 2 - 1;
      it.open(`7-${from}`)
        .heartbeat()
        .item(from, 7)
        .item(from + 1, 7);
    };
    const subscription = cache.subscribe("topic");
    assert.deepEqual(told(await taken(subscription, 2)), ["1 value 1", "2 value 2"]);
    server.breakConnections();
    assert.deepEqual(told(await taken(subscription, 2)), ["3 value 3", "4 value 4"]);
    assert.deepEqual(
      server.subscriptions.map(({ asked }) => asked),
      ["0-0", "7-3"],
    );
  });

  test("topic-from header is sent only without a resume position", async () => {
    server.onSubscribe = (it) => it.open("7-5").heartbeat();
    const now = cache.subscribe("größe 🦀", { from: "now" });
    assert.ok(await now.established());
    const { cacheName, topic } = server.last.request;
    assert.deepEqual([cacheName, topic, server.last.asked], ["cache", "größe 🦀", "0-0"]);
    assert.equal(server.last.headers["topic-from"], "now");
    assert.equal(server.last.headers.cache, undefined);
    server.last.end(14);
    await until(() => server.subscriptions.length === 2);
    assert.deepEqual([server.last.asked, server.last.headers["topic-from"]], ["7-5", undefined]);
    const resumed = client.cache("cache").subscribe("topic", { resumeAt: 2n ** 64n - 1n, page: 2 ** 53 - 1 });
    assert.ok(await resumed.established());
    assert.equal(server.last.asked, `${2 ** 53 - 1}-${2n ** 64n - 1n}`);
  });

  test("yields heartbeats if requested and gaps before later items", async () => {
    server.onSubscribe = (it) => it.open("7-1").heartbeat().item(1, 7).discontinuity(1, 5, 7).heartbeat().item(6, 7);
    const loud = await taken(cache.subscribe("topic", { heartbeats: true }), 5);
    assert.deepEqual(told(loud), ["heartbeat", "1 value 1", "gap 1→6 of 7", "heartbeat", "6 value 6"]);
    const quiet = await taken(cache.subscribe("topic"), 3);
    assert.deepEqual(told(quiet), ["1 value 1", "gap 1→6 of 7", "6 value 6"]);
    const { items, discontinuities } = client.statistics().topics;
    assert.deepEqual([items, discontinuities], [4, 2]);
  });

  test("yields 64-bit numbers exactly", async () => {
    server.onSubscribe = (it) =>
      it
        .open()
        .heartbeat()
        .item(`${2n ** 64n - 2n}`, `${2n ** 63n + 1n}`);
    const [event] = await taken(cache.subscribe("topic"), 1);
    assert.ok(event?.type === "item");
    assert.deepEqual([event.number, event.page], [2n ** 64n - 2n, 2n ** 63n + 1n]);
  });

  for (const [status, code] of Object.entries({
    3: "InvalidArgument",
    5: "NotFound",
    7: "PermissionDenied",
    8: "LimitExceeded",
    9: "FailedPrecondition",
    12: "Unknown",
    16: "Unauthenticated",
  }))
    test(`status ${status} ends the subscription with one ${code} event`, async () => {
      server.onSubscribe = (it) => it.end(Number(status), "so%20it is", "the_cause");
      const subscription = cache.subscribe("topic");
      assert.equal(await subscription.established(), false);
      const events = await taken(subscription, 2);
      assert.deepEqual(told(events), [code]);
      assert.ok(events[0]?.type === "error");
      assert.match(events[0].error.message, /^subscribe failed: so it is/);
      assert.equal(events[0].error.cause, "the_cause");
      assert.equal(server.subscriptions.length, 1);
      assert.equal(client.statistics().topics.subscriptions, 0);
      await until(() => server.sockets.size === 0);
    });

  test("events received before an error are yielded first", async () => {
    server.onSubscribe = (it) => {
      it.open("7-1").heartbeat();
      for (let number = 1; number <= 50; number++) it.item(number, 7);
      it.end(5, "the cache was deleted");
    };
    const events = told(await taken(cache.subscribe("topic"), 60));
    assert.equal(events.length, 51);
    assert.equal(events[50], "NotFound");
  });

  test("established subscription retries while the server is full", async () => {
    const subscription = cache.subscribe("topic");
    assert.ok(await subscription.established());
    server.onSubscribe = (it) => (server.subscriptions.length < 5 ? it.end(8) : it.open("7-1").heartbeat().item(1, 7));
    server.last.end(14);
    assert.deepEqual(told(await taken(subscription, 1)), ["1 value 1"]);
    assert.equal(client.statistics().topics.reconnects, 1);
  });

  test("subscription to unreachable server fails with Unavailable after request timeout", async () => {
    const { port } = server;
    const hasty = topicClientOf(server, { requestTimeoutMs: 50 });
    await server.stop();
    const [event] = await taken(hasty.cache("cache").subscribe("topic"), 1);
    assert.ok(event?.type === "error");
    assert.equal(event.error.code, "Unavailable");
    const refused = /^subscribe failed: cannot connect: connect ECONNREFUSED [\d.:]+: no server is listening on this/;
    assert.match(event.error.message, refused);
    await hasty.close();
    await server.start(port);
  });

  test("signal ends the subscription and its listener is removed", async () => {
    const listens = { added: 0, removed: 0 };
    const controller = new AbortController();
    const { signal } = controller;
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    signal.addEventListener = ((...given: Parameters<typeof add>) => {
      listens.added++;
      add(...given);
    }) as typeof add;
    signal.removeEventListener = ((...given: Parameters<typeof remove>) => {
      listens.removed++;
      remove(...given);
    }) as typeof remove;
    const many = Array.from({ length: 20 }, () => cache.subscribe("topic", { signal }));
    const reading = many.map((each) => taken(each, 1));
    assert.ok((await Promise.all(many.map((each) => each.established()))).every(Boolean));
    await many[0]!.close();
    assert.deepEqual(listens, { added: 1, removed: 0 });
    controller.abort();
    assert.deepEqual((await Promise.all(reading)).flat(), []);
    assert.deepEqual(listens, { added: 1, removed: 1 });
    const streams = server.subscriptions.length;
    const late = cache.subscribe("topic", { signal });
    assert.equal(await late.established(), false);
    assert.deepEqual(await taken(late, 1), []);
    assert.equal(server.subscriptions.length, streams);
  });

  test("subscribe rethrows an abort signal's exception without connecting", () => {
    const signal = new AbortController().signal;
    signal.addEventListener = () => {
      throw new Error("mine");
    };
    assert.throws(() => cache.subscribe("topic", { signal }), /mine/);
    assert.equal(client.statistics().topics.subscriptions, 0);
    assert.equal(server.connections, 0);
  });

  test("closing the subscription, iterator or client ends pending reads", async () => {
    const closers = [
      (each: TopicSubscription) => each.close(),
      (each: TopicSubscription) => each[Symbol.asyncDispose](),
      (each: TopicSubscription) => each[Symbol.asyncIterator]().return!(),
      () => client.close(),
    ];
    for (const close of closers) {
      const subscription = cache.subscribe("topic");
      assert.ok(await subscription.established());
      const reads = [taken(subscription, 1), taken(subscription, 1)];
      await close(subscription);
      await close(subscription);
      assert.deepEqual(await Promise.all(reads), [[], []]);
      assert.ok(subscription.ended);
    }
    await until(() => server.sockets.size === 0);
    assert.deepEqual(told(await taken(cache.subscribe("topic"), 2)), ["Cancelled"]);
  });

  test("exception in the reader's loop closes the stream", async () => {
    const thrown = new Error("mine");
    server.onSubscribe = (it) => it.open("7-1").heartbeat().item(1, 7).item(2, 7);
    await assert.rejects(async () => {
      for await (const _ of cache.subscribe("topic")) throw thrown;
    }, thrown);
    await until(() => server.open.length === 0);
    await assert.rejects(cache.subscribe("topic")[Symbol.asyncIterator]().throw!(thrown), thrown);
  });

  test("subscriptionChanged reports every change; its exceptions end no subscription", async () => {
    const heard: string[] = [];
    const metrics = {
      subscriptionChanged: ({ kind, cacheName, topic }: { kind: string; cacheName: string; topic: string }) => {
        heard.push(`${kind} ${cacheName} ${topic}`);
        if (heard.length === 4) void watched.close();
        throw new Error("mine");
      },
    };
    const watched = topicClientOf(server, {}, { metrics });
    server.onSubscribe = (it) => it.open("7-1").heartbeat().discontinuity(0, 4, 7);
    const subscription = watched.cache("cache").subscribe("topic");
    assert.deepEqual(told(await taken(subscription, 1)), ["gap 0→5 of 7"]);
    server.last.end(14);
    assert.deepEqual(await taken(subscription, 1), []);
    assert.deepEqual(
      heard.map((line) => line.split(" ")[0]),
      ["live", "discontinuity", "lost", "live", "ended"],
    );
  });

  test("publish sends text and bytes and rejects invalid arguments", async () => {
    const published: object[] = [];
    server.onPublish = (request) => {
      published.push(request);
      return 0;
    };
    assert.deepEqual(await cache.publish("topic", "text"), { result: "success" });
    assert.deepEqual(await client.cache("cache").publish("topic", new Uint8Array([65])), { result: "success" });
    const named = { cacheName: "cache", topic: "topic" };
    assert.deepEqual(published, [
      { ...named, value: { text: "text" } },
      { ...named, value: { binary: "A" } },
    ]);
    for (const [cacheName, topic, value] of [
      ["cache", "", "v"],
      ["", "topic", "v"],
      ["cache", "topic", "\ud800"],
    ] as const) {
      const response = await client.cache(cacheName).publish(topic, value);
      assert.equal(response.result === "error" && response.error.code, "InvalidArgument");
    }
    for (const value of [null, undefined, 7, {}, [1], Symbol("s")]) {
      await assert.rejects(cache.publish("topic", value as never), TypeError);
      await assert.rejects(cache.publish(value as never, "v"), TypeError);
    }
    await assert.rejects(cache.publish("topic", "v", { ttlMs: 5, retries: 1 } as never), TypeError);
  });

  test("publish with an unknown outcome is not retried", async () => {
    let published = 0;
    server.onPublish = () => {
      published++;
      return 14;
    };
    const response = await cache.publish("topic", "once");
    assert.equal(response.result === "error" && response.error.code, "Unavailable");
    assert.equal(published, 1);
  });
});
