import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import fc from "fast-check";
import { backOffMs } from "../../src/calls/back-off.js";
import { type FailedAttempt, RetryPolicy, type RetrySettings } from "../../src/calls/retry-policy.js";
import { Configurations } from "../../src/configuration/configurations.js";

interface Step {
  readonly calls?: number;
  readonly failed: {
    readonly status: number;
    readonly idempotent?: boolean;
    readonly notExecuted?: boolean;
    readonly sends?: number;
    readonly remainingMs?: number;
    readonly random?: number;
  };
  readonly times?: number;
  readonly then: { readonly waitMs: number | null };
}
interface Case {
  readonly rule: string;
  readonly case: string;
  readonly settings?: Partial<RetrySettings> & { readonly cap?: number };
  readonly steps: readonly Step[];
}

const path = new URL("../../../../../protocol/vectors/clients/retry.json", import.meta.url);
const cases = JSON.parse(readFileSync(path, "utf8")) as readonly Case[];

function failedAttempt(failed: Step["failed"]): FailedAttempt {
  const { status, notExecuted = false, idempotent = true, sends = 1, remainingMs = 5_000 } = failed;
  return { failure: { status, message: "", notExecuted }, idempotent, attempts: sends, remainingMs };
}

describe("RetryPolicy", () => {
  for (const given of cases) {
    test(`${given.rule}: ${given.case}`, () => {
      const { cap = 100, ...settings } = given.settings ?? {};
      let draw = 1;
      const policy = new RetryPolicy({ ...Configurations.Laptop.v1(), ...settings }, cap, () => draw);
      for (const [index, step] of given.steps.entries()) {
        for (let calls = step.calls ?? 0; calls > 0; calls--) policy.called();
        draw = step.failed.random ?? 1;
        for (let times = step.times ?? 1; times > 0; times--)
          assert.deepEqual({ index, waitMs: policy.decide(failedAttempt(step.failed)) }, { index, ...step.then });
      }
    });
  }

  test("limits retries to a tenth of calls over time", () => {
    const policy = new RetryPolicy(Configurations.Laptop.v1(), 50);
    let retries = 0;
    for (let call = 0; call < 10_000; call++) {
      policy.called();
      if (policy.decide(failedAttempt({ status: 14 })) !== null) retries++;
    }
    assert.ok(retries <= 1_000 + 100, `${retries} retries`);
    assert.ok(retries >= 1_000, `${retries} retries`);
  });

  test("back-off delay stays between half the ceiling and the ceiling", () => {
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
