import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { Call } from "../../src/calls/call.js";
import { CallRunner } from "../../src/calls/call-runner.js";
import { InFlightLimiter } from "../../src/calls/in-flight-limiter.js";
import { RetryPolicy } from "../../src/calls/retry-policy.js";
import { Status } from "../../src/client/errors.js";
import { ErrorResponse, success } from "../../src/client/responses.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { IncrementOperation } from "../../src/operations/_generated/table-operations.js";
import { GetOperation } from "../../src/operations/scalar-operations.js";
import { GuardedHooks } from "../../src/telemetry/guarded-hooks.js";
import type { CallReport } from "../../src/telemetry/metrics.js";
import { ManualClock } from "../../src/testing/manual-clock.js";
import type { Transport } from "../../src/transport/transport.js";

/** A transport that keeps every attempt pending until the test decides its outcome. */
class HeldTransport implements Transport {
  readonly sent: Call[] = [];
  readonly abandoned: Call[] = [];
  connections = 1;
  readonly pipelined = false;
  refusal: string | null = null;
  send(call: Call): void {
    this.sent.push(call);
  }
  abandon(call: Call): void {
    this.abandoned.push(call);
  }
  connect(): Promise<void> {
    return Promise.resolve();
  }
  describe(): string {
    return "held";
  }
  close(): void {}
}

function made(cap: number | "off" = 2, queueLimit = 20_000) {
  const clock = new ManualClock();
  const transport = new HeldTransport();
  const limiter = new InFlightLimiter(cap, queueLimit);
  const reports: CallReport[] = [];
  const runner = new CallRunner({
    limiter,
    retryPolicy: new RetryPolicy(Configurations.Laptop.v1(), 100, () => 0.5),
    transport,
    clock,
    lag: null,
    hooks: new GuardedHooks({ callEnded: (report) => reports.push(report) }),
  });
  const get = (timeoutMs = 300, signal?: AbortSignal) =>
    runner.submit(new GetOperation("cache", "key"), timeoutMs, signal);
  return { clock, transport, limiter, runner, reports, get };
}

function codeOf(response: unknown): string {
  assert.ok(response instanceof ErrorResponse, `expected an error, got ${JSON.stringify(response)}`);
  return response.error.code;
}

const unavailable = { status: Status.unavailable, message: "down", notExecuted: false };

