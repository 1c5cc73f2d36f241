import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Clock } from "../../src/calls/clock.js";
import { SilenceDetector } from "../../src/calls/silence-detector.js";
import { ManualClock } from "../../src/testing/manual-clock.js";

/** Returns a silence detector with a limit of 1 s, on a manual clock. */
function watched() {
  const clock = new ManualClock();
  const silence = new SilenceDetector();
  const told = { broken: 0 };
  const deadlinePassed = (lateMs = 0, on: Clock = clock) =>
    silence.deadlinePassed(clock.now() - lateMs, on, 1_000, () => told.broken++);
  return { clock, silence, told, deadlinePassed };
}

const afterReading = () => new Promise((resolve) => setImmediate(resolve));

describe("SilenceDetector", () => {
  for (const [lastsMs, broken] of [
    [999, 0],
    [1_000, 1],
    [1_001, 1],
    [10_000, 1],
  ] as const)
    test(`${lastsMs} ms of silence breaks the connection: ${broken === 1}`, () => {
      const { clock, silence, told, deadlinePassed } = watched();
      silence.begin(clock.now());
      clock.advance(lastsMs);
      deadlinePassed();
      assert.equal(told.broken, broken);
    });

  test("silent periods of several calls add up until data arrives", () => {
    const { clock, silence, told, deadlinePassed } = watched();
    const callsLate = (count: number) => {
      for (let i = 0; i < count; i++) {
        silence.begin(clock.now());
        clock.advance(200);
        deadlinePassed();
      }
    };
    callsLate(4);
    silence.received();
    callsLate(4);
    assert.equal(told.broken, 0);
    callsLate(1);
    assert.equal(told.broken, 1);
  });

  test("after data arrives, silence starts at the next missed deadline", () => {
    const { clock, silence, told, deadlinePassed } = watched();
    silence.begin(clock.now());
    clock.advance(900);
    silence.received();
    clock.advance(900);
    deadlinePassed();
    clock.advance(999);
    deadlinePassed();
    assert.equal(told.broken, 0);
    clock.advance(1);
    deadlinePassed();
    assert.equal(told.broken, 1);
  });

  for (const received of [true, false])
    test(`late deadline check reads pending data first, received: ${received}`, async () => {
      const { clock, silence, told, deadlinePassed } = watched();
      silence.begin(clock.now());
      clock.advance(5_000);
      deadlinePassed(100);
      assert.equal(told.broken, 0);
      if (received) silence.received();
      await afterReading();
      assert.equal(told.broken, received ? 0 : 1);
    });
});
