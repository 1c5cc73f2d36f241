import assert from "node:assert/strict";
import { test } from "node:test";
import { Trace } from "./trace.js";
import { seededRandom, Workload } from "./workload.js";

const lines = ["time,op,key,size,ttlMs", "10.0,set,a,20,500", "10.5,get,a,20,", "12.0,set,b,3"];

test("trace replays its calls in order and then repeats", () => {
  const trace = new Trace(lines, 1_000);
  const calls = Array.from({ length: 4 }, () => trace.next());
  assert.deepEqual(
    calls.map((call) => `${call.isRead ? "get" : "set"} ${call.key} ${call.ttlMs}`),
    ["set a 500", "get a 1000", "set b 1000", "set a 500"],
  );
  assert.equal(calls[2]!.value, "bvv");
  assert.equal(trace.first.length, 2);
});

test("trace scales the gaps between calls to the rate", () => {
  // The three calls span 2 s. The gap from the last call back to the first is the average gap of 1 s, so the period is
  // 3 s. At 30 calls a second the period is scaled to 0.1 s.
  const trace = new Trace(lines, 1_000);
  const dues = Array.from({ length: 5 }, (_, i) => Math.round(trace.dueMs(i, 30) * 1_000));
  assert.deepEqual(dues, [0, 16_667, 66_667, 100_000, 116_667]);
});

test("trace rejects an invalid line and gives its number", () => {
  for (const line of ["1,get,a", "1,delete,a,5", "1,get,,5", "1,get,a,-5", "0.5,get,a,5", "1,set,a,5,0"])
    assert.throws(() => new Trace(["0.9,get,a,5", line], 1), /line 2/);
});

test("value size depends on key and follows the size mix", () => {
  const workload = new Workload({ name: "production", readRatio: 0, zipf: 0, keys: 5 });
  const sizes = [...workload.everyKey()].map((step) => step.value.length);
  assert.deepEqual(sizes, [300, 100, 1_000, 200, 50]);
  const random = seededRandom(1);
  for (let i = 0; i < 20; i++) {
    const { key, value } = workload.next(random);
    assert.equal(value.length, sizes[Number(key.slice(-9))]);
  }
});

test("TTL mix assigns TTLs to keys by weight", () => {
  const workload = new Workload({
    keys: 1_000,
    ttlMsMix: [
      [1_000, 3],
      [60_000, 1],
    ],
  });
  const brief = [...workload.everyKey()].filter((step) => step.ttlMs === 1_000).length;
  assert.ok(brief > 740 && brief < 760);
});
