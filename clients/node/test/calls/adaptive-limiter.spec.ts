import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AdaptiveLimiter } from "../../src/calls/adaptive-limiter.js";
import type { Call } from "../../src/calls/call.js";
import { CallRunner } from "../../src/calls/call-runner.js";
import { InFlightLimiter } from "../../src/calls/in-flight-limiter.js";
import { RetryPolicy } from "../../src/calls/retry-policy.js";
import { Status } from "../../src/client/errors.js";
import { ErrorResponse, success } from "../../src/client/responses.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { GetOperation } from "../../src/operations/scalar-operations.js";
import { GuardedHooks } from "../../src/telemetry/guarded-hooks.js";
import type { CapEvent } from "../../src/telemetry/metrics.js";
import { ManualClock } from "../../src/testing/manual-clock.js";

function made() {
  const clock = new ManualClock();
  const sent: Call[] = [];
  const events: CapEvent[] = [];
  const limiter = new InFlightLimiter(30, 20_000);
  const hooks = new GuardedHooks({ capChanged: (event: CapEvent) => events.push(event) });
  const adaptive = new AdaptiveLimiter(limiter, 30, 20, clock.now(), hooks);
  const transport = {
    connections: 1,
    refusal: null,
    pipelined: false,
    send: (call: Call) => sent.push(call),
    abandon: () => {},
    connect: () => Promise.resolve(),
    describe: () => "held",
    close: () => {},
  };
  const retryPolicy = new RetryPolicy({ ...Configurations.Laptop.v1(), maxRetries: 0 }, 100, () => 0.5);
  const runner = new CallRunner({ limiter, adaptive, retryPolicy, transport, clock, lag: null, hooks });
  let waiting = 0;
  const fill = () => {
    for (; waiting < 50; waiting++) void runner.submit(new GetOperation("cache", "key"), 60_000).then(() => waiting--);
  };
  /**
   * Runs rounds with 50 callers. In each round, all calls in flight end at the same time, `tookMs` after they were
   * sent.
   */
  const rounds = async (count: number, tookMs: number, end = (call: Call) => call.owner.answered(call, success)) => {
    for (let round = 0; round < count; round++) {
      fill();
      clock.advance(tookMs);
      for (const call of sent.splice(0)) end(call);
      await new Promise(setImmediate);
      limiter.assertValid();
    }
  };
  return { limiter, adaptive, runner, events, rounds };
}

describe("AdaptiveLimiter", () => {
  test("raises the limit to the configured maximum on fast responses", async () => {
    const { limiter, rounds } = made();
    assert.equal(limiter.limit, 16);
    await rounds(130, 10);
    assert.equal(limiter.limit, 24);
    await rounds(200, 10);
    assert.equal(limiter.limit, 30);
  });

  test("slow responses lower the limit; errors contain the new limit", async () => {
    const { limiter, runner, events, rounds } = made();
    // The first round is fast and shows what the server can do. In the slow rounds after it, calls wait in the server's
    // queue.
    await rounds(1, 10);
    await rounds(3, 40);
    assert.equal(limiter.limit, 12);
    assert.deepEqual(events, [{ from: 16, to: 12, targetMs: 20, outOfReach: false }]);
    runner.close();
    const refused = await runner.submit(new GetOperation("cache", "key"), 1);
    assert.ok(refused instanceof ErrorResponse && refused.error.message.includes("/12 in flight"));
  });

  test("does not raise the limit on fast errors", async () => {
    const { limiter, rounds } = made();
    const failure = { status: Status.unavailable, message: "down", notExecuted: false };
    await rounds(300, 1, (call) => call.owner.failed(call, failure));
    assert.equal(limiter.limit, 16);
  });

  test("reports an unreachable target once and its recovery once", async () => {
    const { limiter, adaptive, events, rounds } = made();
    // The server is slow, and calls do not wait in its queue. As a result, every round takes the same time with any
    // limit.
    await rounds(20, 100);
    assert.deepEqual([limiter.limit, adaptive.state], [16, "outOfReach"]);
    assert.deepEqual(events, [{ from: 16, to: 16, targetMs: 20, outOfReach: true }]);
    await rounds(140, 10);
    assert.equal(adaptive.state, "steady");
    assert.deepEqual(events[1], { from: 16, to: 17, targetMs: 20, outOfReach: false });
  });

  test("a smaller maximum lowers the limit", () => {
    const { limiter, adaptive } = made();
    adaptive.setMaximum(7);
    assert.equal(limiter.limit, 7);
  });
});
