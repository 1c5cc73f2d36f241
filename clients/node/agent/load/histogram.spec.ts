import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { Histogram, indexOf, largestIn } from "./histogram.js";
import { seededRandom, Workload } from "./workload.js";

describe("Histogram", () => {
  test("maps the AGENT.md example values to their indexes", () => {
    assert.deepEqual([2_047, 2_048, 1_000_000, 4_398_046_511_103].map(indexOf), [2_047, 2_048, 11_169, 33_791]);
    assert.deepEqual([2_048, 11_169].map(largestIn), [2_049, 1_000_447]);
  });

  test("bucket bounds exceed values by at most 1/1,024", () => {
    fc.assert(
      fc.property(
        fc.maxSafeNat().map((value) => value % 2 ** 42),
        (value) => {
          const stands = largestIn(indexOf(value));
          assert.ok(stands >= value && stands - value <= value / 1_024);
          assert.equal(indexOf(stands), indexOf(value));
        },
      ),
    );
  });

  test("quantiles are less than 1 µs above the exact values", () => {
    const histogram = new Histogram();
    for (let us = 1; us <= 1_000; us++) histogram.record(us * 1_000);
    const [half, most] = histogram.quantilesUs([0.5, 1]);
    assert.ok(half! >= 500 && half! < 501);
    assert.ok(most! >= 1_000 && most! < 1_001);
  });
});

describe("Histogram.cellsSince", () => {
  test("returns only counts recorded since the previous call", () => {
    const histogram = new Histogram();
    const before = histogram.copyCounts();
    for (const ns of [900, 1_000, 2_000_000]) histogram.record(ns);
    assert.deepEqual(histogram.cellsSince(before), [
      [0, 2],
      [43, 1],
    ]);
    histogram.record(2_001_000);
    assert.deepEqual(histogram.cellsSince(before), [[43, 1]]);
  });
});

describe("Workload", () => {
  test("builds keys and values as AGENT.md specifies", () => {
    const workload = new Workload({ valueBytes: 20, keys: 43 });
    const { key, value } = [...workload.everyKey()][42]!;
    assert.equal(key, "larder-000000042");
    assert.equal(value.length, 20);
    assert.ok(workload.belongs(key, value));
    assert.ok(!workload.belongs("larder-000000041", value));
  });

  test("Zipf workload draws the first key most often", () => {
    const workload = new Workload({ zipf: 1 });
    const random = seededRandom(7);
    let first = 0;
    for (let i = 0; i < 100_000; i++) if (workload.next(random).key === "larder-000000000") first++;
    assert.ok(first > 12_500 && first < 14_200, `${first} draws`);
  });
});