describe("CallRunner", () => {
  test("no queued call waits past its deadline", async () => {
    const { clock, transport, limiter, reports, get } = made(10);
    const calls = Array.from({ length: 400 }, () => get(300));
    // The server answers each call 20 ms after it arrives.
    for (let ms = 0; ms < 400; ms += 20) {
      const due = transport.sent.splice(0);
      clock.advance(20);
      for (const call of due) call.owner.answered(call, success);
      limiter.assertValid();
    }
    const responses = await Promise.all(calls);
    const answered = responses.filter((response) => response.result !== "error").length;
    assert.ok(answered >= 140 && answered <= 150, `${answered} answered`);
    assert.equal(reports.length, 400);
    assert.ok(reports.every(({ durationMs }) => durationMs <= 300));
    assert.equal(limiter.inFlight, 0);
  });

  test("DEADLINE-5: queued call is never sent after its deadline", async () => {
    const { clock, transport, limiter, get } = made(1);
    const first = get(1_000);
    const second = get(100);
    clock.advance(100);
    assert.equal(codeOf(await second), "Timeout");
    assert.equal(limiter.queued, 0);
    transport.sent[0]!.owner.answered(transport.sent[0]!, success);
    assert.equal((await first).result, "success");
    assert.equal(transport.sent.length, 1);
  });

  test("LIM-7: call fails immediately when the queue is full", async () => {
    const { get, transport } = made(1, 1);
    void get();
    void get();
    assert.equal(codeOf(await get()), "ClientOverloaded");
    assert.equal(transport.sent.length, 1);
  });

  test("N8: cancelled call ends immediately and releases its permit", async () => {
    const { clock, transport, limiter, get } = made(1);
    const controllers = [0, 1, 2].map(() => new AbortController());
    const sent = get(300, controllers[0]!.signal);
    const queued = get(300, controllers[1]!.signal);
    controllers[1]!.abort();
    assert.equal(codeOf(await queued), "Cancelled");
    controllers[0]!.abort();
    assert.equal(codeOf(await sent), "Cancelled");
    assert.deepEqual(transport.abandoned, [transport.sent[0]]);
    const backingOff = get(300, controllers[2]!.signal);
    const call = transport.sent[1]!;
    call.owner.failed(call, unavailable);
    controllers[2]!.abort();
    assert.equal(codeOf(await backingOff), "Cancelled");
    clock.advance(1_000);
    assert.equal(transport.sent.length, 2, "a cancelled call is not sent again");
    assert.equal(limiter.inFlight, 0);
    limiter.assertValid();
  });

  test("call with an already aborted signal is not sent", async () => {
    const { transport, get } = made();
    assert.equal(codeOf(await get(300, AbortSignal.abort())), "Cancelled");
    assert.equal(transport.sent.length, 0);
  });

  test("RETRY-8: retry keeps the call's permit and deadline", async () => {
    const { clock, transport, limiter, get } = made(1);
    const response = get(300);
    const call = transport.sent[0]!;
    call.owner.failed(call, unavailable);
    assert.equal(limiter.inFlight, 1);
    clock.advance(60);
    assert.equal(transport.sent.length, 2);
    clock.advance(240);
    assert.equal(codeOf(await response), "Timeout");
    assert.equal(limiter.inFlight, 0);
  });

  test("INC-8: increment that may have executed is not retried", async () => {
    const { transport, runner } = made();
    const response = runner.submit(new IncrementOperation("cache", "n", 1n, 1, false), 300);
    transport.sent[0]!.owner.failed(transport.sent[0]!, unavailable);
    assert.equal(codeOf(await response), "Unavailable");
    assert.equal(transport.sent.length, 1);
  });

  test("response after the deadline is ignored", async () => {
    const { clock, transport, limiter, get } = made();
    const response = get(100);
    clock.advance(100);
    transport.sent[0]!.owner.answered(transport.sent[0]!, success);
    transport.sent[0]!.owner.failed(transport.sent[0]!, unavailable);
    assert.equal(codeOf(await response), "Timeout");
    assert.equal(limiter.inFlight, 0);
  });

  test("close fails all pending and later calls with Cancelled", async () => {
    const { clock, transport, limiter, runner, get } = made(2);
    const calls = [get(), get(), get()];
    transport.sent[0]!.owner.failed(transport.sent[0]!, unavailable);
    runner.close();
    calls.push(get());
    assert.deepEqual((await Promise.all(calls)).map(codeOf), ["Cancelled", "Cancelled", "Cancelled", "Cancelled"]);
    assert.equal(limiter.inFlight, 0);
    assert.equal(limiter.queued, 0);
    clock.advance(1_000);
    assert.equal(clock.scheduled, 0);
  });

  test("ERR-5: error message gives details but not the key", async () => {
    const { clock, runner } = made();
    const response = runner.submit(new GetOperation("cache", "secret-key"), 100);
    clock.advance(100);
    const { message } = ((await response) as ErrorResponse).error;
    assert.match(message, /^get failed: .*key of 10 bytes, 100\.0 ms of 100 elapsed, .*\/2 in flight.*1 attempt, held/);
    assert.doesNotMatch(message, /secret/);
  });

  test("every call ends exactly once and returns its permit", () => {
    const step = fc.record({
      kind: fc.constantFrom("call", "answer", "fail", "refuse", "pass", "abort"),
      pick: fc.nat(1_000),
    });
    return fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { clock, transport, limiter, reports, get } = made(3, 4);
        const controllers: AbortController[] = [];
        const calls: Promise<unknown>[] = [];
        const taken = (pick: number) => transport.sent.splice(pick % Math.max(1, transport.sent.length), 1)[0];
        for (const { kind, pick } of steps) {
          if (kind === "call") {
            const controller = new AbortController();
            controllers.push(controller);
            calls.push(get(50 + (pick % 3) * 40, controller.signal));
          } else if (kind === "pass") clock.advance(pick % 40);
          else if (kind === "abort") controllers[pick % Math.max(1, controllers.length)]?.abort();
          else {
            const call = taken(pick);
            if (kind === "answer") call?.owner.answered(call, success);
            else call?.owner.failed(call, { ...unavailable, notExecuted: kind === "refuse" });
          }
          limiter.assertValid();
        }
        clock.advance(10_000);
        await Promise.all(calls);
        assert.equal(reports.length, calls.length);
        assert.equal(limiter.inFlight, 0);
        assert.equal(limiter.queued, 0);
      }),
    );
  });
});
