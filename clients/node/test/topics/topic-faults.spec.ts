// Tests how subscriptions handle server faults: invalid messages, silence, broken streams, and floods of messages.
// Tests that depend on time use a manual clock.
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createServer, type Socket } from "node:net";
import { afterEach, beforeEach, describe, test } from "node:test";
import type { Clock } from "../../src/calls/clock.js";
import type { Cache } from "../../src/client/cache.js";
import type { CacheClient } from "../../src/client/client.js";
import { withSettings } from "../../src/configuration/configuration-check.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { CredentialProvider } from "../../src/configuration/credential-provider.js";
import { GuardedHooks } from "../../src/telemetry/guarded-hooks.js";
import { ManualClock } from "../../src/testing/manual-clock.js";
import { TopicChannels } from "../../src/topics/topic-channels.js";
import { maxSubscriptions, TopicSubscriptions } from "../../src/topics/topic-subscriptions.js";
import { frame, until } from "../support/fake-server.js";
import { type FakeSubscription, FakeTopics, taken, told, topicClientOf } from "../support/fake-topics.js";

const good = (it: FakeSubscription) => it.open("7-1").heartbeat().item(1, 7);

describe("subscription faults", () => {
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

  /** Asserts that a subscription recovers if `first` breaks its first stream. Later streams work. */
  async function recoversFrom(first: (it: FakeSubscription) => void): Promise<void> {
    server.onSubscribe = (it) => (server.subscriptions.length === 1 ? first(it) : good(it));
    assert.deepEqual(told(await taken(cache.subscribe("topic"), 1)), ["1 value 1"]);
    assert.equal(server.subscriptions.length, 2);
    await until(() => server.open.length === 1);
  }

  const faults: Readonly<Record<string, (it: FakeSubscription) => void>> = {
    "sends invalid bytes": (it) => it.open().raw(frame(Buffer.from([0xff, 0xff, 0xff]))),
    "sends a truncated message": (it) => it.open().raw(frame(Buffer.from([10, 200]))),
    "declares a message of 1 GiB": (it) => it.open().raw(Buffer.from([0, 0x40, 0, 0, 0])),
    "compresses a message": (it) => it.open().raw(Buffer.from([1, 0, 0, 0, 1, 1])),
    "resets the stream": (it) => it.open().heartbeat().stream.close(2),
    "resets the stream within a message": (it) =>
      it
        .open()
        .raw(Buffer.from([0, 0, 0, 0, 9, 1]))
        .stream.close(8),
    "ends the stream with OK": (it) => it.open().heartbeat().end(0),
    "ends the stream with OK in its headers": (it) => it.end(0),
    "ends the stream without a status": (it) => void it.open().heartbeat().stream.end(),
    "answers HTTP 503": (it) => it.stream.respond({ ":status": 503 }, { endStream: true }),
    "sends an invalid status": (it) => it.stream.respond({ ":status": 200, "grpc-status": "x" }, { endStream: true }),
    "ends the stream with an unknown status": (it) => it.open().heartbeat().end(99),
    "drains and closes the connection": (it) => {
      it.open().heartbeat();
      for (const session of server.sessions) session.goaway(0);
      server.breakConnections();
    },
    "breaks the connection before responding": () => server.breakConnections(),
    "sends GOAWAY with an error": () => {
      for (const session of server.sessions) session.goaway(11);
    },
  };
  for (const [what, fault] of Object.entries(faults))
    test(`reconnects if the server ${what}`, () => recoversFrom(fault));

  test("subscription ignores unknown messages but counts them as received", async () => {
    server.onSubscribe = (it) => {
      // Send an empty message and a message of an unknown kind, and end the stream with status 8. This status ends a
      // subscription only if it has never received a message. Here the client therefore reconnects.
      if (server.subscriptions.length > 1) it.open().item(1, 7);
      else
        it.open()
          .raw(frame(Buffer.alloc(0)))
          .raw(frame(Buffer.from([0x22, 1, 8])))
          .end(8);
    };
    const events = await taken(cache.subscribe("topic", { heartbeats: true }), 1);
    assert.deepEqual(told(events), ["1 value 1"]);
  });

  test("non-gRPC response becomes an error without reading its body", async () => {
    const hasty = topicClientOf(server, { requestTimeoutMs: 100 });
    const pages: ReadonlyArray<readonly [number, string, string, number]> = [
      [404, "text/html", "Unknown", 1],
      [200, "text/html; charset=utf-8", "Unknown", 2],
      [503, "text/plain", "Unavailable", 2],
    ];
    for (const [http, type, code, least] of pages) {
      const before = server.subscriptions.length;
      server.onSubscribe = ({ stream }) => {
        stream.respond({ ":status": http, "content-type": type });
        stream.write("<html>".repeat(100));
      };
      const [event] = await taken(hasty.cache("cache").subscribe("topic"), 1);
      assert.ok(event?.type === "error");
      assert.equal(event.error.code, code);
      assert.match(event.error.message, new RegExp(`HTTP status ${http}.*${type}`));
      assert.ok(server.subscriptions.length - before >= least);
      if (least === 1) assert.equal(server.subscriptions.length - before, 1);
    }
    await hasty.close();
  });

  test("after GOAWAY, streams continue and new ones use another connection", async () => {
    const old = cache.subscribe("old");
    assert.ok(await old.established());
    const [first] = server.subscriptions;
    for (const session of server.sessions) session.goaway(0);
    first!.item(1, 7);
    assert.deepEqual(told(await taken(old, 1)), ["1 value 1"]);
    const fresh = cache.subscribe("fresh");
    assert.ok(await fresh.established());
    assert.equal(server.connections, 2);
    first!.item(2, 7);
    assert.deepEqual(told(await taken(old, 1)), ["2 value 2"]);
  });

  test("temporary UNAVAILABLE is retried without events", async () => {
    const subscription = cache.subscribe("topic");
    assert.ok(await subscription.established());
    server.onSubscribe = (it) => (server.subscriptions.length < 20 ? it.end(14) : good(it));
    server.breakConnections();
    assert.deepEqual(told(await taken(subscription, 1)), ["1 value 1"]);
  });

  test("repeated messages are dropped and skipped numbers become gaps", async () => {
    server.onSubscribe = (it) => {
      it.open("7-1").heartbeat().item(1, 7).item(2, 7).item(1, 7).item(2, 7).item(3, 7).item(9, 7).item(4, 7);
      it.item(1, 8).item(10, 7).discontinuity(0, 10, 7);
    };
    const expected =
      "1 value 1|2 value 2|3 value 3|gap 3→9 of 7|9 value 9|gap 9→1 of 8|1 value 1|gap 1→10 of 7|10 value 10";
    assert.deepEqual(told(await taken(cache.subscribe("topic"), 9)), expected.split("|"));
  });

  test("endless heartbeats affect no other subscription", async () => {
    const beats = Buffer.concat(Array.from({ length: 1_000 }, () => frame(Buffer.from([26, 0]))));
    let flooding = true;
    server.onSubscribe = (it) => {
      it.open("7-1").heartbeat();
      if (it.request.topic !== "flood") return;
      const more = () => flooding && !it.stream.destroyed && it.stream.write(beats, more);
      more();
    };
    const flooded = cache.subscribe("flood");
    const reading = taken(flooded, 1);
    const other = cache.subscribe("other");
    assert.ok(await other.established());
    server.subscriptions.find(({ request }) => request.topic === "other")!.item(1, 7);
    assert.deepEqual(told(await taken(other, 1)), ["1 value 1"]);
    await flooded.close();
    flooding = false;
    assert.deepEqual(await reading, []);
  });

  test("slow reader delays only its own stream", async () => {
    const item = Buffer.alloc(4_000, "x");
    let written = 0;
    server.onSubscribe = (it) => {
      it.open("7-1").heartbeat();
      if (it.request.topic !== "flood") return;
      const more = () => {
        while (written < 3_000 && !it.stream.destroyed && !it.stream.writableNeedDrain) it.item(++written, 7, item);
        it.stream.once("drain", more);
      };
      more();
    };
    const flooded = cache.subscribe("flood");
    let before = -1;
    while (before !== written) {
      before = written;
      for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
      const other = cache.subscribe("other");
      assert.ok(await other.established());
      await other.close();
    }
    // The sum of three limits: 256 events, the stream's flow-control window, and the buffers of both runtimes.
    assert.ok(written < 600, `${written} were taken from the server`);
    assert.equal(client.statistics().topics.items, 256);
    const events = await taken(flooded, 3_000);
    assert.deepEqual(
      events.map((event) => event.type === "item" && event.number),
      [...events.keys()].map((i) => BigInt(i + 1)),
    );
  });

  test("99 stalled streams do not block another subscription", async () => {
    const item = Buffer.alloc(2_000, "x");
    server.onSubscribe = (it) => {
      it.open("7-1").heartbeat();
      if (it.request.topic !== "flood") return;
      let number = 0;
      const more = () => {
        while (number < 500 && !it.stream.destroyed && !it.stream.writableNeedDrain) it.item(++number, 7, item);
        it.stream.once("drain", more);
      };
      more();
    };
    const flooded = Array.from({ length: 99 }, () => cache.subscribe("flood", { from: "now" }));
    assert.ok((await Promise.all(flooded.map((each) => each.established()))).every(Boolean));
    await until(() => client.statistics().topics.items === 99 * 256);
    for (let i = 0; i < 3; i++) {
      const other = cache.subscribe("other");
      assert.ok(await other.established());
      server.last.item(1, 7);
      assert.deepEqual(told(await taken(other, 1)), ["1 value 1"]);
      await other.close();
    }
    assert.equal(server.connections, 1);
    assert.equal(client.statistics().topics.items, 99 * 256 + 3);
    for (const each of flooded) await each.close();
  });

  test("subscription to silent or non-HTTP/2 server fails within request timeout", async () => {
    const sockets = new Set<Socket>();
    for (const says of ["", "SSH-2.0-x\r\n", "\0".repeat(70_000)]) {
      const stranger = createServer((socket) => {
        sockets.add(socket);
        socket.on("error", () => {});
        socket.write(says);
      });
      await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
      const { port } = stranger.address() as { port: number };
      const credentials = CredentialProvider.local(`127.0.0.1:${port}`);
      const hasty = topicClientOf(server, { requestTimeoutMs: 100 }, { credentials });
      const [event] = await taken(hasty.cache("cache").subscribe("topic"), 1);
      assert.ok(event?.type === "error");
      assert.equal(event.error.code, says === "" ? "Timeout" : "Unavailable");
      await hasty.close();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => stranger.close(resolve));
    }
  });
});

