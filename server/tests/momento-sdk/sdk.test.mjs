// Runs the unmodified public SDK against the server program, in the same way as an application.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import * as momento from "@gomomento/sdk";
import { ServerProcess } from "./server-process.mjs";

const {
  CacheClient,
  CacheDelete,
  CacheFlush,
  CacheGet,
  CacheGetBatch,
  CacheGetWithHash,
  CacheIncreaseTtl,
  CacheDecreaseTtl,
  CacheIncrement,
  CacheItemGetTtl,
  CacheItemGetType,
  CacheKeyExists,
  CacheKeysExist,
  CacheSet,
  CacheSetBatch,
  CacheSetIfAbsent,
  CacheSetIfAbsentOrEqual,
  CacheSetIfAbsentOrHashEqual,
  CacheSetIfEqual,
  CacheSetIfNotEqual,
  CacheSetIfNotExists,
  CacheSetIfPresent,
  CacheSetIfPresentAndHashEqual,
  CacheSetIfPresentAndNotEqual,
  CacheSetWithHash,
  CacheUpdateTtl,
  Configurations,
  CreateCache,
  CredentialProvider,
  DeleteCache,
  ItemType,
  ListCaches,
} = momento;

// This timeout is long, so that a slow response of a loaded machine does not fail a test.
const configuration = Configurations.Laptop.v1().withClientTimeoutMillis(30_000);
const cache = "cache";
const itemLimitBytes = 5_000_192;
let server;
let client;
let keyNumber = 0;
const newKey = () => `key-${keyNumber++}`;

function newClient(port) {
  const credentialProvider = CredentialProvider.forMomentoLocal({ hostname: "127.0.0.1", port });
  return CacheClient.create({ configuration, credentialProvider, defaultTtlSeconds: 60, eagerConnectTimeout: 30 });
}

function isA(type, response) {
  assert.ok(response instanceof type, `expected ${type.name}, got ${response.toString()}`);
  return response;
}

/** Asserts that a response contains an SDK exception of the given class. Returns the exception. */
function failsWith(errorType, responseType, response) {
  isA(responseType, response);
  const error = response.innerException();
  assert.ok(error instanceof errorType, `expected ${errorType.name}, got ${error.constructor.name}: ${error.message}`);
  return error;
}

before(async () => {
  server = await ServerProcess.start();
  client = await newClient(server.port);
});
after(async () => {
  client?.close();
  await server?.stop();
});

describe("get, set and delete", () => {
  test("get returns a hit with the stored text or bytes", async () => {
    const key = newKey();
    isA(CacheSet.Success, await client.set(cache, key, "value"));
    assert.equal(isA(CacheGet.Hit, await client.get(cache, key)).value(), "value");
    const bytes = Uint8Array.from([0, 255, 128, 1]);
    isA(CacheSet.Success, await client.set(cache, bytes, bytes));
    assert.deepEqual([...isA(CacheGet.Hit, await client.get(cache, bytes)).valueUint8Array()], [...bytes]);
  });
  test("get returns a miss for an unknown key", async () => {
    isA(CacheGet.Miss, await client.get(cache, newKey()));
  });
  test("empty value is a hit", async () => {
    const key = newKey();
    isA(CacheSet.Success, await client.set(cache, key, ""));
    assert.equal(isA(CacheGet.Hit, await client.get(cache, key)).value(), "");
  });
  test("deleted key is a miss; deleting again succeeds", async () => {
    const key = newKey();
    await client.set(cache, key, "value");
    isA(CacheDelete.Success, await client.delete(cache, key));
    isA(CacheGet.Miss, await client.get(cache, key));
    isA(CacheDelete.Success, await client.delete(cache, key));
  });
  test("300 concurrent calls succeed", async () => {
    const keys = Array.from({ length: 300 }, newKey);
    const sets = await Promise.all(keys.map((key) => client.set(cache, key, key)));
    for (const response of sets) isA(CacheSet.Success, response);
    const gets = await Promise.all(keys.map((key) => client.get(cache, key)));
    gets.forEach((response, i) => assert.equal(isA(CacheGet.Hit, response).value(), keys[i]));
  });
});

