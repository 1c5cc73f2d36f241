// Runs the list calls of the unmodified SDK against the server program.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as momento from "@gomomento/sdk";
import { cache, failsWith, isA, newKey, useServer } from "./sdk-client.mjs";

const {
  CacheItemGetType,
  CacheListConcatenateBack,
  CacheListConcatenateFront,
  CacheListFetch,
  CacheListLength,
  CacheListPopBack,
  CacheListPopFront,
  CacheListPushBack,
  CacheListPushFront,
  CacheListRemoveValue,
  CacheListRetain,
  FailedPreconditionError,
  InvalidArgumentError,
  ItemType,
} = momento;

describe("lists", () => {
  const use = useServer();

  async function listOf(...values) {
    const name = newKey();
    isA(CacheListConcatenateBack.Success, await use.client.listConcatenateBack(cache, name, values));
    return name;
  }

  async function scalar() {
    const key = newKey();
    await use.client.set(cache, key, "value");
    return key;
  }

  const fetched = async (name, options) => isA(CacheListFetch.Hit, await use.client.listFetch(cache, name, options)).value();

  test("listPushFront and listPushBack: new, existing, truncated and error", async () => {
    const name = newKey();
    assert.equal(isA(CacheListPushBack.Success, await use.client.listPushBack(cache, name, "b")).listLength(), 1);
    assert.equal(isA(CacheListPushFront.Success, await use.client.listPushFront(cache, name, "a")).listLength(), 2);
    const pushed = await use.client.listPushBack(cache, name, "c", { truncateFrontToSize: 2 });
    assert.equal(isA(CacheListPushBack.Success, pushed).listLength(), 2);
    assert.deepEqual(await fetched(name), ["b", "c"]);
    const key = await scalar();
    failsWith(FailedPreconditionError, CacheListPushFront.Error, await use.client.listPushFront(cache, key, "a"));
    failsWith(FailedPreconditionError, CacheListPushBack.Error, await use.client.listPushBack(cache, key, "a"));
  });
  test("listConcatenateFront and listConcatenateBack: order and error", async () => {
    const name = await listOf("c", "d");
    const gateway = await use.client.listConcatenateFront(cache, name, ["a", "b"]);
    assert.equal(isA(CacheListConcatenateFront.Success, gateway).listLength(), 4);
    assert.deepEqual(await fetched(name), ["a", "b", "c", "d"]);
    const key = await scalar();
    failsWith(FailedPreconditionError, CacheListConcatenateFront.Error, await use.client.listConcatenateFront(cache, key, ["a"]));
    failsWith(FailedPreconditionError, CacheListConcatenateBack.Error, await use.client.listConcatenateBack(cache, key, ["a"]));
  });
  test("listPopFront and listPopBack: hit, miss and error", async () => {
    const name = await listOf("a", "b");
    assert.equal(isA(CacheListPopFront.Hit, await use.client.listPopFront(cache, name)).value(), "a");
    assert.equal(isA(CacheListPopBack.Hit, await use.client.listPopBack(cache, name)).value(), "b");
    isA(CacheListPopFront.Miss, await use.client.listPopFront(cache, name));
    isA(CacheListPopBack.Miss, await use.client.listPopBack(cache, name));
    const key = await scalar();
    failsWith(FailedPreconditionError, CacheListPopFront.Error, await use.client.listPopFront(cache, key));
    failsWith(FailedPreconditionError, CacheListPopBack.Error, await use.client.listPopBack(cache, key));
  });
  test("listFetch: hit, slices, miss and error", async () => {
    const name = await listOf("a", "b", "c", "d");
    assert.deepEqual(await fetched(name), ["a", "b", "c", "d"]);
    assert.deepEqual(await fetched(name, { startIndex: 1, endIndex: -1 }), ["b", "c"]);
    assert.deepEqual(await fetched(name, { startIndex: 0, endIndex: 2 }), ["a", "b"]);
    assert.deepEqual(await fetched(name, { startIndex: -2 }), ["c", "d"]);
    isA(CacheListFetch.Miss, await use.client.listFetch(cache, name, { startIndex: 4 }));
    isA(CacheListFetch.Miss, await use.client.listFetch(cache, newKey()));
    failsWith(FailedPreconditionError, CacheListFetch.Error, await use.client.listFetch(cache, await scalar()));
  });
  test("listRetain: existing, missing and error", async () => {
    const name = await listOf("a", "b", "c", "d");
    isA(CacheListRetain.Success, await use.client.listRetain(cache, name, { startIndex: 1, endIndex: 3 }));
    assert.deepEqual(await fetched(name), ["b", "c"]);
    isA(CacheListRetain.Success, await use.client.listRetain(cache, newKey(), { startIndex: 1, endIndex: 3 }));
    failsWith(FailedPreconditionError, CacheListRetain.Error, await use.client.listRetain(cache, await scalar(), { startIndex: 1, endIndex: 3 }));
  });
  test("listRemoveValue: existing, missing and error", async () => {
    const name = await listOf("a", "b", "a");
    isA(CacheListRemoveValue.Success, await use.client.listRemoveValue(cache, name, "a"));
    assert.deepEqual(await fetched(name), ["b"]);
    isA(CacheListRemoveValue.Success, await use.client.listRemoveValue(cache, newKey(), "a"));
    failsWith(FailedPreconditionError, CacheListRemoveValue.Error, await use.client.listRemoveValue(cache, await scalar(), "a"));
  });
  test("listLength: hit, miss and error", async () => {
    const name = await listOf("a", "b");
    assert.equal(isA(CacheListLength.Hit, await use.client.listLength(cache, name)).length(), 2);
    isA(CacheListLength.Miss, await use.client.listLength(cache, newKey()));
    failsWith(FailedPreconditionError, CacheListLength.Error, await use.client.listLength(cache, await scalar()));
    failsWith(InvalidArgumentError, CacheListLength.Error, await use.client.listLength(cache, ""));
  });
  test("itemGetType returns LIST", async () => {
    const name = await listOf("a");
    assert.equal(isA(CacheItemGetType.Hit, await use.client.itemGetType(cache, name)).itemType(), ItemType.LIST);
  });
});
