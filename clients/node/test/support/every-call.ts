import { Buffer } from "node:buffer";
import type { Cache } from "../../src/client/cache.js";
import type { CacheClient } from "../../src/client/client.js";
import type { kinds } from "../../src/operations/_generated/operation-kinds.js";
import { GetOrLeaseOperation, ReleaseLeaseOperation } from "../../src/operations/lease-operations.js";
import { internalCall } from "./internal-call.js";

/** The key that each call of `keyedCalls` uses. It is a key of the cache `cacheName`. */
export const namedKey = "key";
export const cacheName = "cache";

type Name = keyof typeof kinds;
type Made = (cache: Cache, client: CacheClient) => Promise<{ readonly result: string }>;

// The compiler reports an error if a new call has no entry here.
const calls: { readonly [Each in Name]: Made | null } = {
  // A get is not tested here, because it does not remove the local copy. It is the call that creates the copy.
  get: null,
  set: (cache) => cache.set(namedKey, "1"),
  delete: (cache) => cache.delete(namedKey),
  increment: (cache) => cache.increment(namedKey),
  itemGetTtl: (cache) => cache.itemGetTtl(namedKey),
  itemGetType: (cache) => cache.itemGetType(namedKey),
  getWithHash: (cache) => cache.getWithHash(namedKey),
  updateTtl: (cache) => cache.updateTtl(namedKey, 1_000),
  increaseTtl: (cache) => cache.increaseTtl(namedKey, 1_000),
  decreaseTtl: (cache) => cache.decreaseTtl(namedKey, 1_000),
  updateTtlIfPrefix: (cache) => cache.updateTtlIfPrefix(namedKey, "v"),
  setIfAbsent: (cache) => cache.setIfAbsent(namedKey, "1"),
  setIfPresent: (cache) => cache.setIfPresent(namedKey, "1"),
  setIfEqual: (cache) => cache.setIfEqual(namedKey, "1", "2"),
  setIfNotEqual: (cache) => cache.setIfNotEqual(namedKey, "1", "2"),
  setIfPresentAndNotEqual: (cache) => cache.setIfPresentAndNotEqual(namedKey, "1", "2"),
  setIfAbsentOrEqual: (cache) => cache.setIfAbsentOrEqual(namedKey, "1", "2"),
  setIfPresentAndHashEqual: (cache) => cache.setIfPresentAndHashEqual(namedKey, "1", hash),
  setIfPresentAndNotHashEqual: (cache) => cache.setIfPresentAndNotHashEqual(namedKey, "1", hash),
  setIfAbsentOrHashEqual: (cache) => cache.setIfAbsentOrHashEqual(namedKey, "1", hash),
  setIfAbsentOrNotHashEqual: (cache) => cache.setIfAbsentOrNotHashEqual(namedKey, "1", hash),
  setWithHash: (cache) => cache.setWithHash(namedKey, "1"),
  keysExist: (cache) => cache.keysExist(["other", namedKey]),
  keyExists: (cache) => cache.keyExists(namedKey),
  getBatch: (cache) => cache.getBatch(["other", namedKey]),
  setBatch: (cache) => cache.setBatch({ other: "1", [namedKey]: "1" }),
  dictionaryGet: (cache) => cache.dictionaryGet(namedKey, ["f"]),
  dictionaryFetch: (cache) => cache.dictionaryFetch(namedKey),
  dictionarySet: (cache) => cache.dictionarySet(namedKey, { f: "1" }),
  dictionaryIncrement: (cache) => cache.dictionaryIncrement(namedKey, "f", 1),
  dictionaryDelete: (cache) => cache.dictionaryDelete(namedKey),
  dictionaryRemove: (cache) => cache.dictionaryRemove(namedKey, ["f"]),
  dictionaryLength: (cache) => cache.dictionaryLength(namedKey),
  setFetch: (cache) => cache.setFetch(namedKey),
  setSample: (cache) => cache.setSample(namedKey, 1),
  setUnion: (cache) => cache.setUnion(namedKey, ["e"]),
  setDifference: (cache) => cache.setDifference(namedKey, ["e"]),
  setDifferenceFrom: (cache) => cache.setDifferenceFrom(namedKey, ["e"]),
  setContains: (cache) => cache.setContains(namedKey, ["e"]),
  setLength: (cache) => cache.setLength(namedKey),
  setPop: (cache) => cache.setPop(namedKey, 1),
  listPushFront: (cache) => cache.listPushFront(namedKey, "e"),
  listPushBack: (cache) => cache.listPushBack(namedKey, "e"),
  listConcatenateFront: (cache) => cache.listConcatenateFront(namedKey, ["e"]),
  listConcatenateBack: (cache) => cache.listConcatenateBack(namedKey, ["e"]),
  listPopFront: (cache) => cache.listPopFront(namedKey),
  listPopBack: (cache) => cache.listPopBack(namedKey),
  listFetch: (cache) => cache.listFetch(namedKey),
  listRetain: (cache) => cache.listRetain(namedKey),
  listRemove: (cache) => cache.listRemove(namedKey, "e"),
  listErase: (cache) => cache.listErase(namedKey, [[0, 1]]),
  listLength: (cache) => cache.listLength(namedKey),
  sortedSetPut: (cache) => cache.sortedSetPut(namedKey, { e: 1 }),
  sortedSetFetchByRank: (cache) => cache.sortedSetFetchByRank(namedKey),
  sortedSetFetchByScore: (cache) => cache.sortedSetFetchByScore(namedKey),
  sortedSetGetScore: (cache) => cache.sortedSetGetScore(namedKey, ["e"]),
  sortedSetGetRank: (cache) => cache.sortedSetGetRank(namedKey, "e"),
  sortedSetIncrement: (cache) => cache.sortedSetIncrement(namedKey, "e", 1),
  sortedSetRemove: (cache) => cache.sortedSetRemove(namedKey, ["e"]),
  sortedSetLength: (cache) => cache.sortedSetLength(namedKey),
  sortedSetLengthByScore: (cache) => cache.sortedSetLengthByScore(namedKey),
  sortedSetUnionStore: (cache) => cache.sortedSetUnionStore(namedKey, ["source"]),
  // getOrSet makes these calls, but a local copy would serve its get. The test therefore makes them directly.
  getOrLease: (_, client) => internalCall(client, new GetOrLeaseOperation(cacheName, namedKey, 1)),
  releaseLease: (_, client) =>
    internalCall(client, new ReleaseLeaseOperation(cacheName, namedKey, Buffer.from("token"))),
  setWithLease: (cache) => cache.setWithTags(namedKey, "1", ["t"]),
  scanItems: (cache) => cache.scanItems(namedKey),
  deleteCache: (_, client) => client.deleteCache(cacheName),
  flushCache: (_, client) => client.flushCache(cacheName),
  // These calls take no key.
  createCache: null,
  listCaches: null,
  ping: null,
  scanKeys: null,
  removeByTag: null,
  publish: null,
};
const hash = new Uint8Array(16);

/**
 * Every call, by name, that has the key as an argument or affects all keys of a cache. In some calls the key is not the
 * first key argument.
 */
export const keyedCalls: ReadonlyMap<string, Made> = new Map([
  ...Object.entries(calls).flatMap(([name, made]) => (made === null ? [] : [[name, made] as const])),
  ["sortedSetUnionStore, a source", (cache) => cache.sortedSetUnionStore("into", ["a", namedKey])],
]);
