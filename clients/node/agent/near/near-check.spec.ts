// Tests of the consistency violations that a near run detects without the records of other processes.
// lab/tests/Larder.Lab.Tests/Near and clients/python/tests run the same cases.
import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { NearCheck } from "./near-check.js";
import { NearRecords } from "./near-records.js";
import { nearValue, versionOf } from "./near-value.js";
import { NearWrites } from "./near-writes.js";

const key = 3;

test("read older than a completed read is a violation", () => {
  const check = new NearCheck(10, 16);
  check.found(key, check.floor(key), 5);
  check.found(key, check.floor(key), 4);
  assert.equal(check.violations, 1);
  assert.deepEqual(check.told, ["key 3: a read returned version 4 after version 5 was acknowledged"]);
});

test("read older than the client's own write is a violation", () => {
  const check = new NearCheck(10, 16);
  check.finished(key, 7);
  check.found(key, check.floor(key), 6);
  assert.equal(check.violations, 1);
});

test("overlapping reads may return versions in either order", () => {
  const check = new NearCheck(10, 16);
  const [first, second] = [check.floor(key), check.floor(key)];
  check.found(key, first, 5);
  check.found(key, second, 4);
  assert.equal(check.violations, 0);
  check.found(key, check.floor(key), 4);
  assert.equal(check.violations, 1);
});

test("miss is attributed to the oldest possible delete", () => {
  const check = new NearCheck(10, 16);
  assert.equal(check.missed(key, check.floor(key), null), 0);
  check.finished(key, 3);
  assert.equal(check.missed(key, check.floor(key), null), 16);
  assert.equal(check.missed(key, check.floor(key), null), 16);
  assert.equal(check.violations, 0);
  check.found(key, check.floor(key), 4);
  assert.equal(check.violations, 1);
});

test("miss without a matching own delete is a violation", () => {
  const check = new NearCheck(10, 16);
  check.finished(key, 15);
  assert.equal(check.missed(key, check.floor(key), 16), 16);
  assert.equal(check.violations, 0);
  check.finished(key, 17);
  check.missed(key, check.floor(key), 31);
  assert.equal(check.violations, 1);
});

test("miss of a written key is a violation without deletes", () => {
  const check = new NearCheck(10, 0);
  assert.equal(check.missed(key, 0, null), 0);
  assert.equal(check.missed(key, 1, null), -1);
  assert.equal(check.violations, 1);
});

test("data loss permits misses but not stale hits", () => {
  const check = new NearCheck(10, 16);
  check.finished(key, 5);
  check.isLost = true;
  assert.equal(check.missed(key, check.floor(key), 5), -1);
  assert.equal(check.violations, 0);
  check.found(key, check.floor(key), 4);
  assert.equal(check.violations, 1);
});

test("counts all violations but reports only the first five", () => {
  const check = new NearCheck(10, 16);
  check.finished(key, 9);
  for (let i = 0; i < 7; i++) check.found(key, check.floor(key), 1);
  assert.equal(check.violations, 7);
  assert.equal(check.told.length, 5);
});

test("NearWrites allows one write per key at a time", () => {
  const writes = new NearWrites(10, 1_000);
  assert.equal(writes.tryBegin(key, 1), 1);
  assert.equal(writes.tryBegin(key, 2), 0);
  assert.equal(writes.tryBegin(key + 1, 2), 1);
  writes.finished(key);
  assert.equal(writes.tryBegin(key, 3), 2);
  assert.equal(writes.issued(key), 2);
});

test("write with unknown outcome blocks its key for settleMs", () => {
  const writes = new NearWrites(10, 1_000);
  writes.tryBegin(key, 1);
  writes.unknown(key, 10);
  assert.equal(writes.unsettled(), 1);
  assert.equal(writes.tryBegin(key, 1_010), 0);
  assert.equal(writes.tryBegin(key, 1_011), 2);
  assert.equal(writes.unsettled(), 0);
});

test("reading a write of unknown outcome unblocks its key", () => {
  const writes = new NearWrites(10, 1_000);
  writes.tryBegin(key, 1);
  writes.finished(key);
  writes.tryBegin(key, 2);
  writes.unknown(key, 10);
  writes.seen(key, 1);
  assert.equal(writes.tryBegin(key, 11), 0);
  writes.seen(key, 2);
  assert.equal(writes.tryBegin(key, 11), 3);
  writes.seen(key, 3);
  assert.equal(writes.tryBegin(key, 12), 0);
});

test("versionOf reads the version only for the right key", () => {
  for (const bytes of [12, 100]) {
    const value = nearValue(7, 300, bytes);
    assert.equal(value.length, bytes);
    assert.equal(versionOf(value, 7), 300);
    assert.equal(versionOf(value, 8), 0);
    assert.equal(versionOf(value.subarray(0, bytes - 1), 7), 0);
    assert.equal(value.toString("hex", 0, 8), "070000002c010000");
  }
});

test("NearRecords merges reads of one version into one line", () => {
  const path = join(tmpdir(), `near-records-${process.pid}.csv`);
  const records = new NearRecords(path);
  records.wrote(1, 1, 100n);
  records.read(1, 1, 110n, 120n);
  records.read(1, 1, 130n, 140n);
  records.read(1, 1, 125n, 150n);
  records.unknown(1, 2, 155n);
  records.read(1, 2, 160n, 170n);
  records.missed(1, 16);
  records.missed(1, 16);
  records.close();
  assert.deepEqual(readFileSync(path, "utf8").trim().split("\n"), [
    "w,1,1,100",
    "u,1,2,155",
    "r,1,1,120,130",
    "m,1,16",
    "r,1,2,170,160",
  ]);
  rmSync(path);
});
