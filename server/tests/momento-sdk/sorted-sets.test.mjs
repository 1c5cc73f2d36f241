// Runs the sorted set calls of the unmodified SDK against the server program.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as momento from "@gomomento/sdk";
import { cache, failsWith, isA, newKey, useServer } from "./sdk-client.mjs";

const {
  CacheItemGetType,
  CacheSortedSetFetch,
  CacheSortedSetGetRank,
  CacheSortedSetGetScore,
  CacheSortedSetGetScores,
  CacheSortedSetIncrementScore,
  CacheSortedSetLength,
  CacheSortedSetLengthByScore,
  CacheSortedSetPutElement,
  CacheSortedSetPutElements,
  CacheSortedSetRemoveElement,
  CacheSortedSetRemoveElements,
  CacheSortedSetUnionStore,
  FailedPreconditionError,
  ItemType,
  SortedSetOrder,
} = momento;

describe("sorted sets", () => {
  const use = useServer();

  async function sortedSetOf(elements) {
    const name = newKey();
    isA(CacheSortedSetPutElements.Success, await use.client.sortedSetPutElements(cache, name, elements));
    return name;
  }

  async function scalar() {
    const key = newKey();
    await use.client.set(cache, key, "value");
    return key;
  }

  const letters = { a: 1, b: 2, c: 3, d: 4 };
  const values = (response) => isA(CacheSortedSetFetch.Hit, response).value().map((each) => each.value).join("");

  test("sortedSetPutElement and sortedSetPutElements: new, existing and error", async () => {
    const name = await sortedSetOf({ a: 2, b: 1 });
    isA(CacheSortedSetPutElement.Success, await use.client.sortedSetPutElement(cache, name, "a", 0.5));
    assert.deepEqual(isA(CacheSortedSetFetch.Hit, await use.client.sortedSetFetchByRank(cache, name)).value(), [
      { value: "a", score: 0.5 },
      { value: "b", score: 1 },
    ]);
    const key = await scalar();
    failsWith(FailedPreconditionError, CacheSortedSetPutElement.Error, await use.client.sortedSetPutElement(cache, key, "a", 1));
    failsWith(FailedPreconditionError, CacheSortedSetPutElements.Error, await use.client.sortedSetPutElements(cache, key, { a: 1 }));
  });
  test("sortedSetFetchByRank: both orders, miss and error", async () => {
    const name = await sortedSetOf(letters);
    assert.equal(values(await use.client.sortedSetFetchByRank(cache, name)), "abcd");
    assert.equal(values(await use.client.sortedSetFetchByRank(cache, name, { startRank: 1, endRank: 3 })), "bc");
    const descending = { startRank: 0, endRank: 2, order: SortedSetOrder.Descending };
    assert.equal(values(await use.client.sortedSetFetchByRank(cache, name, descending)), "dc");
    assert.equal(values(await use.client.sortedSetFetchByRank(cache, name, { startRank: 8, endRank: 9 })), "");
    isA(CacheSortedSetFetch.Miss, await use.client.sortedSetFetchByRank(cache, newKey()));
    failsWith(FailedPreconditionError, CacheSortedSetFetch.Error, await use.client.sortedSetFetchByRank(cache, await scalar()));
  });
  test("sortedSetFetchByScore: bounds, paging, miss and error", async () => {
    const name = await sortedSetOf(letters);
    assert.equal(values(await use.client.sortedSetFetchByScore(cache, name)), "abcd");
    assert.equal(values(await use.client.sortedSetFetchByScore(cache, name, { minScore: 2, maxScore: 3 })), "bc");
    assert.equal(values(await use.client.sortedSetFetchByScore(cache, name, { offset: 1, count: 2 })), "bc");
    const descending = { offset: 1, count: 2, order: SortedSetOrder.Descending };
    assert.equal(values(await use.client.sortedSetFetchByScore(cache, name, descending)), "cb");
    assert.equal(values(await use.client.sortedSetFetchByScore(cache, name, { minScore: 99 })), "");
    isA(CacheSortedSetFetch.Miss, await use.client.sortedSetFetchByScore(cache, newKey()));
    failsWith(FailedPreconditionError, CacheSortedSetFetch.Error, await use.client.sortedSetFetchByScore(cache, await scalar()));
  });
  test("sortedSetGetScore and sortedSetGetScores: hit, miss and error", async () => {
    const name = await sortedSetOf({ a: 0, b: -2.5 });
    assert.equal(isA(CacheSortedSetGetScore.Hit, await use.client.sortedSetGetScore(cache, name, "b")).score(), -2.5);
    assert.equal(isA(CacheSortedSetGetScore.Hit, await use.client.sortedSetGetScore(cache, name, "a")).score(), 0);
    isA(CacheSortedSetGetScore.Miss, await use.client.sortedSetGetScore(cache, name, "none"));
    isA(CacheSortedSetGetScore.Miss, await use.client.sortedSetGetScore(cache, newKey(), "a"));
    const scores = isA(CacheSortedSetGetScores.Hit, await use.client.sortedSetGetScores(cache, name, ["b", "none", "a"]));
    assert.deepEqual({ ...scores.value() }, { b: -2.5, a: 0 });
    isA(CacheSortedSetGetScores.Miss, await use.client.sortedSetGetScores(cache, newKey(), ["a"]));
    const key = await scalar();
    failsWith(FailedPreconditionError, CacheSortedSetGetScore.Error, await use.client.sortedSetGetScore(cache, key, "a"));
    failsWith(FailedPreconditionError, CacheSortedSetGetScores.Error, await use.client.sortedSetGetScores(cache, key, ["a"]));
  });
  test("sortedSetGetRank: both orders, miss and error", async () => {
    const name = await sortedSetOf(letters);
    assert.equal(isA(CacheSortedSetGetRank.Hit, await use.client.sortedSetGetRank(cache, name, "a")).rank(), 0);
    const descending = { order: SortedSetOrder.Descending };
    assert.equal(isA(CacheSortedSetGetRank.Hit, await use.client.sortedSetGetRank(cache, name, "a", descending)).rank(), 3);
    isA(CacheSortedSetGetRank.Miss, await use.client.sortedSetGetRank(cache, name, "none"));
    isA(CacheSortedSetGetRank.Miss, await use.client.sortedSetGetRank(cache, newKey(), "a"));
    failsWith(FailedPreconditionError, CacheSortedSetGetRank.Error, await use.client.sortedSetGetRank(cache, await scalar(), "a"));
  });
  test("sortedSetIncrementScore: new, existing and error", async () => {
    const name = newKey();
    assert.equal(isA(CacheSortedSetIncrementScore.Success, await use.client.sortedSetIncrementScore(cache, name, "a", 1.5)).score(), 1.5);
    assert.equal(isA(CacheSortedSetIncrementScore.Success, await use.client.sortedSetIncrementScore(cache, name, "a", -4)).score(), -2.5);
    const refused = await use.client.sortedSetIncrementScore(cache, await scalar(), "a", 1);
    failsWith(FailedPreconditionError, CacheSortedSetIncrementScore.Error, refused);
  });
  test("sortedSetRemoveElement and sortedSetRemoveElements: present, missing and error", async () => {
    const name = await sortedSetOf(letters);
    isA(CacheSortedSetRemoveElement.Success, await use.client.sortedSetRemoveElement(cache, name, "a"));
    isA(CacheSortedSetRemoveElements.Success, await use.client.sortedSetRemoveElements(cache, name, ["b", "none"]));
    assert.equal(values(await use.client.sortedSetFetchByRank(cache, name)), "cd");
    isA(CacheSortedSetRemoveElement.Success, await use.client.sortedSetRemoveElement(cache, newKey(), "a"));
    const key = await scalar();
    failsWith(FailedPreconditionError, CacheSortedSetRemoveElement.Error, await use.client.sortedSetRemoveElement(cache, key, "a"));
    failsWith(FailedPreconditionError, CacheSortedSetRemoveElements.Error, await use.client.sortedSetRemoveElements(cache, key, ["a"]));
  });
  test("sortedSetLength and sortedSetLengthByScore: hit, miss and error", async () => {
    const name = await sortedSetOf(letters);
    assert.equal(isA(CacheSortedSetLength.Hit, await use.client.sortedSetLength(cache, name)).length(), 4);
    isA(CacheSortedSetLength.Miss, await use.client.sortedSetLength(cache, newKey()));
    const between = await use.client.sortedSetLengthByScore(cache, name, { minScore: 2, maxScore: 3 });
    assert.equal(isA(CacheSortedSetLengthByScore.Hit, between).length(), 2);
    assert.equal(isA(CacheSortedSetLengthByScore.Hit, await use.client.sortedSetLengthByScore(cache, name)).length(), 4);
    isA(CacheSortedSetLengthByScore.Miss, await use.client.sortedSetLengthByScore(cache, newKey()));
    const key = await scalar();
    failsWith(FailedPreconditionError, CacheSortedSetLength.Error, await use.client.sortedSetLength(cache, key));
    failsWith(FailedPreconditionError, CacheSortedSetLengthByScore.Error, await use.client.sortedSetLengthByScore(cache, key));
  });
  test("sortedSetUnionStore: existing sets, missing set and error", async () => {
    const one = await sortedSetOf({ a: 1, b: 2 });
    const two = await sortedSetOf({ b: 10 });
    const into = newKey();
    const sources = [
      { sortedSetName: one, weight: 2 },
      { sortedSetName: two, weight: 1 },
      { sortedSetName: newKey(), weight: 1 },
    ];
    assert.equal(isA(CacheSortedSetUnionStore.Success, await use.client.sortedSetUnionStore(cache, into, sources)).length(), 2);
    assert.deepEqual(isA(CacheSortedSetFetch.Hit, await use.client.sortedSetFetchByRank(cache, into)).value(), [
      { value: "a", score: 2 },
      { value: "b", score: 14 },
    ]);
    const refused = await use.client.sortedSetUnionStore(cache, into, [{ sortedSetName: await scalar(), weight: 1 }]);
    failsWith(FailedPreconditionError, CacheSortedSetUnionStore.Error, refused);
  });
  test("itemGetType returns sorted set", async () => {
    const name = await sortedSetOf(letters);
    assert.equal(isA(CacheItemGetType.Hit, await use.client.itemGetType(cache, name)).itemType(), ItemType.SORTED_SET);
  });
});
