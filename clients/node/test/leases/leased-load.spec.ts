import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { BackgroundLoads } from "../../src/leases/background-loads.js";
import type { LeaseCalls } from "../../src/leases/lease-calls.js";
import { leaseSettingsOf } from "../../src/leases/lease-settings.js";
import { LeasedLoad } from "../../src/leases/leased-load.js";
import type { LeaseResponse } from "../../src/operations/lease-operations.js";
import { CacheWarnings } from "../../src/telemetry/cache-warnings.js";
import { ClientLog } from "../../src/telemetry/client-log.js";
import { ManualClock } from "../../src/testing/manual-clock.js";

const token = Buffer.from("a lease's token");

describe("LeasedLoad while another process loads", () => {
  const elsewhere: LeaseResponse = { result: "elsewhere" };

  function bench(answers: (asked: number) => LeaseResponse, random: () => number) {
    const clock = new ManualClock();
    let asked = 0;
    const released: Buffer[] = [];
    const calls = {
      cacheName: "cache",
      ask: () => Promise.resolve(answers(asked++)),
      store: () => Promise.resolve(null),
      release: async (given: Buffer) => void released.push(given),
    } as unknown as LeaseCalls;
    const settings = leaseSettingsOf({ leaseMs: 1_000 }, 1_000)!;
    const make = () =>
      Promise.resolve({ bytes: Buffer.from("made"), ttlMs: null, tags: [], validator: "", isStored: true });
    const load = new LeasedLoad({
      calls,
      load: make,
      isDecodable: () => true,
      settings,
      ttlMs: 1_000,
      clock,
      random,
      background: new BackgroundLoads(),
      warnings: new CacheWarnings(new ClientLog(null)),
      offer: () => {},
    });
    return { clock, load, released, asked: () => asked };
  }

  test("GOC-1: polls with doubling delays of 10 to 100 ms", async () => {
    for (const [drawn, factor] of [
      [0.5, 1],
      [0, 0.75],
      [1, 1.25],
    ] as const) {
      const { clock, load, asked } = bench(
        (already) => (already < 6 ? elsewhere : { result: "hit", value: Buffer.from("theirs") }),
        () => drawn,
      );
      const loading = load.run(undefined);
      const pausesMs: number[] = [];
      while (asked() < 7) {
        while (clock.nextDueAt === null) await setImmediate();
        pausesMs.push((clock.nextDueAt - clock.now()) / factor);
        clock.advance(clock.nextDueAt - clock.now());
        await setImmediate();
      }
      assert.deepEqual(pausesMs.map(Math.round), [10, 20, 40, 80, 100, 100]);
      assert.equal(String(await loading), "theirs");
      assert.equal(clock.scheduled, 0);
    }
  });

  test("abort during a polling delay leaves no timer", async () => {
    const { clock, load, asked } = bench(
      () => elsewhere,
      () => 0.5,
    );
    const controller = new AbortController();
    const loading = assert.rejects(load.run(controller.signal), /enough/);
    while (clock.scheduled === 0) await setImmediate();
    controller.abort(new Error("enough"));
    await loading;
    assert.equal(clock.scheduled, 0);
    assert.equal(asked(), 1);
  });

  test("GOC-3: lease received after the abort is released", async () => {
    for (const answer of [
      { result: "lease", token },
      { result: "stale", value: Buffer.from("old"), expiredMs: 1, token, validator: Buffer.alloc(0) },
    ] as const) {
      const controller = new AbortController();
      const { load, released } = bench(
        () => {
          controller.abort(new Error("enough"));
          return answer;
        },
        () => 0.5,
      );
      await assert.rejects(load.run(controller.signal), /enough/);
      assert.deepEqual(released, [token]);
    }
  });
});
