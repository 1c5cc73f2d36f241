import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CollectionTtl, checkWireTtl, unchangedTtl } from "../../src/collections/collection-ttl.js";

describe("CollectionTtl", () => {
  test("uses the client TTL and refreshes it on updates", () => {
    const { ttlMs, refreshTtl } = CollectionTtl.fromCacheTtl();
    assert.deepEqual({ ttlMs, refreshTtl }, { ttlMs: null, refreshTtl: true });
    const own = CollectionTtl.of(1_500.2);
    assert.deepEqual([own.ttlMs, own.refreshTtl], [1_501, true]);
    const kept = own.withNoRefreshTtlOnUpdates();
    assert.deepEqual([kept.ttlMs, kept.refreshTtl], [1_501, false]);
    assert.deepEqual(kept.withRefreshTtlOnUpdates(), own);
    assert.equal(own.refreshTtl, true);
  });

  test("rejects changes to its properties", () => {
    assert.throws(() => Object.assign(CollectionTtl.of(1), { ttlMs: 2 }), TypeError);
    assert.throws(() => Object.assign(CollectionTtl.fromCacheTtl(), { ttlMs: 2 }), TypeError);
  });

  test("CollectionTtl.of throws a TypeError for non-numbers", () => {
    for (const wrong of ["5", null, undefined, 5n, {}])
      assert.throws(() => CollectionTtl.of(wrong as number), TypeError);
  });

  test("checkWireTtl rejects out-of-range TTLs but accepts unchangedTtl", () => {
    assert.equal(checkWireTtl(unchangedTtl), null);
    for (const ttlMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 31_536_000_001])
      assert.equal(checkWireTtl({ ttlMs, refreshes: false })?.error.code, "InvalidArgument");
    for (const ttlMs of [1, 31_536_000_000]) assert.equal(checkWireTtl({ ttlMs, refreshes: true }), null);
  });
});
