import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { AdaptiveCap, type CapCounts } from "../../src/calls/adaptive-cap.js";
import { AdaptiveLimiter } from "../../src/calls/adaptive-limiter.js";
import { InFlightLimiter, type Waiter } from "../../src/calls/in-flight-limiter.js";
import { GuardedHooks } from "../../src/telemetry/guarded-hooks.js";

interface Then {
  readonly limit: number;
  readonly state: string;
}
interface WindowStep {
  readonly atMs: number;
  readonly window: CapCounts;
  readonly then: Then;
}
interface CallsStep {
  readonly calls: number;
  readonly grantedMs: number;
  readonly everyMs: number;
  readonly tookMs: number;
  readonly waited: boolean;
  readonly failed: boolean;
  readonly then: Then;
}
interface Case {
  readonly rule: string;
  readonly case: string;
  readonly most: number;
  readonly targetMs: number;
  readonly steps: readonly (WindowStep | CallsStep)[];
}

const path = new URL("../../../../../protocol/vectors/clients/adaptive-cap.json", import.meta.url);
const cases = JSON.parse(readFileSync(path, "utf8")) as readonly Case[];

class Waiting implements Waiter {
  waitingBefore: Waiter | null = null;
  waitingAfter: Waiter | null = null;
  admitted(): void {}
}

describe("AdaptiveCap", () => {
  for (const given of cases) {
    test(`${given.rule}: ${given.case}`, () => {
      const cap = new AdaptiveCap(given.most);
      const limiter = new InFlightLimiter(given.most, 100_000);
      const adaptive = new AdaptiveLimiter(limiter, given.most, given.targetMs, 0, new GuardedHooks({}));
      for (const [index, step] of given.steps.entries()) {
        if ("window" in step) cap.evaluate(step.window, step.atMs);
        else end(adaptive, limiter, step);
        const got = "window" in step ? cap : { limit: limiter.limit, state: adaptive.state };
        assert.deepEqual({ index, limit: got.limit, state: got.state }, { index, ...step.then });
      }
    });
  }
});

function end(adaptive: AdaptiveLimiter, limiter: InFlightLimiter, step: CallsStep): void {
  for (let i = 0; i < step.calls; i++) {
    while (step.waited && limiter.queued === 0) if (!limiter.tryAcquire()) limiter.enqueue(new Waiting());
    const granted = step.grantedMs + i * step.everyMs;
    adaptive.ended(granted, granted + step.tookMs, step.failed);
  }
}