describe("error classes", () => {
  test("every call fails with CacheNotFoundError for an unknown cache", async () => {
    const nope = "no-such-cache";
    const { CacheNotFoundError } = momento;
    failsWith(CacheNotFoundError, CacheGet.Error, await client.get(nope, "k"));
    failsWith(CacheNotFoundError, CacheSet.Error, await client.set(nope, "k", "v"));
    failsWith(CacheNotFoundError, CacheDelete.Error, await client.delete(nope, "k"));
    failsWith(CacheNotFoundError, CacheIncrement.Error, await client.increment(nope, "k"));
    failsWith(CacheNotFoundError, CacheKeysExist.Error, await client.keysExist(nope, ["k"]));
    failsWith(CacheNotFoundError, CacheGetBatch.Error, await client.getBatch(nope, ["k"]));
    failsWith(CacheNotFoundError, CacheSetBatch.Error, await client.setBatch(nope, new Map([["k", "v"]])));
    failsWith(CacheNotFoundError, CacheSetIfAbsent.Error, await client.setIfAbsent(nope, "k", "v"));
    failsWith(CacheNotFoundError, CacheUpdateTtl.Error, await client.updateTtl(nope, "k", 1000));
    failsWith(CacheNotFoundError, CacheItemGetTtl.Error, await client.itemGetTtl(nope, "k"));
    failsWith(CacheNotFoundError, CacheFlush.Error, await client.flushCache(nope));
    failsWith(CacheNotFoundError, DeleteCache.Error, await client.deleteCache(nope));
  });
  test("empty key, blank cache and excessive TTL fail with InvalidArgumentError", async () => {
    const { InvalidArgumentError } = momento;
    failsWith(InvalidArgumentError, CacheGet.Error, await client.get(cache, ""));
    failsWith(InvalidArgumentError, CacheSet.Error, await client.set(cache, "", "v"));
    failsWith(InvalidArgumentError, CacheGet.Error, await client.get("   ", "k"));
    failsWith(InvalidArgumentError, CacheSet.Error, await client.set(cache, newKey(), "v", { ttl: 86_401 }));
    failsWith(InvalidArgumentError, CreateCache.Error, await client.createCache("   "));
  });
  test("an item over the size limit fails with LimitExceededError", async () => {
    const key = newKey();
    const largest = Buffer.alloc(itemLimitBytes - key.length, 7);
    isA(CacheSet.Success, await client.set(cache, key, largest));
    assert.equal(isA(CacheGet.Hit, await client.get(cache, key)).valueUint8Array().length, largest.length);
    const tooLarge = Buffer.alloc(largest.length + 1, 7);
    const error = failsWith(momento.LimitExceededError, CacheSet.Error, await client.set(cache, key, tooLarge));
    assert.match(error.wrappedErrorMessage(), /^Request size limit exceeded/);
    const farTooLarge = Buffer.alloc(10_000_000, 7);
    failsWith(momento.LimitExceededError, CacheSet.Error, await client.set(cache, key, farTooLarge));
    isA(CacheGet.Hit, await client.get(cache, key));
    isA(CacheDelete.Success, await client.delete(cache, key));
  });
  test("increment of a non-numeric value fails with FailedPreconditionError", async () => {
    const key = newKey();
    await client.set(cache, key, "text");
    failsWith(momento.FailedPreconditionError, CacheIncrement.Error, await client.increment(cache, key));
    assert.equal(isA(CacheGet.Hit, await client.get(cache, key)).value(), "text");
  });
  test("a call without the server's token fails with AuthenticationError", async () => {
    const guarded = await ServerProcess.start("--token", "secret");
    const stranger = await newClient(guarded.port);
    try {
      failsWith(momento.AuthenticationError, CacheGet.Error, await stranger.get(cache, "k"));
      failsWith(momento.AuthenticationError, ListCaches.Error, await stranger.listCaches());
    } finally {
      stranger.close();
      await guarded.stop();
    }
  });
});

describe("increment", () => {
  test("increment creates, adds and subtracts, and stores text", async () => {
    const key = newKey();
    assert.equal(isA(CacheIncrement.Success, await client.increment(cache, key)).value(), 1);
    assert.equal(isA(CacheIncrement.Success, await client.increment(cache, key, 41)).value(), 42);
    assert.equal(isA(CacheIncrement.Success, await client.increment(cache, key, -50)).value(), -8);
    assert.equal(isA(CacheGet.Hit, await client.get(cache, key)).value(), "-8");
  });
  test("increment can return zero", async () => {
    const key = newKey();
    await client.set(cache, key, "5");
    assert.equal(isA(CacheIncrement.Success, await client.increment(cache, key, -5)).value(), 0);
  });
});

