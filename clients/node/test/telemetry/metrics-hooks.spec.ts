import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { CallReport, CallStart, ClientFigures, MetricsHooks } from "../../src/telemetry/metrics.js";
import { FakeServer } from "../../src/testing/fake.js";

/** Collects the process warnings about hooks between this call and the end of the test. */
function warningsIn(context: TestContext): string[] {
  const warnings: string[] = [];
  const listener = ({ message }: Error) => {
    if (message.includes("hook")) warnings.push(message);
  };
  process.on("warning", listener);
  context.after(() => process.off("warning", listener));
  return warnings;
}

describe("client metrics hooks", () => {
  test("callEnded receives the call's details and callStarted's result", async () => {
    const starts: CallStart[] = [];
    const ends: [CallReport, unknown][] = [];
    const fake = new FakeServer();
    await using client = fake.client({
      metrics: {
        callStarted: (call) => starts.push(call),
        callEnded: (report, started) => ends.push([report, started]),
      },
    });
    const cache = client.cache("cache");
    await cache.set("a", "1");
    await cache.getBatch(["a", "b", "c"]);
    await cache.get("a", { signal: AbortSignal.abort() });
    const endpoint = "in-process:1";
    assert.deepEqual(starts, [
      { operation: "set", cacheName: "cache", batchSize: 1, endpoint },
      { operation: "getBatch", cacheName: "cache", batchSize: 3, endpoint },
      { operation: "get", cacheName: "cache", batchSize: 1, endpoint },
    ]);
    assert.deepEqual(
      ends.map(([{ operation, batchSize, hits, misses, errorCode }, started]) => ({
        operation,
        batchSize,
        found: [hits, misses],
        errorCode,
        started,
      })),
      [
        { operation: "set", batchSize: 1, found: [0, 0], errorCode: undefined, started: 1 },
        { operation: "getBatch", batchSize: 3, found: [1, 2], errorCode: undefined, started: 2 },
        { operation: "get", batchSize: 1, found: [0, 0], errorCode: "Cancelled", started: 3 },
      ],
    );
  });

  test("clientOpened and clientClosed run once with the statistics", async () => {
    const told: [string, ClientFigures][] = [];
    const fake = new FakeServer();
    const client = fake.client({
      metrics: {
        clientOpened: (figures) => told.push(["opened", figures]),
        clientClosed: (figures) => told.push(["closed", figures]),
      },
    });
    await client.cache("cache").get("key");
    await client.close();
    await client.close();
    assert.deepEqual(
      told.map(([what]) => what),
      ["opened", "closed"],
    );
    assert.equal(told[0]![1], told[1]![1]);
    assert.equal(told[0]![1].statistics().misses, 1);
    assert.equal(told[0]![1].endpoint, "in-process:1");
  });

  test("exception in a hook fails no call and warns once", async (context) => {
    const warnings = warningsIn(context);
    for (const thrower of [
      () => {
        throw new Error("no hook");
      },
      () => Promise.reject(new Error("no hook")),
    ]) {
      const names = ["callStarted", "callEnded", "clientOpened", "clientClosed"] as const;
      const metrics = Object.fromEntries(names.map((name) => [name, thrower])) as MetricsHooks;
      const client = new FakeServer().client({ metrics });
      for (let i = 0; i < 3; i++) assert.equal((await client.cache("cache").get("key")).result, "miss");
      await client.close();
    }
    await setImmediate();
    assert.equal(warnings.length, 8);
  });
});
