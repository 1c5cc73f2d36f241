import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { CollectionTtl } from "../../src/collections/collection-ttl.js";
import { codeOf, hoursLeft, onServer, refusesOtherTypes } from "../support/collections.js";

const twoHours = CollectionTtl.of(7_200_000);

onServer("dictionaries", (cache) => {
  test("stores, reads, counts and removes fields", async () => {
    const bytes = Buffer.from([0xff, 0]);
    assert.equal(
      (
        await cache().dictionarySet("d", [
          ["a", "1"],
          [bytes, ""],
          ["a", "2"],
        ])
      ).result,
      "success",
    );
    const got = await cache().dictionaryGet("d", ["a", "none", bytes, "a"]);
    assert.ok(got.result === "hit");
    assert.deepEqual(got.values, ["2", null, "", "2"]);
    const all = await cache().dictionaryFetch("d");
    assert.ok(all.result === "hit");
    assert.deepEqual(
      new Map(all.itemsBytes.map(([field, value]) => [field.toString("hex"), value.toString()])),
      new Map([
        ["61", "2"],
        ["ff00", ""],
      ]),
    );
    assert.deepEqual(await cache().dictionaryLength("d"), { result: "hit", length: 2 });
    assert.equal((await cache().dictionaryRemove("d", [bytes, "none"])).result, "success");
    assert.deepEqual(await cache().dictionaryLength("d"), { result: "hit", length: 1 });
    assert.equal((await cache().dictionaryDelete("d")).result, "success");
    for (const read of [cache().dictionaryGet("d", ["a"]), cache().dictionaryFetch("d"), cache().dictionaryLength("d")])
      assert.equal((await read).result, "miss");
  });

  test("dictionaryIncrement adds bigints and rejects overflow and text", async () => {
    assert.deepEqual(await cache().dictionaryIncrement("n", "f"), { result: "success", value: 1n });
    assert.deepEqual(await cache().dictionaryIncrement("n", "f", 2n ** 62n), {
      result: "success",
      value: 2n ** 62n + 1n,
    });
    assert.deepEqual(await cache().dictionaryIncrement("n", "f", -2), { result: "success", value: 2n ** 62n - 1n });
    assert.equal(codeOf(await cache().dictionaryIncrement("n", "f", 2n ** 63n - 1n)), "FailedPrecondition");
    await cache().dictionarySetField("n", "g", "text");
    assert.equal(codeOf(await cache().dictionaryIncrement("n", "g")), "FailedPrecondition");
  });

  test("single-field calls and aliases read and remove fields", async () => {
    await cache().dictionarySetField("e", "a", "1");
    await cache().dictionarySetFields("e", { b: "2", c: "3" });
    const field = await cache().dictionaryGetField("e", "a");
    assert.ok(field.result === "hit");
    assert.equal(field.value, "1");
    const fields = await cache().dictionaryGetFields("e", ["a", "b"]);
    assert.ok(fields.result === "hit");
    assert.deepEqual(fields.values, ["1", "2"]);
    await cache().dictionaryRemoveField("e", "a");
    await cache().dictionaryRemoveFields("e", ["b"]);
    assert.equal((await cache().dictionaryGetField("e", "a")).result, "miss");
    assert.deepEqual(await cache().dictionaryLength("e"), { result: "hit", length: 1 });
    assert.equal((await cache().dictionaryGetField("none", "a")).result, "miss");
  });

  test("write keeps an existing TTL unless it requests a refresh", async () => {
    await cache().dictionarySet("t", { a: "1" }, { ttl: twoHours.withNoRefreshTtlOnUpdates() });
    assert.equal(await hoursLeft(cache(), "t"), 2);
    await cache().dictionaryIncrement("t", "n", 1, { ttlMs: 10_800_000 });
    assert.equal(await hoursLeft(cache(), "t"), 3);
    await cache().dictionarySetField("t", "b", "2", { ttl: twoHours.withNoRefreshTtlOnUpdates() });
    assert.equal(await hoursLeft(cache(), "t"), 3);
    await cache().dictionarySet("t", { c: "3" });
    assert.equal(await hoursLeft(cache(), "t"), 1);
  });

  test("rejects empty fields, accepts empty values, ignores empty lists", async () => {
    assert.equal(
      codeOf(
        await cache().dictionarySet("b", [
          ["a", "1"],
          ["", "2"],
        ]),
      ),
      "InvalidArgument",
    );
    assert.equal((await cache().dictionaryFetch("b")).result, "miss");
    assert.equal((await cache().dictionarySet("b", [])).result, "success");
    assert.equal((await cache().dictionaryLength("b")).result, "miss");
    await cache().dictionarySet("b", { a: "" });
    const got = await cache().dictionaryGetField("b", "a");
    assert.ok(got.result === "hit");
    assert.equal(got.value, "");
    assert.equal(codeOf(await cache("no such cache").dictionaryFetch("b")), "NotFound");
  });

  test("fetches 10,000 fields in one response", async () => {
    const items = new Map(Array.from({ length: 10_000 }, (_, i) => [`field ${i}`, `value ${i}`]));
    assert.equal((await cache().dictionarySet("many", items)).result, "success");
    const all = await cache().dictionaryFetch("many");
    assert.ok(all.result === "hit");
    assert.deepEqual(new Map(all.items), items);
  });

  refusesOtherTypes(cache, (on, name) => [
    on.dictionaryGet(name, ["f"]),
    on.dictionaryFetch(name),
    on.dictionarySet(name, { f: "v" }),
    on.dictionaryIncrement(name, "f"),
    on.dictionaryDelete(name),
    on.dictionaryRemove(name, ["f"]),
    on.dictionaryLength(name),
  ]);
});