describe("conditional sets", () => {
  async function keyHolding(value) {
    const key = newKey();
    await client.set(cache, key, value);
    return key;
  }
  test("setIfAbsent and setIfNotExists store only if the key is missing", async () => {
    const key = newKey();
    isA(CacheSetIfAbsent.Stored, await client.setIfAbsent(cache, key, "1"));
    isA(CacheSetIfAbsent.NotStored, await client.setIfAbsent(cache, key, "2"));
    isA(CacheSetIfNotExists.NotStored, await client.setIfNotExists(cache, key, "3"));
    assert.equal((await client.get(cache, key)).value(), "1");
  });
  test("setIfPresent stores only if the key exists", async () => {
    isA(CacheSetIfPresent.NotStored, await client.setIfPresent(cache, newKey(), "1"));
    isA(CacheSetIfPresent.Stored, await client.setIfPresent(cache, await keyHolding("0"), "1"));
  });
  test("setIfEqual stores only if the value is equal", async () => {
    const key = await keyHolding("old");
    isA(CacheSetIfEqual.NotStored, await client.setIfEqual(cache, key, "new", "other"));
    isA(CacheSetIfEqual.Stored, await client.setIfEqual(cache, key, "new", "old"));
    isA(CacheSetIfEqual.NotStored, await client.setIfEqual(cache, newKey(), "new", "old"));
  });
  test("setIfNotEqual stores if the value differs or is missing", async () => {
    const key = await keyHolding("old");
    isA(CacheSetIfNotEqual.NotStored, await client.setIfNotEqual(cache, key, "new", "old"));
    isA(CacheSetIfNotEqual.Stored, await client.setIfNotEqual(cache, key, "new", "other"));
    isA(CacheSetIfNotEqual.Stored, await client.setIfNotEqual(cache, newKey(), "new", "old"));
  });
  test("setIfPresentAndNotEqual stores only if an existing value differs", async () => {
    const key = await keyHolding("old");
    isA(CacheSetIfPresentAndNotEqual.NotStored, await client.setIfPresentAndNotEqual(cache, key, "new", "old"));
    isA(CacheSetIfPresentAndNotEqual.Stored, await client.setIfPresentAndNotEqual(cache, key, "new", "other"));
    isA(CacheSetIfPresentAndNotEqual.NotStored, await client.setIfPresentAndNotEqual(cache, newKey(), "new", "old"));
  });
  test("setIfAbsentOrEqual stores if the key is missing or equal", async () => {
    const key = await keyHolding("old");
    isA(CacheSetIfAbsentOrEqual.NotStored, await client.setIfAbsentOrEqual(cache, key, "new", "other"));
    isA(CacheSetIfAbsentOrEqual.Stored, await client.setIfAbsentOrEqual(cache, key, "new", "old"));
    isA(CacheSetIfAbsentOrEqual.Stored, await client.setIfAbsentOrEqual(cache, newKey(), "new", "old"));
  });
  test("hash conditions compare with the hash from getWithHash", async () => {
    const key = newKey();
    isA(CacheGetWithHash.Miss, await client.getWithHash(cache, key));
    isA(CacheSetWithHash.Stored, await client.setWithHash(cache, key, "1"));
    const first = isA(CacheGetWithHash.Hit, await client.getWithHash(cache, key));
    assert.equal(first.valueString(), "1");
    const hash = first.hashUint8Array();
    const stored = await client.setIfPresentAndHashEqual(cache, key, "2", hash);
    isA(CacheSetIfPresentAndHashEqual.Stored, stored);
    const second = isA(CacheGetWithHash.Hit, await client.getWithHash(cache, key));
    assert.deepEqual([...second.hashUint8Array()], [...stored.hashUint8Array()]);
    isA(CacheSetIfPresentAndHashEqual.NotStored, await client.setIfPresentAndHashEqual(cache, key, "3", hash));
    isA(CacheSetIfAbsentOrHashEqual.Stored, await client.setIfAbsentOrHashEqual(cache, newKey(), "3", hash));
  });
});

