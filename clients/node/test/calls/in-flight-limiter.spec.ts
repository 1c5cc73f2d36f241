import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { InFlightLimiter, type Waiter } from "../../src/calls/in-flight-limiter.js";

class TestWaiter implements Waiter {
  waitingBefore: Waiter | null = null;
  waitingAfter: Waiter | null = null;
  admissions = 0;
  constructor(
    readonly number: number,
    readonly onAdmitted: (waiter: TestWaiter) => void,
  ) {}
  admitted(): void {
    this.admissions++;
    this.onAdmitted(this);
  }
}

describe("InFlightLimiter", () => {
  test("grants permits up to the limit, then queues callers", () => {
    const limiter = new InFlightLimiter(2, 10);
    assert.deepEqual([limiter.tryAcquire(), limiter.tryAcquire(), limiter.tryAcquire()], [true, true, false]);
    const waiter = new TestWaiter(0, () => {});
    assert.equal(limiter.enqueue(waiter), true);
    limiter.release();
    assert.equal(waiter.admissions, 1);
    assert.equal(limiter.inFlight, 2);
    limiter.assertValid();
  });

  test("rejects callers when the queue is full", () => {
    const limiter = new InFlightLimiter(1, 2);
    limiter.tryAcquire();
    const enqueued = [0, 1, 2].map((number) => limiter.enqueue(new TestWaiter(number, () => {})));
    assert.deepEqual(enqueued, [true, true, false]);
    assert.equal(limiter.queued, 2);
    limiter.assertValid();
  });

  test("queue limit of 0 rejects callers without a free permit", () => {
    const limiter = new InFlightLimiter(1, 0);
    assert.equal(limiter.tryAcquire(), true);
    assert.equal(limiter.enqueue(new TestWaiter(0, () => {})), false);
  });

  test("admits 20,000 waiters without recursion", () => {
    const limiter = new InFlightLimiter(1, 20_000);
    limiter.tryAcquire();
    let served = 0;
    for (let i = 0; i < 20_000; i++)
      limiter.enqueue(
        new TestWaiter(i, () => {
          served++;
          limiter.release();
        }),
      );
    limiter.release();
    assert.equal(served, 20_000);
    assert.equal(limiter.inFlight, 0);
    limiter.assertValid();
  });

  test("raising the limit admits waiters; lowering keeps granted permits", () => {
    const limiter = new InFlightLimiter(1, 10);
    limiter.tryAcquire();
    const waiters = [0, 1, 2].map((number) => new TestWaiter(number, () => {}));
    for (const waiter of waiters) limiter.enqueue(waiter);
    limiter.limit = 3;
    assert.deepEqual(
      waiters.map(({ admissions }) => admissions),
      [1, 1, 0],
    );
    limiter.limit = 1;
    assert.equal(limiter.inFlight, 3);
    limiter.release();
    assert.equal(waiters[2]!.admissions, 0);
    limiter.assertValid();
  });

  test("keeps the limit and FIFO order for random operations", () => {
    const steps = fc.array(fc.record({ kind: fc.constantFrom("call", "release", "leave"), pick: fc.nat() }));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 0, max: 6 }), steps, (limit, bound, actions) => {
        const limiter = new InFlightLimiter(limit, bound);
        const waiting: TestWaiter[] = [];
        let out = 0;
        let made = 0;
        for (const { kind, pick } of actions) {
          if (kind === "call") {
            const waiter = new TestWaiter(made++, (admitted) => {
              assert.equal(waiting.shift(), admitted);
              out++;
            });
            if (limiter.tryAcquire()) out++;
            else if (limiter.enqueue(waiter)) waiting.push(waiter);
            else assert.equal(waiting.length, bound);
          } else if (kind === "release" && out > 0) {
            out--;
            limiter.release();
          } else if (kind === "leave" && waiting.length > 0) {
            const [left] = waiting.splice(pick % waiting.length, 1);
            limiter.leave(left!);
          }
          limiter.assertValid();
          assert.equal(limiter.inFlight, out);
          assert.equal(limiter.queued, waiting.length);
          assert.ok(out <= limit);
        }
      }),
    );
  });
});
