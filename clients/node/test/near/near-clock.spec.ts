import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { NearClock } from "../../src/near/near-clock.js";

/** A machine with clocks that the test controls. */
class Machine {
  monotonicMs = 1_000;
  wallMs = 1_700_000_000_000;
  readonly clock = new NearClock(
    () => this.monotonicMs,
    () => Math.floor(this.wallMs),
  );

  /** Advances the time while the machine is awake. */
  run(ms: number): void {
    this.monotonicMs += ms;
    this.wallMs += ms;
  }
}

/** Asserts that the duration is at least `ms` and at most 20 ms more. */
function assertPassed(told: number, ms: number): void {
  assert.ok(told >= ms && told <= ms + 20, `${told} ms of ${ms}`);
}

describe("NearClock", () => {
  test("NEAR-21: clock advances while the machine sleeps", () => {
    const machine = new Machine();
    const before = machine.clock.now();
    machine.run(100);
    assert.equal(machine.clock.now() - before, 100);
    machine.wallMs += 60_000;
    assertPassed(machine.clock.now() - before, 60_100);
    machine.run(50);
    assertPassed(machine.clock.now() - before, 60_150);
  });

  test("backward wall-clock jump neither slows the clock nor hides sleep", () => {
    const machine = new Machine();
    const before = machine.clock.now();
    machine.run(100);
    machine.wallMs -= 3_600_000;
    assert.equal(machine.clock.now() - before, 100);
    machine.run(100);
    machine.wallMs += 5_000;
    assertPassed(machine.clock.now() - before, 5_200);
  });

  test("NearClock speeds up with fast wall clock, never slows down", () => {
    for (const [pace, most] of [
      [1.001, 1.003],
      [0.999, 1],
    ] as const) {
      const machine = new Machine();
      const before = machine.clock.now();
      for (let i = 0; i < 100_000; i++) {
        machine.monotonicMs += 1;
        machine.wallMs += pace;
        machine.clock.now();
      }
      const passedMs = machine.clock.now() - before;
      assert.ok(passedMs >= 100_000 && passedMs <= 100_000 * most, `${passedMs} ms at ${pace}`);
    }
  });

  test("NearClock never goes back or runs slower than monotonic clock", () => {
    const step = fc.record({ run: fc.nat(5_000), jump: fc.integer({ min: -1_000_000, max: 1_000_000 }) });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const machine = new Machine();
        let last = machine.clock.now();
        for (const { run, jump } of steps) {
          machine.run(run);
          machine.wallMs += jump;
          const now = machine.clock.now();
          assert.ok(now - last >= run);
          last = now;
        }
      }),
    );
  });

  test("invalid wall clock falls back to the monotonic clock", () => {
    let monotonicMs = 0;
    const clock = new NearClock(
      () => monotonicMs,
      () => Number.NaN,
    );
    monotonicMs = 70;
    assert.equal(clock.now(), 70);
  });
});
