import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { Load, type LoadTarget } from "./load.js";

interface Result {
  readonly requests: number;
  readonly lateRequests: number;
  readonly unstarted: number;
  readonly lateHistogram: { readonly counts: readonly (readonly [number, number])[] };
}

/** A load target whose calls take `ms` milliseconds. If `ms` is 0, the calls complete immediately. */
function target(ms: number): LoadTarget {
  const wait = ms > 0 ? () => new Promise<void>((resolve) => setTimeout(resolve, ms)) : async () => undefined;
  return {
    get: (key) => wait().then(() => key),
    set: () => wait().then(() => null),
    valueOf: (response) => (typeof response === "string" ? response : null),
    errorCode: () => null,
    connections: () => null,
  };
}

/** Runs an open loop for 0.2 s. Returns the result of the load and the number of timers that the load set. */
async function run(t: TestContext, ms: number, callers: number, rate: number): Promise<[Result, number]> {
  const timers = t.mock.method(globalThis, "setTimeout");
  const request = {
    callers,
    seconds: 0.2,
    warmupSeconds: 0,
    openLoopRatePerSecond: rate,
    arrivals: "uniform",
  } as const;
  const load = new Load(target(ms), { ...request, progress: false, workload: { preload: false } }, () => undefined);
  const result = (await load.run()) as Result;
  return [result, timers.mock.callCount()];
}

const lateCalls = (result: Result) => result.lateHistogram.counts.reduce((sum, [, count]) => sum + count, 0);

test("one timer per millisecond starts all due calls", async (t) => {
  const [result, timers] = await run(t, 0, 50, 20_000);
  // A call is due at the very end. Rounding errors decide whether this call starts.
  const due = result.requests + result.lateRequests + result.unstarted;
  assert.ok(due === 4_000 || due === 4_000 - 1, `${due} calls`);
  // Each timer must start several calls, even on a slow machine.
  assert.ok(result.requests > 2 * timers, `${result.requests} requests, ${timers} timers`);
  assert.ok(lateCalls(result) > 0);
  assert.ok(timers < 230, `${timers} timers`);
});

test("unstarted calls do not count as late", async (t) => {
  const [result] = await run(t, 20, 2, 10_000);
  assert.ok(result.unstarted > 1_000);
  assert.ok(lateCalls(result) <= 2, `${lateCalls(result)}`);
});