describe("subscription on a manual clock", () => {
  let server: FakeTopics;
  let clock: ManualClock;
  // The number of milliseconds by which the tasks of the clock run late.
  let standstillMs: number;
  let topics: TopicSubscriptions;
  beforeEach(async () => {
    server = await new FakeTopics().start();
    clock = new ManualClock();
    standstillMs = 0;
    const configuration = withSettings(Configurations.Laptop.latest(), { requestTimeoutMs: 1_000, maxBackOffMs: 100 });
    const credentials = CredentialProvider.local(server.endpoint);
    const late: Clock = {
      now: () => clock.now() + standstillMs,
      schedule: (action, delayMs) => clock.schedule(action, delayMs),
    };
    const common = { configuration, clock: late, random: () => 0.5 };
    const channels = new TopicChannels({ ...common, servers: () => [credentials] });
    const hooks = new GuardedHooks({});
    topics = new TopicSubscriptions({ ...common, channels, headersFor: () => ({}), tokens: null, hooks });
  });
  afterEach(async () => {
    topics.close();
    assert.equal(clock.scheduled, 0);
    await server.stop();
  });

  test("silent stream is lost after 5 s and reconnects", async () => {
    const subscription = topics.subscribe("cache", "topic", {});
    assert.ok(await subscription.established());
    clock.advance(4_999);
    assert.equal(server.subscriptions.length, 1);
    clock.advance(1);
    clock.advance(80);
    await until(() => server.subscriptions.length === 2);
    await until(() => server.open.length === 1);
    assert.equal(server.connections, 2);
    assert.equal(server.last.asked, "7-1");
  });

  test("missing first message is a Timeout after the request timeout", async () => {
    server.onSubscribe = (it) => it.open("7-1");
    const subscription = topics.subscribe("cache", "topic", {});
    await until(() => server.subscriptions.length === 1);
    clock.advance(999);
    assert.ok(!subscription.ended);
    clock.advance(1);
    const [event] = await taken(subscription, 2);
    assert.ok(event?.type === "error");
    assert.equal(event.error.code, "Timeout");
    assert.match(event.error.message, /did not respond within the request timeout/);
    await until(() => server.open.length === 0);
  });

  test("process suspension does not count as server silence", async () => {
    const subscription = topics.subscribe("cache", "topic", {});
    assert.ok(await subscription.established());
    standstillMs = 60_000;
    clock.advance(5_000);
    assert.equal(topics.statistics().subscriptions, 1);
    clock.advance(4_999);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(server.open.length, 1);
    clock.advance(1);
    clock.advance(80);
    await until(() => server.subscriptions.length === 2);
  });

  test("time while the reader is idle is not server silence", async () => {
    server.onSubscribe = (it) => {
      it.open("7-1").heartbeat();
      for (let number = 1; number <= 300; number++) it.item(number, 7);
    };
    const subscription = topics.subscribe("cache", "topic", {});
    await until(() => topics.statistics().items === 256);
    clock.advance(3_600_000);
    assert.equal((await taken(subscription, 300)).length, 300);
    assert.equal(server.subscriptions.length, 1);
    clock.advance(5_000);
    clock.advance(80);
    await until(() => server.subscriptions.length === 2);
    assert.equal(server.last.asked, "7-301");
  });

  test("client allows at most 10,000 subscriptions", async () => {
    await server.stop();
    const all = Array.from({ length: maxSubscriptions }, () => topics.subscribe("cache", "topic", {}));
    const [refused] = await taken(topics.subscribe("cache", "topic", {}), 2);
    assert.ok(refused?.type === "error");
    assert.equal(refused.error.code, "ClientOverloaded");
    assert.match(refused.error.message, /already has 10000 subscriptions/);
    await all[0]!.close();
    const another = topics.subscribe("cache", "topic", {});
    assert.ok(!another.ended);
    assert.equal(topics.statistics().subscriptions, maxSubscriptions);
    topics.close();
    assert.equal(topics.statistics().subscriptions, 0);
    await server.start();
  });

  test("close cancels timers in every subscription state", async () => {
    const live = topics.subscribe("cache", "topic", {});
    assert.ok(await live.established());
    await live.close();
    assert.equal(clock.scheduled, 0);
    const connecting = topics.subscribe("cache", "topic", {});
    await connecting.close();
    assert.equal(clock.scheduled, 0);
    const waiting = topics.subscribe("cache", "topic", {});
    assert.ok(await waiting.established());
    server.breakConnections();
    await until(() => clock.scheduled === 1 && server.open.length === 0);
    await waiting.close();
    assert.equal(clock.scheduled, 0);
    await until(() => server.sockets.size === 0);
  });
});
