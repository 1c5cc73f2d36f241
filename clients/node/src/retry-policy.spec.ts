import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { backOffMs } from "./back-off.js";
import { Status } from "./errors.js";
import { type FailedAttempt, RetryPolicy } from "./retry-policy.js";

const failed = (changes: Partial<FailedAttempt> & { status?: number; notExecuted?: boolean } = {}): FailedAttempt => ({
  failure: { status: changes.status ?? Status.unavailable, message: "", notExecuted: changes.notExecuted ?? false },
  idempotent: changes.idempotent ?? true,
  attempts: changes.attempts ?? 1,
  remainingMs: changes.remainingMs ?? 10_000,
});
const half = () => 0.5;

describe("RetryPolicy", () => {
  test("RETRY-2: only unavailable, internal and cancelled are tried again", () => {
    const retried = Object.values(Status).filter(
      (status) => new RetryPolicy(3, 100, half).decide(failed({ status })) !== null,
    );
    assert.deepEqual(retried, [Status.cancelled, Status.internal, Status.unavailable]);
  });

  test("RETRY-3: a call that is not idempotent is tried again only if it provably never ran", () => {
    const policy = new RetryPolicy(3, 100, half);
    assert.equal(policy.decide(failed({ idempotent: false })), null);
    assert.notEqual(policy.decide(failed({ idempotent: false, notExecuted: true })), null);
  });

  test("RETRY-4: three retries are four sends", () => {
    const policy = new RetryPolicy(3, 100, half);
    const decided = [1, 2, 3, 4].map((attempts) => policy.decide(failed({ attempts })) !== null);
    assert.deepEqual(decided, [true, true, true, false]);
  });

  test("no retries are one send", () => {
    assert.equal(new RetryPolicy(0, 100, half).decide(failed()), null);
  });

  test("RETRY-5: a retry that could not start before the deadline is not waited for, and costs no budget", () => {
    const policy = new RetryPolicy(3, 1, half);
    assert.equal(policy.decide(failed({ remainingMs: 1 })), null);
    assert.notEqual(policy.decide(failed()), null);
  });

  test("RETRY-6: over time, retries are a tenth of the calls, past the reserve", () => {
    const policy = new RetryPolicy(1, 20, half);
    let retries = 0;
    for (let call = 0; call < 10_000; call++) {
      policy.called();
      if (policy.decide(failed()) !== null) retries++;
    }
    assert.ok(retries <= 1_000 + 20, `${retries} retries`);
    assert.ok(retries >= 1_000, `${retries} retries`);
  });

  test("three retries outlast the 250 ms for which a server refuses calls after a pause, whatever the draw", () => {
    const policy = new RetryPolicy(3, 100, () => 0);
    const waits = [1, 2, 3].map((attempts) => policy.decide(failed({ attempts })) ?? 0);
    assert.ok(waits.reduce((sum, wait) => sum + wait, 0) > 250);
  });

  test("back-off doubles up to its ceiling and keeps half of it whatever the draw", () => {
    const draw = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), draw, (attempt, random) => {
        const ceiling = Math.min(500, 10 * 2 ** Math.min(30, attempt - 1));
        const delay = backOffMs(attempt, 10, 500, () => random);
        assert.ok(delay >= ceiling / 2 && delay <= ceiling);
      }),
    );
  });
});
