// Runs the set calls of the unmodified SDK against the server program.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as momento from "@gomomento/sdk";
import { cache, failsWith, isA, newKey, useServer } from "./sdk-client.mjs";

const {
  CacheItemGetType,
  CacheSetAddElement,
  CacheSetAddElements,
  CacheSetContainsElement,
  CacheSetContainsElements,
  CacheSetFetch,
  CacheSetRemoveElement,
  CacheSetRemoveElements,
  CacheSetSample,
  FailedPreconditionError,
  ItemType,
} = momento;

describe("sets", () => {
  const use = useServer();

  async function setOf(...elements) {
    const name = newKey();
    isA(CacheSetAddElements.Success, await use.client.setAddElements(cache, name, elements));
    return name;
  }

  async function scalar() {
    const key = newKey();
    await use.client.set(cache, key, "value");
    return key;
  }

  /** Checks responses whose classes the SDK does not export. */
  function isTyped(type, response) {
    assert.equal(response.type, type, response.toString());
    return response;
  }

  const fetched = async (name) => isA(CacheSetFetch.Hit, await use.client.setFetch(cache, name)).value().sort();

  test("setAddElement, setAddElements and setFetch: hit, miss and error", async () => {
    const name = await setOf("a", "b", "a");
    isA(CacheSetAddElement.Success, await use.client.setAddElement(cache, name, "c"));
    assert.deepEqual(await fetched(name), ["a", "b", "c"]);
    isA(CacheSetFetch.Miss, await use.client.setFetch(cache, newKey()));
    const key = await scalar();
    failsWith(FailedPreconditionError, CacheSetAddElement.Error, await use.client.setAddElement(cache, key, "a"));
    failsWith(FailedPreconditionError, CacheSetAddElements.Error, await use.client.setAddElements(cache, key, ["a"]));
    failsWith(FailedPreconditionError, CacheSetFetch.Error, await use.client.setFetch(cache, key));
  });
  test("setContainsElement and setContainsElements: hit, miss and error", async () => {
    const name = await setOf("a");
    assert.equal(isA(CacheSetContainsElement.Hit, await use.client.setContainsElement(cache, name, "a")).containsElement(), true);
    assert.equal(isA(CacheSetContainsElement.Hit, await use.client.setContainsElement(cache, name, "b")).containsElement(), false);
    isA(CacheSetContainsElement.Miss, await use.client.setContainsElement(cache, newKey(), "a"));
    const many = isA(CacheSetContainsElements.Hit, await use.client.setContainsElements(cache, name, ["b", "a"]));
    assert.deepEqual({ ...many.containsElements() }, { b: false, a: true });
    isA(CacheSetContainsElements.Miss, await use.client.setContainsElements(cache, newKey(), ["a"]));
    const key = await scalar();
    failsWith(FailedPreconditionError, CacheSetContainsElement.Error, await use.client.setContainsElement(cache, key, "a"));
    failsWith(FailedPreconditionError, CacheSetContainsElements.Error, await use.client.setContainsElements(cache, key, ["a"]));
  });
  test("setRemoveElement and setRemoveElements: present, missing and error", async () => {
    const name = await setOf("a", "b", "c");
    isA(CacheSetRemoveElement.Success, await use.client.setRemoveElement(cache, name, "a"));
    isA(CacheSetRemoveElements.Success, await use.client.setRemoveElements(cache, name, ["b", "none"]));
    assert.deepEqual(await fetched(name), ["c"]);
    isA(CacheSetRemoveElement.Success, await use.client.setRemoveElement(cache, newKey(), "a"));
    const key = await scalar();
    failsWith(FailedPreconditionError, CacheSetRemoveElement.Error, await use.client.setRemoveElement(cache, key, "a"));
    failsWith(FailedPreconditionError, CacheSetRemoveElements.Error, await use.client.setRemoveElements(cache, key, ["a"]));
  });
  test("setSample: hit, miss and error", async () => {
    const name = await setOf("a", "b", "c");
    assert.equal(isA(CacheSetSample.Hit, await use.client.setSample(cache, name, 2)).valueSet().size, 2);
    assert.equal(isA(CacheSetSample.Hit, await use.client.setSample(cache, name, 9)).valueSet().size, 3);
    isA(CacheSetSample.Miss, await use.client.setSample(cache, newKey(), 2));
    failsWith(FailedPreconditionError, CacheSetSample.Error, await use.client.setSample(cache, await scalar(), 2));
  });
  test("setPop: hit, miss and error", async () => {
    const name = await setOf("a", "b", "c");
    const popped = isTyped("Hit", await use.client.setPop(cache, name, 2)).value();
    assert.deepEqual([...popped, ...(await fetched(name))].sort(), ["a", "b", "c"]);
    isTyped("Hit", await use.client.setPop(cache, name, 2));
    isTyped("Miss", await use.client.setPop(cache, name, 2));
    isA(FailedPreconditionError, isTyped("Error", await use.client.setPop(cache, await scalar(), 1)).innerException());
  });
  test("setLength: hit, miss and error", async () => {
    assert.equal(isTyped("Hit", await use.client.setLength(cache, await setOf("a", "b"))).length(), 2);
    isTyped("Miss", await use.client.setLength(cache, newKey()));
    isA(FailedPreconditionError, isTyped("Error", await use.client.setLength(cache, await scalar())).innerException());
  });
  test("itemGetType returns set", async () => {
    assert.equal(isA(CacheItemGetType.Hit, await use.client.itemGetType(cache, await setOf("a"))).itemType(), ItemType.SET);
  });
});
