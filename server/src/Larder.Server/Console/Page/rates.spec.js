// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { ceilingOf } from "./chart.js";
import { bytes, duration, percent, rate, time } from "./format.js";
import { between, busyFirst, quantile, together } from "./rates.js";

test("between returns the counts added between two readings", () => {
  assert.deepEqual(
    between(
      [[10, 5]],
      [
        [10, 7],
        [20, 1],
      ],
    ),
    [
      [10, 2],
      [20, 1],
    ],
  );
  assert.deepEqual(between([[10, 5]], [[10, 5]]), []);
});

test("quantile returns its bucket's upper bound, or null if empty", () => {
  /** @type {import("./answers").Bucket[]} */
  const buckets = [
    [10, 98],
    [20, 1],
    [30, 1],
  ];
  assert.deepEqual(
    [0.5, 0.98, 0.99, 1].map((share) => quantile(buckets, share)),
    [10, 10, 20, 30],
  );
  assert.equal(quantile([], 0.5), null);
});

test("together adds bucket lists in ascending order", () => {
  assert.deepEqual(
    together([
      [[20, 1]],
      [
        [10, 2],
        [20, 3],
      ],
    ]),
    [
      [10, 2],
      [20, 4],
    ],
  );
});

test("ceilingOf rounds up to the next 1-2-5 step", () => {
  assert.deepEqual([0, 0.3, 1, 1.1, 4_000, 5_001].map(ceilingOf), [1, 0.5, 1, 2, 5_000, 10_000]);
});

test("formatters print numbers with their units", () => {
  assert.deepEqual(
    [bytes(0), bytes(1023), bytes(1 << 20), time(3.21), time(45_000), time(2.5e6), percent(0.913), rate(12.34), rate(1234.5), duration(3), duration(90_061)],
    ["0 B", "1,023 B", "1 MiB", "3.21 µs", "45 ms", "2.5 s", "91.3 %", "12.3", "1,235", "3 s", "1 d 1 h"],
  );
});

test("busyFirst sorts busy RPCs first, then by total calls", () => {
  const rows = [
    { name: "idle once", perSecond: 0, total: 1 },
    { name: "idle often", perSecond: 0, total: 1_000_000 },
    { name: "busy new", perSecond: 0.1, total: 2 },
    { name: "busy old", perSecond: 5, total: 500 },
  ];
  assert.deepEqual(
    busyFirst(rows).map(({ name }) => name),
    ["busy old", "busy new", "idle often", "idle once"],
  );
});
