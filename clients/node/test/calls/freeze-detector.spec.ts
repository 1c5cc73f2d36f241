import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { FreezeDetector } from "../../src/calls/freeze-detector.js";
import { StoppableClock } from "../support/stoppable-clock.js";

function started(asleep = { ms: 0 }) {
  const clock = new StoppableClock();
  const detector = new FreezeDetector(clock, () => clock.now() + asleep.ms);
  detector.start();
  return { clock, detector, noticed: () => detector.noticed(clock.now()) };
}

describe("FreezeDetector", () => {
  for (const [stoppedMs, isFreeze] of [
    [5_000, false],
    [5_001, true],
    [50_000, true],
  ] as const)
    test(`process stop of ${stoppedMs} ms is a freeze: ${isFreeze}`, () => {
      const { clock, noticed } = started();
      clock.stopFor(stoppedMs);
      assert.deepEqual([noticed(), noticed()], [isFreeze, false]);
      clock.advance(60_000);
      assert.equal(noticed(), false);
    });

  test("timer detects a freeze; the next call reports it once", () => {
    const { clock, noticed } = started();
    clock.stopFor(5_001);
    clock.advance(0);
    clock.advance(60_000);
    assert.deepEqual([noticed(), noticed()], [true, false]);
  });

  test("idle but running process does not count as a freeze", () => {
    const { clock, noticed } = started();
    clock.advance(3_600_000);
    assert.equal(noticed(), false);
  });

  test("detects a machine sleep by the wall clock", () => {
    const asleep = { ms: 0 };
    const { clock, noticed } = started(asleep);
    asleep.ms = 60_000;
    clock.advance(2_500);
    assert.deepEqual([noticed(), noticed()], [true, false]);
  });

  test("ignores a wall clock that is set back", () => {
    const asleep = { ms: 0 };
    const { clock, noticed } = started(asleep);
    asleep.ms = -60_000;
    clock.advance(10_000);
    assert.equal(noticed(), false);
  });

  test("a stopped detector schedules nothing", () => {
    const { clock, detector, noticed } = started();
    detector.stop();
    assert.equal(noticed(), false);
    detector.start();
    assert.equal(clock.scheduled, 0);
  });
});
