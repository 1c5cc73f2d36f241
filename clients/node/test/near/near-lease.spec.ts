import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Status } from "../../src/client/errors.js";
import type { ConnectionEvent } from "../../src/telemetry/metrics.js";
import { cacheName } from "../support/every-call.js";
import { type FakeNearCall, FakeServer, until } from "../support/fake-server.js";
import { nearBench, noFigures, valueAt } from "../support/near-bench.js";
import { makeNear, nearClientOf, sleeper, untilNear } from "../support/near-client.js";

describe("near cache lease", () => {
  test("NEAR-21: copy is served only while the lease is valid", async (context) => {
    const sleep = sleeper(context);
    await using bench = await nearBench();
    const { server, client, keep } = bench;
    const cache = client.cache(cacheName);
    const renewals: FakeNearCall[] = [];
    server.onNear = (call) => renewals.push(call);
    await keep("k");
    await until(() => renewals.length === 1);
    sleep(10_000);
    assert.equal(cache.tryGetNear("k"), undefined);
    renewals[0]!.answer();
    // The renewal was sent before the machine slept, so its response does not extend the lease.
    await valueAt(client, "behind it");
    assert.equal(cache.tryGetNear("k"), undefined);
    await until(() => renewals.length === 2);
    renewals[1]!.answer();
    await until(() => cache.tryGetNear("k") !== undefined);
  });

  test("NEAR-21: lease is limited to ten seconds", async (context) => {
    const sleep = sleeper(context);
    const server = await new FakeServer().start();
    makeNear(server, 4_294_967_295);
    const client = nearClientOf(server.endpoint);
    const cache = client.cache(cacheName);
    await untilNear(client);
    server.onNear = () => {};
    sleep(8_000);
    assert.ok(cache.tryGetNear("until near"));
    sleep(2_000);
    assert.equal(cache.tryGetNear("until near"), undefined);
    await client.close();
    await server.stop();
  });

  test("NEAR-20: lost or draining stream removes all copies", async () => {
    await using bench = await nearBench();
    const { server, client, keep } = bench;
    for (const end of [() => server.drainPipelines(), () => server.breakConnections()]) {
      await keep("k");
      end();
      await until(() => client.cache(cacheName).tryGetNear("k") === undefined);
      await untilNear(client);
      await keep("k");
    }
    assert.equal(server.pipelines, 3);
  });

  test("NEAR-20: near_open is the first operation of a stream", async () => {
    const server = await new FakeServer().start();
    server.onNear = ({ what, answer }) => {
      server.calls.push(what);
      answer(3_000);
    };
    const client = nearClientOf(server.endpoint);
    const cache = client.cache(cacheName);
    await Promise.all([cache.get("a"), cache.set("b", "1")]);
    assert.deepEqual(server.calls, ["open", "Get", "Set"]);
    await client.close();
    await server.stop();
  });

  for (const [name, refuse] of [
    ["UNIMPLEMENTED", (call: FakeNearCall) => call.fail(Status.unimplemented, "unknown call")],
    ["RESOURCE_EXHAUSTED", (call: FakeNearCall) => call.fail(Status.resourceExhausted, "too many near streams")],
    ["lease of 0 ms", (call: FakeNearCall) => call.answer(0)],
    ["response without a lease", (call: FakeNearCall) => call.answer()],
  ] as const)
    test(`NEAR-20: ${name} for near_open disables the near cache`, async () => {
      const server = await new FakeServer().start();
      let asked = 0;
      server.onNear = (call) => {
        asked++;
        refuse(call);
      };
      const near: boolean[] = [];
      server.onCall = (call) => {
        near.push(call.near);
        call.answer();
      };
      const events: ConnectionEvent[] = [];
      const metrics = { connectionChanged: (event: ConnectionEvent) => events.push(event) };
      const client = nearClientOf(server.endpoint, {}, {}, { metrics });
      for (let stream = 1; stream <= 2; stream++) {
        await client.cache(cacheName).set("k", "v");
        for (let i = 0; i < 3; i++) assert.equal(await valueAt(client, "k"), "v");
        assert.equal(asked, stream);
        server.breakConnections();
        await until(() => client.statistics().connections === 0);
      }
      assert.ok(near.every((each) => !each));
      assert.deepEqual({ ...client.nearCache }, { ...noFigures });
      assert.equal(events.filter(({ kind }) => kind === "nearCacheRefused").length, 1);
      await client.close();
      await server.stop();
    });

  test("near_open without a response does not delay calls", async () => {
    const server = await new FakeServer().start();
    server.onNear = () => {};
    const client = nearClientOf(server.endpoint);
    await client.cache(cacheName).set("k", "v");
    for (let i = 0; i < 3; i++) assert.equal(await valueAt(client, "k"), "v");
    assert.deepEqual({ ...client.nearCache }, { ...noFigures });
    await client.close();
    await server.stop();
  });

  test("NEAR-29: near cache stays empty without pipeline support", async () => {
    const server = await new FakeServer().start();
    server.pipelineSupported = false;
    const client = nearClientOf(server.endpoint);
    await client.cache(cacheName).set("k", "v");
    for (let i = 0; i < 2; i++) assert.equal(await valueAt(client, "k"), "v");
    assert.equal(client.statistics().pipelined, false);
    assert.deepEqual({ ...client.nearCache }, { ...noFigures });
    await client.close();
    await server.stop();
  });
});
