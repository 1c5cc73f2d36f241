// Runs the dictionary calls of the unmodified SDK against the server program.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as momento from "@gomomento/sdk";
import { cache, failsWith, isA, newKey, useServer } from "./sdk-client.mjs";

const {
  CacheDictionaryFetch,
  CacheDictionaryGetField,
  CacheDictionaryGetFields,
  CacheDictionaryIncrement,
  CacheDictionaryLength,
  CacheDictionaryRemoveField,
  CacheDictionaryRemoveFields,
  CacheDictionarySetField,
  CacheDictionarySetFields,
  CacheItemGetTtl,
  CacheItemGetType,
  CollectionTtl,
  FailedPreconditionError,
  InvalidArgumentError,
  ItemType,
} = momento;

describe("dictionaries", () => {
  const use = useServer();

  async function dictionaryOf(fields) {
    const name = newKey();
    isA(CacheDictionarySetFields.Success, await use.client.dictionarySetFields(cache, name, fields));
    return name;
  }

  /** Returns a key that contains a scalar. */
  async function scalar() {
    const key = newKey();
    await use.client.set(cache, key, "value");
    return key;
  }

  test("dictionarySetField and dictionaryGetField: hit, miss and error", async () => {
    const name = newKey();
    isA(CacheDictionarySetField.Success, await use.client.dictionarySetField(cache, name, "a", "1"));
    assert.equal(isA(CacheDictionaryGetField.Hit, await use.client.dictionaryGetField(cache, name, "a")).value(), "1");
    isA(CacheDictionaryGetField.Miss, await use.client.dictionaryGetField(cache, name, "b"));
    isA(CacheDictionaryGetField.Miss, await use.client.dictionaryGetField(cache, newKey(), "a"));
    const key = await scalar();
    failsWith(FailedPreconditionError, CacheDictionarySetField.Error, await use.client.dictionarySetField(cache, key, "a", "1"));
    failsWith(FailedPreconditionError, CacheDictionaryGetField.Error, await use.client.dictionaryGetField(cache, key, "a"));
    failsWith(InvalidArgumentError, CacheDictionarySetField.Error, await use.client.dictionarySetField(cache, name, "", "1"));
  });
  test("dictionarySetFields and dictionaryGetFields: hit, miss and error", async () => {
    const name = await dictionaryOf({ a: "1", b: "2" });
    const hit = isA(CacheDictionaryGetFields.Hit, await use.client.dictionaryGetFields(cache, name, ["a", "none", "b"]));
    assert.deepEqual({ ...hit.value() }, { a: "1", b: "2" });
    isA(CacheDictionaryGetFields.Miss, await use.client.dictionaryGetFields(cache, newKey(), ["a"]));
    const key = await scalar();
    failsWith(FailedPreconditionError, CacheDictionarySetFields.Error, await use.client.dictionarySetFields(cache, key, { a: "1" }));
    failsWith(FailedPreconditionError, CacheDictionaryGetFields.Error, await use.client.dictionaryGetFields(cache, key, ["a"]));
  });
  test("dictionaryFetch: hit, miss and error", async () => {
    const name = await dictionaryOf({ a: "1", b: "" });
    assert.deepEqual({ ...isA(CacheDictionaryFetch.Hit, await use.client.dictionaryFetch(cache, name)).value() }, { a: "1", b: "" });
    isA(CacheDictionaryFetch.Miss, await use.client.dictionaryFetch(cache, newKey()));
    failsWith(FailedPreconditionError, CacheDictionaryFetch.Error, await use.client.dictionaryFetch(cache, await scalar()));
  });
  test("dictionaryIncrement: new field, existing field, and error without a change", async () => {
    const name = await dictionaryOf({ text: "seven" });
    assert.equal(isA(CacheDictionaryIncrement.Success, await use.client.dictionaryIncrement(cache, name, "n", 5)).value(), 5);
    assert.equal(isA(CacheDictionaryIncrement.Success, await use.client.dictionaryIncrement(cache, name, "n", -7)).value(), -2);
    failsWith(FailedPreconditionError, CacheDictionaryIncrement.Error, await use.client.dictionaryIncrement(cache, name, "text", 1));
    assert.equal((await use.client.dictionaryGetField(cache, name, "text")).value(), "seven");
  });
  test("dictionaryRemoveField and dictionaryRemoveFields: present, missing and error", async () => {
    const name = await dictionaryOf({ a: "1", b: "2", c: "3" });
    isA(CacheDictionaryRemoveField.Success, await use.client.dictionaryRemoveField(cache, name, "a"));
    isA(CacheDictionaryRemoveField.Success, await use.client.dictionaryRemoveField(cache, name, "a"));
    isA(CacheDictionaryRemoveFields.Success, await use.client.dictionaryRemoveFields(cache, name, ["b", "c"]));
    isA(CacheDictionaryFetch.Miss, await use.client.dictionaryFetch(cache, name));
    isA(CacheDictionaryRemoveFields.Success, await use.client.dictionaryRemoveFields(cache, name, ["b"]));
    const key = await scalar();
    failsWith(FailedPreconditionError, CacheDictionaryRemoveField.Error, await use.client.dictionaryRemoveField(cache, key, "a"));
    failsWith(FailedPreconditionError, CacheDictionaryRemoveFields.Error, await use.client.dictionaryRemoveFields(cache, key, ["a"]));
  });
  test("dictionaryLength: hit, miss and error", async () => {
    const name = await dictionaryOf({ a: "1", b: "2" });
    assert.equal(isA(CacheDictionaryLength.Hit, await use.client.dictionaryLength(cache, name)).length(), 2);
    isA(CacheDictionaryLength.Miss, await use.client.dictionaryLength(cache, newKey()));
    failsWith(FailedPreconditionError, CacheDictionaryLength.Error, await use.client.dictionaryLength(cache, await scalar()));
  });
  test("a later write refreshes the TTL only when requested", async () => {
    const name = await dictionaryOf({ a: "1" });
    const hour = CollectionTtl.of(3600);
    await use.client.dictionarySetField(cache, name, "b", "2", { ttl: hour.withNoRefreshTtlOnUpdates() });
    assert.ok(isA(CacheItemGetTtl.Hit, await use.client.itemGetTtl(cache, name)).remainingTtlMillis() < 60_000);
    await use.client.dictionarySetField(cache, name, "b", "2", { ttl: hour.withRefreshTtlOnUpdates() });
    assert.ok(isA(CacheItemGetTtl.Hit, await use.client.itemGetTtl(cache, name)).remainingTtlMillis() > 60_000);
  });
  test("itemGetType returns dictionary", async () => {
    const name = await dictionaryOf({ a: "1" });
    assert.equal(isA(CacheItemGetType.Hit, await use.client.itemGetType(cache, name)).itemType(), ItemType.DICTIONARY);
  });
});
