import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { CollectionTtl } from "../../src/collections/collection-ttl.js";
import { codeOf, hoursLeft, onServer, refusesOtherTypes } from "../support/collections.js";

onServer("sets", (cache) => {
  async function elements(name: string): Promise<readonly string[]> {
    const response = await cache().setFetch(name);
    return response.result === "hit" ? [...response.elements].sort() : [response.result];
  }

  test("stores, reads, counts and removes elements", async () => {
    await cache().setUnion("s", ["a", "b", "a", ""]);
    assert.deepEqual(await elements("s"), ["", "a", "b"]);
    assert.deepEqual(await cache().setLength("s"), { result: "hit", length: 3 });
    assert.deepEqual(await cache().setContains("s", ["a", "none", ""]), {
      result: "hit",
      contains: [true, false, true],
    });
    assert.deepEqual(await cache().setDifference("s", ["a", "none"]), { result: "hit" });
    assert.deepEqual(await elements("s"), ["", "b"]);
    assert.deepEqual(await cache().setDifferenceFrom("s", ["b", "c"]), { result: "hit" });
    assert.deepEqual(await elements("s"), ["c"]);
    await cache().setDifference("s", ["c"]);
    for (const read of [
      cache().setFetch("s"),
      cache().setSample("s", 1),
      cache().setPop("s"),
      cache().setContains("s", ["c"]),
      cache().setLength("s"),
      cache().setDifference("s", ["c"]),
      cache().setDifferenceFrom("s", ["c"]),
    ])
      assert.equal((await read).result, "miss");
  });

  test("setSample keeps elements; setPop removes them", async () => {
    const all = ["a", "b", "c"];
    await cache().setUnion("p", all);
    const sample = await cache().setSample("p", 2);
    assert.ok(sample.result === "hit");
    assert.equal(new Set(sample.elements.filter((each) => all.includes(each))).size, 2);
    const none = await cache().setSample("p", 0);
    assert.ok(none.result === "hit");
    assert.equal(none.count, 0);
    assert.deepEqual(await elements("p"), all);
    const first = await cache().setPop("p");
    const rest = await cache().setPop("p", 2 ** 32 - 1);
    assert.ok(first.result === "hit" && rest.result === "hit");
    assert.deepEqual([...first.elements, ...rest.elements].sort(), all);
    assert.equal(codeOf(await cache().setPop("p", 0)), "InvalidArgument");
  });

  test("single-element calls and aliases add, check and remove elements", async () => {
    const bytes = Buffer.from([0xff]);
    await cache().setAddElement("e", bytes);
    await cache().setAddElements("e", ["a", "b"]);
    assert.deepEqual(await cache().setContainsElement("e", bytes), { result: "hit", contains: true });
    assert.deepEqual(await cache().setContainsElement("e", "none"), { result: "hit", contains: false });
    assert.deepEqual(await cache().setContainsElements("e", ["a"]), { result: "hit", contains: [true] });
    await cache().setRemoveElement("e", bytes);
    await cache().setRemoveElements("e", ["a"]);
    assert.deepEqual(await elements("e"), ["b"]);
    assert.equal((await cache().setContainsElement("none", "a")).result, "miss");
  });

  test("write keeps an existing TTL unless it requests a refresh", async () => {
    const kept = CollectionTtl.of(7_200_000).withNoRefreshTtlOnUpdates();
    await cache().setUnion("t", ["a"]);
    await cache().setUnion("t", ["b"], { ttl: kept });
    assert.equal(await hoursLeft(cache(), "t"), 1);
    await cache().setAddElement("t", "c", { ttl: kept.withRefreshTtlOnUpdates() });
    assert.equal(await hoursLeft(cache(), "t"), 2);
  });

  refusesOtherTypes(cache, (on, name) => [
    on.setFetch(name),
    on.setSample(name, 1),
    on.setUnion(name, ["a"]),
    on.setDifference(name, ["a"]),
    on.setDifferenceFrom(name, ["a"]),
    on.setContains(name, ["a"]),
    on.setLength(name),
    on.setPop(name),
  ]);
});
