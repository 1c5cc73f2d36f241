import assert from "node:assert/strict";
import { test } from "node:test";
import { MetadataCache } from "../../src/transport/metadata-cache.js";

test("MetadataCache remembers at most 100 cache names", () => {
  const kept = new MetadataCache({ authorization: "token" });
  for (let i = 0; i < 1_000_000; i++) kept.for(`cache-${i}`);
  assert.equal(kept.size, 100);
  assert.deepEqual(kept.for("cache-1"), [
    ["authorization", "token"],
    ["cache", "cache-1"],
  ]);
  assert.equal(kept.for("cache-1"), kept.for("cache-1"));
  assert.deepEqual(kept.for(""), [["authorization", "token"]]);
});
