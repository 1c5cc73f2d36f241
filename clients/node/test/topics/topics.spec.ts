// Tests topics on the real server: restarts, a deleted cache, many subscribers, and processes that exit.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import {
  type Cache,
  CacheClient,
  Configurations,
  CredentialProvider,
  type TopicEvent,
  withSettings,
} from "../../src/index.js";
import { until } from "../support/fake-server.js";
import { taken, told } from "../support/fake-topics.js";
import { type ServerProcess, skipWithoutServer, startServer } from "../support/server-process.js";

function clientOf(server: ServerProcess): CacheClient {
  return new CacheClient({
    credentials: CredentialProvider.local(server.endpoint),
    // The timeout is long enough even on a loaded machine.
    configuration: withSettings(Configurations.Laptop.latest(), { requestTimeoutMs: 30_000 }),
    defaultTtlMs: 60_000,
  });
}

describe("topics on the real server", { skip: skipWithoutServer }, () => {
  let server: ServerProcess;
  let client: CacheClient;
  let cache: Cache;
  before(async () => {
    server = await startServer();
    client = clientOf(server);
    cache = client.cache("cache");
  });
  after(async () => {
    await client.close();
    await server.stop();
  });

  test("300 subscribers receive every message once and in order", async () => {
    const many = Array.from({ length: 300 }, () => cache.subscribe("many", { from: "now" }));
    assert.ok((await Promise.all(many.map((each) => each.established()))).every(Boolean));
    const publishers = [clientOf(server), clientOf(server), clientOf(server)];
    const reading = Promise.all(many.map((each) => taken(each, 90)));
    for (let i = 0; i < 30; i++)
      await Promise.all(publishers.map((each, which) => each.cache("cache").publish("many", `${which} ${i}`)));
    const [first, ...others] = await reading;
    const expected = told(first!);
    assert.deepEqual(
      expected.map((line) => line.split(" ")[0]),
      expected.map((_, i) => `${i + 1}`),
    );
    for (const which of ["0", "1", "2"]) {
      const own = expected.map((line) => line.split(" ").slice(1)).filter(([from]) => from === which);
      assert.deepEqual(
        own.map(([, i]) => Number(i)),
        [...Array(30).keys()],
      );
    }
    for (const other of others) assert.deepEqual(told(other), expected);
    for (const each of publishers) await each.close();
  });

  for (const topics of [1, 5_000])
    test(`5,000 subscriptions across ${topics} topics each receive their topic's message`, async () => {
      const names = Array.from({ length: topics }, (_, i) => `of${topics}-${i}`);
      const expected = Array.from({ length: 5_000 }, (_, i) => names[i % topics]!);
      const many = expected.map((name) => cache.subscribe(name, { from: "now" }));
      assert.ok((await Promise.all(many.map((each) => each.established()))).every(Boolean));
      for (const name of names) assert.equal((await cache.publish(name, name)).result, "success");
      const events = await Promise.all(many.map((each) => taken(each, 1)));
      assert.deepEqual(
        events.map(told),
        expected.map((name) => [`1 ${name}`]),
      );
      await Promise.all(many.map((each) => each.close()));
    });

  test("resumeAt, page and from select the first message", async () => {
    for (const value of ["a", "b", "c"]) await cache.publish("start", value);
    assert.deepEqual(told(await taken(cache.subscribe("start"), 1)), ["3 c"]);
    const resumed = await taken(cache.subscribe("start", { resumeAt: 2 }), 2);
    assert.deepEqual(told(resumed), ["2 b", "3 c"]);
    const [{ page }] = resumed as [Extract<TopicEvent, { type: "item" }>];
    assert.deepEqual(told(await taken(cache.subscribe("start", { resumeAt: 1n, page }), 1)), ["1 a"]);
    const now = cache.subscribe("start", { from: "now" });
    assert.ok(await now.established());
    await cache.publish("start", "d");
    assert.deepEqual(told(await taken(now, 1)), ["4 d"]);
    const [gap, newest] = told(await taken(cache.subscribe("start", { resumeAt: 40 }), 2));
    assert.match(gap!, /^gap 39→4 /);
    assert.equal(newest, "4 d");
  });

  test("deleting a cache ends its subscriptions with NotFound", async () => {
    await client.createCache("short-lived");
    const subscription = client.cache("short-lived").subscribe("topic");
    assert.ok(await subscription.established());
    await client.deleteCache("short-lived");
    assert.deepEqual(told(await taken(subscription, 2)), ["NotFound"]);
  });

  test("publish accepts up to 1 MiB and rejects larger messages", async () => {
    const tooLarge = await cache.publish("large", new Uint8Array((1 << 20) + 1));
    assert.equal(tooLarge.result === "error" && tooLarge.error.code, "LimitExceeded");
    const subscription = cache.subscribe("large", { from: "now" });
    assert.ok(await subscription.established());
    assert.equal((await cache.publish("large", "x".repeat(1 << 20))).result, "success");
    const [event] = await taken(subscription, 1);
    assert.ok(event?.type === "item" && event.value === "x".repeat(1 << 20));
    await subscription.close();
  });

  test("slow reader gets a gap and stays subscribed", async () => {
    const slow = cache.subscribe("slow", { from: "now" });
    assert.ok(await slow.established());
    const value = "x".repeat(50_000);
    for (let i = 0; i < 40; i++) await Promise.all(Array.from({ length: 25 }, () => cache.publish("slow", value)));
    await cache.publish("slow", "last");
    let next = 1n;
    let gaps = 0;
    for await (const event of slow) {
      if (event.type === "discontinuity") {
        assert.equal(event.last + 1n, next);
        next = event.next;
        gaps++;
      } else if (event.type === "item") {
        assert.equal(event.number, next++);
        if (event.value === "last") break;
      }
    }
    assert.ok(gaps >= 1);
    assert.equal(next, 1_002n);
  });

  test("subscription resumes with a gap after a server restart", async () => {
    let restarted = await startServer();
    const port = restarted.port;
    const follower = clientOf(restarted);
    const followerCache = follower.cache("cache");
    const subscription = followerCache.subscribe("topic");
    assert.ok(await subscription.established());
    await followerCache.publish("topic", "before");
    assert.deepEqual(told(await taken(subscription, 1)), ["1 before"]);
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      await restarted.stop(signal);
      restarted = await startServer([], port);
      const live = follower.statistics().topics.reconnects;
      await until(() => follower.statistics().topics.reconnects > live || subscription.ended);
      assert.equal((await followerCache.publish("topic", signal)).result, "success");
      const [gap, item] = await taken(subscription, 2);
      assert.ok(gap?.type === "discontinuity" && gap.last === 1n && gap.next === 1n);
      assert.deepEqual(told([item!]), [`1 ${signal}`]);
    }
    await follower.close();
    await restarted.stop();
  });

  for (const [what, program] of Object.entries({
    "closes its client": "await client.close();",
    "leaves its loop and closes its client": "for await (const event of subscription) { await client.close(); break; }",
    "closes its client while events wait": "await client.cache('cache').publish('end', 'b'); await client.close();",
    "aborts its signal and closes its client":
      "controller.abort(); for await (const _ of subscription); await client.close();",
  }))
    test(`program that ${what} exits without output`, async () => {
      const source = `
        import { CacheClient, Configurations, CredentialProvider } from ${JSON.stringify(new URL("../../src/index.js", import.meta.url).href)};
        const client = new CacheClient({ credentials: CredentialProvider.local("${server.endpoint}"),
          configuration: Configurations.Laptop.latest(), defaultTtlMs: 1000 });
        const controller = new AbortController();
        const subscription = client.cache("cache").subscribe("end", { heartbeats: true, signal: controller.signal });
        if (!(await subscription.established())) throw new Error("it was not followed");
        await client.cache("cache").publish("end", "a");
        ${program}
        console.log("ended");`;
      const run = promisify(execFile);
      const { stdout, stderr } = await run(process.execPath, ["--input-type=module", "-e", source], {
        timeout: 60_000,
      });
      assert.deepEqual([stdout, stderr], ["ended\n", ""]);
    });
});
