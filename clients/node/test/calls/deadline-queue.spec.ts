import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { DeadlineQueue, type Expiring } from "../../src/calls/deadline-queue.js";
import { ManualClock } from "../../src/testing/manual-clock.js";

class Member implements Expiring {
  expiresBefore: Expiring | null = null;
  expiresAfter: Expiring | null = null;
  expiredAt: number | null = null;
  constructor(
    readonly clock: ManualClock,
    readonly timeoutMs: number,
    public deadlineAt = clock.now() + timeoutMs,
  ) {}
  expired(): void {
    assert.equal(this.expiredAt, null, "a member expires once");
    this.expiredAt = this.clock.now();
  }
}

describe("DeadlineQueue", () => {
  test("entry expires exactly at its deadline", () => {
    const clock = new ManualClock();
    const queue = new DeadlineQueue(clock);
    const member = new Member(clock, 100);
    queue.add(member, 100);
    clock.advance(99.9);
    assert.equal(member.expiredAt, null);
    clock.advance(0.1);
    assert.equal(member.expiredAt, 100);
  });

  test("entries with the same timeout share one timer", () => {
    const clock = new ManualClock();
    const queue = new DeadlineQueue(clock);
    for (let i = 0; i < 1_000; i++) queue.add(new Member(clock, 100), 100);
    assert.equal(clock.scheduled, 1);
  });

  test("no timer remains for an empty list", () => {
    const clock = new ManualClock();
    const queue = new DeadlineQueue(clock);
    const member = new Member(clock, 100);
    queue.add(member, 100);
    queue.remove(member, 100);
    clock.advance(100);
    assert.equal(member.expiredAt, null);
    assert.equal(clock.scheduled, 0);
  });

  test("uses at most 64 lists and timers for any timeouts", () => {
    const clock = new ManualClock();
    const queue = new DeadlineQueue(clock);
    for (let i = 0; i < 1_000_000; i++) {
      const member = new Member(clock, 60_000 + i);
      queue.add(member, member.timeoutMs);
      queue.remove(member, member.timeoutMs);
    }
    assert.ok(queue.lists <= 64, `${queue.lists} lists`);
    assert.ok(clock.scheduled <= 64, `${clock.scheduled} timers`);
  });

  test("callback may remove and add entries while entries expire", () => {
    const clock = new ManualClock();
    const queue = new DeadlineQueue(clock);
    for (let i = 0; i < 70; i++) queue.add(new Member(clock, 1_000 + i), 1_000 + i);
    const second = new Member(clock, 10);
    const later = new Member(clock, 10, 20);
    const first = new Member(clock, 10);
    first.expired = () => {
      queue.remove(second, 10);
      queue.add(later, 10);
    };
    queue.add(first, 10);
    queue.add(second, 10);
    clock.advance(10);
    clock.advance(10);
    assert.deepEqual([second.expiredAt, later.expiredAt, queue.size], [null, 20, 70]);
  });

  test("close returns the remaining entries, which never expire", () => {
    const clock = new ManualClock();
    const queue = new DeadlineQueue(clock);
    const members = [new Member(clock, 100), new Member(clock, 50)];
    for (const member of members) queue.add(member, member.timeoutMs);
    assert.deepEqual(new Set(queue.close()), new Set(members));
    clock.advance(1_000);
    assert.ok(members.every(({ expiredAt }) => expiredAt === null));
  });

  test("entries expire at their deadlines in random operation sequences", () => {
    const step = fc.record({ timeoutMs: fc.constantFrom(10, 50, 300), passMs: fc.nat(40), removed: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const clock = new ManualClock();
        const queue = new DeadlineQueue(clock);
        const kept: Member[] = [];
        for (const { timeoutMs, passMs, removed } of steps) {
          const member = new Member(clock, timeoutMs);
          queue.add(member, timeoutMs);
          if (removed) queue.remove(member, timeoutMs);
          else kept.push(member);
          clock.advance(passMs);
        }
        clock.advance(1_000);
        for (const member of kept) assert.equal(member.expiredAt, member.deadlineAt);
        assert.equal(clock.scheduled, 0);
      }),
    );
  });
});
