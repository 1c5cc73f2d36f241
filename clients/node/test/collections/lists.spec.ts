import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { CollectionTtl } from "../../src/collections/collection-ttl.js";
import type { ListFetchOptions } from "../../src/operations/_generated/collection-options.js";
import { hoursLeft, onServer, refusesOtherTypes } from "../support/collections.js";

onServer("lists", (cache) => {
  async function values(name: string, options?: ListFetchOptions): Promise<readonly string[]> {
    const response = await cache().listFetch(name, options);
    return response.result === "hit" ? response.values : [response.result];
  }

  test("pushes, concatenates and pops elements at both ends", async () => {
    assert.deepEqual(await cache().listPushBack("l", "c"), { result: "success", length: 1 });
    assert.deepEqual(await cache().listPushFront("l", ""), { result: "success", length: 2 });
    assert.deepEqual(await cache().listConcatenateFront("l", ["a", "b"]), { result: "success", length: 4 });
    assert.deepEqual(await cache().listConcatenateBack("l", ["d", Buffer.from("e")]), { result: "success", length: 6 });
    assert.deepEqual(await values("l"), ["a", "b", "", "c", "d", "e"]);
    const front = await cache().listPopFront("l");
    const back = await cache().listPopBack("l");
    assert.ok(front.result === "hit" && back.result === "hit");
    assert.deepEqual([front.value, front.length, back.value, back.length], ["a", 5, "e", 4]);
    assert.deepEqual(await cache().listLength("l"), { result: "hit", length: 4 });
  });

  test("push with truncation removes elements from the opposite end", async () => {
    await cache().listConcatenateBack("cut", ["a", "b", "c"]);
    assert.deepEqual(await cache().listPushBack("cut", "d", { truncateFrontToSize: 2 }), {
      result: "success",
      length: 2,
    });
    assert.deepEqual(await values("cut"), ["c", "d"]);
    await cache().listConcatenateFront("cut", ["a", "b"], { truncateBackToSize: 3 });
    assert.deepEqual(await values("cut"), ["a", "b", "c"]);
  });

  test("slices lists with 32-bit bounds; empty slices are misses", async () => {
    await cache().listConcatenateBack("slice", ["a", "b", "c", "d"]);
    assert.deepEqual(await values("slice", { start: 1, end: -1 }), ["b", "c"]);
    assert.deepEqual(await values("slice", { start: -(2 ** 31), end: 2 ** 31 - 1 }), ["a", "b", "c", "d"]);
    assert.deepEqual(await values("slice", { start: 0, end: 0 }), ["miss"]);
    assert.deepEqual(await cache().listRetain("slice", { start: 1 }), { result: "hit", length: 3 });
    assert.deepEqual(
      await cache().listErase("slice", [
        [0, 1],
        [2, 2 ** 32 - 1],
      ]),
      { result: "hit", length: 1 },
    );
    assert.deepEqual(await values("slice"), ["c"]);
    assert.deepEqual(await cache().listRemove("slice", "none"), { result: "hit", length: 1 });
    assert.deepEqual(await cache().listRemove("slice", "c"), { result: "hit", length: 0 });
  });

  test("calls on a missing list return a miss", async () => {
    for (const read of [
      cache().listFetch("none"),
      cache().listRetain("none"),
      cache().listErase("none", [[0, 1]]),
      cache().listRemove("none", "a"),
      cache().listPopFront("none"),
      cache().listPopBack("none"),
      cache().listLength("none"),
    ])
      assert.equal((await read).result, "miss");
  });

  test("writes refresh the TTL; listRetain needs an explicit TTL", async () => {
    const kept = CollectionTtl.of(7_200_000).withNoRefreshTtlOnUpdates();
    await cache().listPushBack("t", "a", { ttl: kept });
    assert.equal(await hoursLeft(cache(), "t"), 2);
    await cache().listPushFront("t", "b", { ttl: CollectionTtl.of(10_800_000).withNoRefreshTtlOnUpdates() });
    await cache().listRetain("t", { start: 0 });
    assert.equal(await hoursLeft(cache(), "t"), 2);
    await cache().listConcatenateBack("t", ["c"], { ttlMs: 10_800_000 });
    assert.equal(await hoursLeft(cache(), "t"), 3);
    await cache().listRetain("t", { ttlMs: 14_400_000 });
    assert.equal(await hoursLeft(cache(), "t"), 4);
    await cache().listConcatenateFront("t", ["d"]);
    assert.equal(await hoursLeft(cache(), "t"), 1);
  });

  refusesOtherTypes(cache, (on, name) => [
    on.listPushFront(name, "a"),
    on.listPushBack(name, "a"),
    on.listConcatenateFront(name, ["a"]),
    on.listConcatenateBack(name, ["a"]),
    on.listPopFront(name),
    on.listPopBack(name),
    on.listFetch(name),
    on.listRetain(name),
    on.listRemove(name, "a"),
    on.listErase(name, [[0, 1]]),
    on.listLength(name),
  ]);
});
