import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import { withSettings } from "../../src/configuration/configuration-check.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { NearCacheFilter } from "../../src/near/near-cache-filter.js";
import type { NearCacheSettings } from "../../src/near/near-settings.js";

function setting(nearCache: unknown, changes: object = {}): NearCacheSettings {
  const given = { nearCache: nearCache as NearCacheSettings, ...changes };
  return withSettings(Configurations.Laptop.v1(), given).nearCache as NearCacheSettings;
}

describe("nearCache setting", () => {
  test("CONFIG-2: accepts only values within the limits", () => {
    for (const maxBytes of [1_024, 68_719_476_736]) assert.deepEqual(setting({ maxBytes }), { maxBytes });
    for (const maxAgeMs of [1, 31_536_000_000])
      assert.deepEqual(setting({ maxBytes: 1_024, maxAgeMs }), { maxBytes: 1_024, maxAgeMs });
    for (const maxBytes of [1_023, 68_719_476_737, 1_024.5, Number.NaN, Number.POSITIVE_INFINITY])
      assert.throws(() => setting({ maxBytes }), /^RangeError: nearCache\.maxBytes /);
    for (const maxAgeMs of [0.9, 31_536_000_001, Number.NaN])
      assert.throws(() => setting({ maxBytes: 1_024, maxAgeMs }), /^RangeError: nearCache\.maxAgeMs /);
  });

  test("CONFIG-2: error names a setting of the wrong type", () => {
    for (const given of [null, undefined, 7, true, "on", [], () => {}])
      assert.throws(() => setting(given), /^TypeError: nearCache must be an object/);
    for (const maxBytes of [undefined, null, "1024", 1_024n])
      assert.throws(() => setting({ maxBytes }), /^TypeError: nearCache\.maxBytes /);
    assert.throws(() => setting({ maxBytes: 1_024, maxAgeMs: "1" }), /^TypeError: nearCache\.maxAgeMs /);
    for (const caches of ["cache", 7, null, new Set(["cache"]), [7]])
      assert.throws(() => setting({ maxBytes: 1_024, caches }), /^TypeError: nearCache\.caches /);
    for (const keyPrefixes of ["k", [7], [["k"]]])
      assert.throws(() => setting({ maxBytes: 1_024, keyPrefixes }), /^TypeError: nearCache\.keyPrefixes /);
  });

  test("rejects invalid or empty cache names and key prefixes", () => {
    for (const caches of [[], [""], ["ü"], Array(1_001).fill("cache")])
      assert.throws(() => setting({ maxBytes: 1_024, caches }), /^RangeError: nearCache\.caches/);
    for (const keyPrefixes of [[], [""], ["\ud800"], [new Uint8Array()]])
      assert.throws(() => setting({ maxBytes: 1_024, keyPrefixes }), /^RangeError: nearCache\.keyPrefixes/);
  });

  test("CONFIG-1: error names the unknown field", () => {
    assert.throws(() => setting({ maxBytes: 1_024, maxage: 1 }), /^TypeError: .*'maxage'/);
  });

  test("NEAR-29: near cache is rejected with the unary transport", () => {
    assert.throws(() => setting({ maxBytes: 1_024 }, { transport: "unary" }), /^RangeError: nearCache .*unary/);
    assert.ok(setting({ maxBytes: 1_024 }, { transport: "pipeline" }));
  });

  test("CONFIG-4: nearCache setting is copied and frozen", () => {
    const caches = ["cache"];
    const prefix = Buffer.from("user:");
    const given = { maxBytes: 1_024, caches, keyPrefixes: [prefix] };
    const made = setting(given);
    caches.push("other");
    prefix.fill(0);
    given.maxBytes = 5;
    assert.deepEqual(made, { maxBytes: 1_024, caches: ["cache"], keyPrefixes: [Buffer.from("user:")] });
    for (const part of [made, made.caches, made.keyPrefixes]) assert.ok(Object.isFrozen(part));
  });
});

describe("NearCacheFilter", () => {
  test("NEAR-29: filter without cache names includes every key", () => {
    assert.ok(new NearCacheFilter({ maxBytes: 1_024 }).includes("any", "key"));
  });

  test("NEAR-29: filter matches cache names and key prefixes", () => {
    const names = new NearCacheFilter({ maxBytes: 1_024, caches: ["c"], keyPrefixes: ["user:", Buffer.from([0xc3])] });
    assert.ok(names.includes("c", "user:7"));
    assert.ok(names.includes("c", "user:"));
    assert.ok(names.includes("c", Buffer.from("user:8")));
    assert.ok(names.includes("c", "ü"), "a prefix may end within a character");
    assert.ok(names.includes("c", new Uint8Array([0xc3, 0xff])));
    for (const key of ["user", "session:7", " user:7", "x"]) assert.ok(!names.includes("c", key), key);
    assert.ok(!names.includes("d", "user:7"));
  });
});
