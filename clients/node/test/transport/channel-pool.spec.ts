import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { ManualClock } from "../../src/testing/manual-clock.js";
import { ChannelPool } from "../../src/transport/channel-pool.js";

function pool(count: number) {
  const clock = new ManualClock();
  const setAside: number[] = [];
  const channels = new ChannelPool(
    count,
    (index) => index,
    clock,
    (channel) => setAside.push(channel),
  );
  return { clock, setAside, channels };
}

describe("ChannelPool", () => {
  test("calls use the least loaded channel", () => {
    const { channels } = pool(3);
    const chosen = [0, 1, 2, 3, 4, 5].map(() => channels.acquire()!);
    assert.deepEqual(
      channels.channels.map(({ inFlight }) => inFlight),
      [2, 2, 2],
    );
    channels.release(chosen[1]!, true);
    assert.equal(channels.acquire()!.channel, chosen[1]!.channel);
  });

  test("channel accepts at most 100 calls", () => {
    const { channels } = pool(2);
    for (let i = 0; i < 200; i++) assert.notEqual(channels.acquire(), null);
    assert.equal(channels.acquire(), null);
    channels.assertValid();
  });

  test("abandoned call does not count against its channel", () => {
    const { channels, setAside } = pool(2);
    for (let i = 0; i < 2; i++) channels.release(channels.acquire()!, false);
    for (let i = 0; i < 5; i++) channels.leave(channels.acquire()!);
    assert.deepEqual(setAside, []);
    channels.release(channels.acquire()!, false);
    assert.equal(setAside.length, 1);
    channels.assertValid();
  });

  test("unresponsive channel is skipped for five seconds", () => {
    const { channels, clock, setAside } = pool(2);
    const stalled = channels.channels[0]!;
    for (let i = 0; i < 3; i++) {
      stalled.inFlight++;
      channels.release(stalled, false);
    }
    assert.deepEqual(setAside, [0]);
    const during = [0, 1, 2].map(() => channels.acquire()!.channel);
    assert.deepEqual(during, [1, 1, 1]);
    clock.advance(5_000);
    assert.equal(channels.acquire()!.channel, 0);
  });

  test("response resets the channel's failure count", () => {
    const { channels, setAside } = pool(2);
    const channel = channels.channels[0]!;
    for (const answered of [false, false, true, false, false]) {
      channel.inFlight++;
      channels.release(channel, answered);
    }
    assert.deepEqual(setAside, []);
  });

  test("calls are sent even if all channels are skipped", () => {
    const { channels } = pool(2);
    for (const channel of channels.channels) channel.setAsideUntil = 1_000;
    assert.notEqual(channels.acquire(), null);
  });

  test("channel limit and counts stay correct after random operations", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ takes: fc.boolean(), answered: fc.boolean() })), (steps) => {
        const { channels } = pool(3);
        const out = [];
        for (const { takes, answered } of steps) {
          if (takes) out.push(channels.acquire()!);
          else if (out.length > 0) channels.release(out.shift()!, answered);
          channels.assertValid();
        }
        assert.equal(
          channels.channels.reduce((sum, { inFlight }) => sum + inFlight, 0),
          out.length,
        );
      }),
    );
  });
});
