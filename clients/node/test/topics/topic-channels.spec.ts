import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import type { CacheClient } from "../../src/client/client.js";
import { until } from "../support/fake-server.js";
import { FakeTopics, taken, told, topicClientOf } from "../support/fake-topics.js";

describe("subscription connections", () => {
  let servers: FakeTopics[];
  const clients: CacheClient[] = [];
  const clientOf = (...given: Parameters<typeof topicClientOf>) => {
    const client = topicClientOf(...given);
    clients.push(client);
    return client;
  };
  beforeEach(async () => {
    servers = [await new FakeTopics().start(), await new FakeTopics().start()];
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
    for (const server of servers) await server.stop();
  });

  test("1,000 subscriptions share 10 connections and release them when closed", async () => {
    const [server] = servers as [FakeTopics, FakeTopics];
    server.onSubscribe = (it) => it.open("7-1").heartbeat().item(1, 7);
    const client = clientOf(server, { transport: "unary", channels: 1, maxInFlightUnary: 1 });
    const cache = client.cache("cache");
    assert.equal((await cache.publish("topic", "value")).result, "success");
    const opened = Array.from({ length: 1_000 }, (_, i) => cache.subscribe(`topic ${i}`));
    assert.ok((await Promise.all(opened.map((each) => each.established()))).every(Boolean));
    assert.deepEqual(
      [client.statistics().topics.subscriptions, client.statistics().topics.connections, server.connections],
      [1_000, 10, 11],
    );
    await Promise.all(
      opened.map(async (each) => {
        for await (const event of each) if (event.type === "item") break;
      }),
    );
    await until(() => server.sockets.size === 1);
    assert.deepEqual([client.statistics().topics.subscriptions, client.statistics().topics.connections], [0, 0]);
    assert.equal((await cache.publish("topic", "value")).result, "success");
  });

  test("obeys the server's limit of 3 streams per connection", async () => {
    const narrow = await new FakeTopics({ maxConcurrentStreams: 3 }).start();
    servers.push(narrow);
    const client = clientOf(narrow);
    const opened = [];
    for (let i = 0; i < 7; i++) {
      const subscription = client.cache("cache").subscribe("topic");
      assert.ok(await subscription.established());
      opened.push(subscription);
    }
    assert.equal(client.statistics().topics.connections, 3);
    for (const each of opened) await each.close();
  });

  test("resubscribing reuses the connection after the old stream closes", async () => {
    const [server] = servers as [FakeTopics, FakeTopics];
    let open = 0;
    server.onSubscribe = (it) => {
      assert.equal(open++, 0);
      it.stream.on("close", () => open--);
      it.open("7-1").heartbeat().item(1, 7);
    };
    const client = clientOf(server);
    for (let i = 0; i < 20; i++) {
      const subscription = client.cache("cache").subscribe("topic");
      assert.ok(await subscription.established());
      if (i % 2 === 0) await subscription.close();
      else for await (const _ of subscription) break;
    }
    assert.equal(server.connections, 1);
  });

  test("lost stream resumes at another gateway", async () => {
    const [one, two] = servers as [FakeTopics, FakeTopics];
    const client = clientOf([one, two]);
    const subscription = client.cache("cache").subscribe("topic");
    assert.ok(await subscription.established());
    const [first, second] = one.subscriptions.length === 1 ? [one, two] : [two, one];
    first.last.item(1, 7).item(2, 7);
    assert.deepEqual(told(await taken(subscription, 2)), ["1 value 1", "2 value 2"]);
    second.onSubscribe = (it) => it.open("7-3").heartbeat().item(3, 7);
    first.last.end(14, "the server is going away");
    assert.deepEqual(told(await taken(subscription, 1)), ["3 value 3"]);
    assert.equal(second.last.asked, "7-3");
    assert.equal(first.subscriptions.length, 1);
  });

  test("subscriptions spread over the live gateways", async () => {
    const third = await new FakeTopics().start();
    const client = clientOf([...servers, third]);
    await third.stop();
    const opened = Array.from({ length: 60 }, () => client.cache("cache").subscribe("topic"));
    assert.ok((await Promise.all(opened.map((each) => each.established()))).every(Boolean));
    const [one, two] = servers.map(({ open }) => open.length) as [number, number];
    assert.equal(one + two, 60);
    assert.ok(Math.abs(one - two) < 40, `${one} and ${two}`);
  });

  test("RETRY-7: 500 subscriptions make few connection attempts a second", async () => {
    const [server] = servers as [FakeTopics, FakeTopics];
    const { port } = server;
    const client = clientOf(server, { initialBackOffMs: 80, maxBackOffMs: 1_000 });
    const opened = Array.from({ length: 500 }, () => client.cache("cache").subscribe("topic", { from: "now" }));
    assert.ok((await Promise.all(opened.map((each) => each.established()))).every(Boolean));
    const before = server.connections;
    await server.stop();
    let tried = 0;
    const dead = (await import("node:net")).createServer((socket) => {
      tried++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => dead.listen(port, "127.0.0.1", resolve));
    const since = performance.now();
    try {
      await until(() => tried > 13);
      // The subscriptions shared five connections, and each of them may be replaced at once. The waits between further
      // attempts begin with 25 to 50 ms, and double up to 500 to 1,000 ms.
      const bound = 5 + 8 * Math.ceil((performance.now() - since) / 1_000);
      assert.ok(tried <= bound, `${tried} connections were tried, at most ${bound} are allowed`);
    } finally {
      await new Promise((resolve) => dead.close(resolve));
    }
    await server.start(port);
    await until(() => client.statistics().topics.reconnects === 500);
    assert.ok(server.connections - before < 30);
  });

  test("close ends a pending read during a hanging connection attempt", async () => {
    const silent = (await import("node:net")).createServer((socket) => void socket.on("error", () => {}));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as { port: number };
    const { CredentialProvider } = await import("../../src/configuration/credential-provider.js");
    const client = clientOf(servers[0]!, {}, { credentials: CredentialProvider.local(`127.0.0.1:${port}`) });
    const reading = client.cache("cache").subscribe("topic");
    const read = taken(reading, 1);
    await reading.close();
    assert.deepEqual(await read, []);
    assert.equal(client.statistics().topics.subscriptions, 0);
    await client.close();
    await new Promise((resolve) => silent.close(resolve));
  });
});