describe("batches and existence", () => {
  test("setBatch and getBatch return results in request order", async () => {
    const [first, second, missing] = [newKey(), newKey(), newKey()];
    const items = new Map([
      [first, "1"],
      [second, "2"],
    ]);
    const set = isA(CacheSetBatch.Success, await client.setBatch(cache, items, { ttl: 60 }));
    assert.equal(set.results().length, 2);
    for (const result of set.results()) isA(CacheSet.Success, result);
    const got = isA(CacheGetBatch.Success, await client.getBatch(cache, [second, missing, first])).results();
    assert.equal(isA(CacheGet.Hit, got[0]).value(), "2");
    isA(CacheGet.Miss, got[1]);
    assert.equal(isA(CacheGet.Hit, got[2]).value(), "1");
  });
  test("getBatch returns all 500 keys", async () => {
    const keys = Array.from({ length: 500 }, newKey);
    isA(CacheSetBatch.Success, await client.setBatch(cache, new Map(keys.map((key) => [key, key]))));
    const got = isA(CacheGetBatch.Success, await client.getBatch(cache, keys));
    assert.deepEqual(got.results().map((result) => isA(CacheGet.Hit, result).value()), keys);
  });
  test("keyExists and keysExist report existing keys in request order", async () => {
    const key = newKey();
    await client.set(cache, key, "");
    assert.equal(isA(CacheKeyExists.Success, await client.keyExists(cache, key)).exists(), true);
    const many = isA(CacheKeysExist.Success, await client.keysExist(cache, [newKey(), key, newKey()]));
    assert.deepEqual(many.exists(), [false, true, false]);
  });
  test("itemGetType returns scalar, or a miss for a missing key", async () => {
    const key = newKey();
    await client.set(cache, key, "v");
    assert.equal(isA(CacheItemGetType.Hit, await client.itemGetType(cache, key)).itemType(), ItemType.SCALAR);
    isA(CacheItemGetType.Miss, await client.itemGetType(cache, newKey()));
  });
});

describe("time to live", () => {
  test("itemGetTtl returns the remaining time, or a miss", async () => {
    const key = newKey();
    await client.set(cache, key, "v", { ttl: 600 });
    const remaining = isA(CacheItemGetTtl.Hit, await client.itemGetTtl(cache, key)).remainingTtlMillis();
    assert.ok(remaining < 600_000 && remaining > 0, `remaining ${remaining}`);
    isA(CacheItemGetTtl.Miss, await client.itemGetTtl(cache, newKey()));
  });
  test("updateTtl, increaseTtl and decreaseTtl return set, not set or miss", async () => {
    const key = newKey();
    await client.set(cache, key, "v", { ttl: 600 });
    isA(CacheUpdateTtl.Set, await client.updateTtl(cache, key, 3_000_000));
    isA(CacheIncreaseTtl.NotSet, await client.increaseTtl(cache, key, 1_000_000));
    isA(CacheIncreaseTtl.Set, await client.increaseTtl(cache, key, 4_000_000));
    isA(CacheDecreaseTtl.NotSet, await client.decreaseTtl(cache, key, 5_000_000));
    isA(CacheDecreaseTtl.Set, await client.decreaseTtl(cache, key, 900_000));
    const remaining = isA(CacheItemGetTtl.Hit, await client.itemGetTtl(cache, key)).remainingTtlMillis();
    assert.ok(remaining < 900_000 && remaining > 0, `remaining ${remaining}`);
    isA(CacheUpdateTtl.Miss, await client.updateTtl(cache, newKey(), 1000));
  });
  test("get returns a miss for an expired item", async () => {
    const key = newKey();
    isA(CacheSet.Success, await client.set(cache, key, "v", { ttl: 1 }));
    const patience = AbortSignal.timeout(30_000);
    let response;
    do {
      patience.throwIfAborted();
      response = await client.get(cache, key);
    } while (response instanceof CacheGet.Hit);
    isA(CacheGet.Miss, response);
  });
});

describe("cache management", () => {
  test("cache can be created, listed, used, flushed and deleted", async () => {
    const name = `made-${newKey()}`;
    isA(CreateCache.Success, await client.createCache(name));
    isA(CreateCache.AlreadyExists, await client.createCache(name));
    const listed = isA(ListCaches.Success, await client.listCaches()).getCaches();
    const info = listed.find((each) => each.getName() === name);
    assert.equal(info?.getCacheLimits().maxItemSizeKb, 4883);
    assert.equal(info?.getCacheLimits().maxTtlSeconds, 86_400);
    assert.ok(listed.some((each) => each.getName() === cache), "the default cache is listed");
    isA(CacheSet.Success, await client.set(name, "k", "v"));
    isA(CacheGet.Miss, await client.get(cache, "k"));
    isA(CacheFlush.Success, await client.flushCache(name));
    isA(CacheGet.Miss, await client.get(name, "k"));
    isA(DeleteCache.Success, await client.deleteCache(name));
    failsWith(momento.CacheNotFoundError, CacheGet.Error, await client.get(name, "k"));
  });
});
