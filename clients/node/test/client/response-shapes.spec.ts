// These functions have no default case. They compile only if each response type has exactly the cases that they list.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConditionalResponse, HashHit, LookupResponse, Miss, SuccessResponse } from "../../src/index.js";
import { FakeServer } from "../../src/testing/fake.js";

function ofSuccess(response: SuccessResponse<{ readonly value: bigint }>): string {
  switch (response.result) {
    case "success":
      return `success ${response.value}`;
    case "error":
      return response.error.code;
  }
}

function ofLookup(response: LookupResponse<{ readonly remainingTtlMs: number }>): string {
  switch (response.result) {
    case "hit":
      return `hit ${response.remainingTtlMs}`;
    case "miss":
      return "miss";
    case "error":
      return response.error.code;
  }
}

function ofHash(response: LookupResponse<HashHit>): string {
  switch (response.result) {
    case "hit":
      return `${response.value} ${response.valueBytes.toString()} ${response.hash.length}`;
    case "miss":
      return "miss";
    case "error":
      return response.error.code;
  }
}

function ofTtl(response: ConditionalResponse<unknown, { readonly prefix?: Uint8Array }> | Miss): string {
  switch (response.result) {
    case "stored":
      return "stored";
    case "notStored":
      return `notStored ${response.prefix ?? ""}`;
    case "miss":
      return "miss";
    case "error":
      return response.error.code;
  }
}

test("responses have only the documented result names", async () => {
  const client = new FakeServer().client();
  const cache = client.cache("cache");
  await cache.set("key", "value", { ttlMs: 60_000 });

  assert.equal(ofSuccess(await cache.increment("counter", 2)), "success 2");
  assert.equal(ofSuccess(await cache.increment("")), "InvalidArgument");
  assert.match(ofLookup(await cache.itemGetTtl("key")), /^hit \d+$/);
  assert.equal(ofLookup(await cache.itemGetTtl("none")), "miss");
  const type = await cache.itemGetType("key");
  assert.deepEqual(type, { result: "hit", type: "scalar" });
  assert.equal((await cache.itemGetType("none")).result, "miss");
  assert.match(ofHash(await cache.getWithHash("key")), /^value value \d+$/);
  assert.equal(ofHash(await cache.getWithHash("none")), "miss");
  assert.equal(ofTtl(await cache.updateTtl("key", 50_000)), "stored");
  assert.equal(ofTtl(await cache.increaseTtl("key", 1)), "notStored ");
  assert.equal(ofTtl(await cache.decreaseTtl("none", 1)), "miss");
  assert.equal(ofTtl(await cache.updateTtlIfPrefix("key", "val")), "stored");
  assert.equal(ofTtl(await cache.updateTtlIfPrefix("key", "other")), "notStored value");
  assert.equal(ofTtl(await cache.updateTtlIfPrefix("none", "v")), "miss");
  assert.equal((await cache.setIfAbsent("key", "other")).result, "notStored");
  const set = await cache.setWithHash("key", "new");
  assert.ok(set.result === "stored" && set.hash.equals(hashOf(await cache.getWithHash("key"))));
  await client.close();
});

function hashOf(response: LookupResponse<HashHit>): Uint8Array {
  assert.equal(response.result, "hit");
  return (response as HashHit).hash;
}
