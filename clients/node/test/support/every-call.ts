import { Buffer } from "node:buffer";
import type { CacheClient } from "../../src/client/client.js";
import type { kinds } from "../../src/operations/_generated/operation-kinds.js";
import { GetOrLeaseOperation, ReleaseLeaseOperation } from "../../src/operations/lease-operations.js";
import { internalCall } from "./internal-call.js";

/** The key that each call of `keyedCalls` names, in this cache. */
export const namedKey = "key";
export const cacheName = "cache";

type Name = keyof typeof kinds;
type Made = (client: CacheClient) => Promise<{ readonly result: string }>;

// A calls that is new must be added here: the compiler asks for it.
const calls: { readonly [Each in Name]: Made | null } = {
  // A get is a near get itself.
  get: null,
  set: (client) => client.set(cacheName, namedKey, "1"),
  delete: (client) => client.delete(cacheName, namedKey),
  increment: (client) => client.increment(cacheName, namedKey),
  itemGetTtl: (client) => client.itemGetTtl(cacheName, namedKey),
  itemGetType: (client) => client.itemGetType(cacheName, namedKey),
  getWithHash: (client) => client.getWithHash(cacheName, namedKey),
  updateTtl: (client) => client.updateTtl(cacheName, namedKey, 1_000),
  increaseTtl: (client) => client.increaseTtl(cacheName, namedKey, 1_000),
  decreaseTtl: (client) => client.decreaseTtl(cacheName, namedKey, 1_000),
  updateTtlIfPrefix: (client) => client.updateTtlIfPrefix(cacheName, namedKey, "v"),
  setIfAbsent: (client) => client.setIfAbsent(cacheName, namedKey, "1"),
  setIfPresent: (client) => client.setIfPresent(cacheName, namedKey, "1"),
  setIfEqual: (client) => client.setIfEqual(cacheName, namedKey, "1", "2"),
  setIfNotEqual: (client) => client.setIfNotEqual(cacheName, namedKey, "1", "2"),
  setIfPresentAndNotEqual: (client) => client.setIfPresentAndNotEqual(cacheName, namedKey, "1", "2"),
  setIfAbsentOrEqual: (client) => client.setIfAbsentOrEqual(cacheName, namedKey, "1", "2"),
  setIfPresentAndHashEqual: (client) => client.setIfPresentAndHashEqual(cacheName, namedKey, "1", hash),
  setIfPresentAndNotHashEqual: (client) => client.setIfPresentAndNotHashEqual(cacheName, namedKey, "1", hash),
  setIfAbsentOrHashEqual: (client) => client.setIfAbsentOrHashEqual(cacheName, namedKey, "1", hash),
  setIfAbsentOrNotHashEqual: (client) => client.setIfAbsentOrNotHashEqual(cacheName, namedKey, "1", hash),
  setWithHash: (client) => client.setWithHash(cacheName, namedKey, "1"),
  keysExist: (client) => client.keysExist(cacheName, ["other", namedKey]),
  keyExists: (client) => client.keyExists(cacheName, namedKey),
  getBatch: (client) => client.getBatch(cacheName, ["other", namedKey]),
  setBatch: (client) => client.setBatch(cacheName, { other: "1", [namedKey]: "1" }),
  dictionaryGet: (client) => client.dictionaryGet(cacheName, namedKey, ["f"]),
  dictionaryFetch: (client) => client.dictionaryFetch(cacheName, namedKey),
  dictionarySet: (client) => client.dictionarySet(cacheName, namedKey, { f: "1" }),
  dictionaryIncrement: (client) => client.dictionaryIncrement(cacheName, namedKey, "f", 1),
  dictionaryDelete: (client) => client.dictionaryDelete(cacheName, namedKey),
  dictionaryRemove: (client) => client.dictionaryRemove(cacheName, namedKey, ["f"]),
  dictionaryLength: (client) => client.dictionaryLength(cacheName, namedKey),
  setFetch: (client) => client.setFetch(cacheName, namedKey),
  setSample: (client) => client.setSample(cacheName, namedKey, 1),
  setUnion: (client) => client.setUnion(cacheName, namedKey, ["e"]),
  setDifference: (client) => client.setDifference(cacheName, namedKey, ["e"]),
  setDifferenceFrom: (client) => client.setDifferenceFrom(cacheName, namedKey, ["e"]),
  setContains: (client) => client.setContains(cacheName, namedKey, ["e"]),
  setLength: (client) => client.setLength(cacheName, namedKey),
  setPop: (client) => client.setPop(cacheName, namedKey, 1),
  listPushFront: (client) => client.listPushFront(cacheName, namedKey, "e"),
  listPushBack: (client) => client.listPushBack(cacheName, namedKey, "e"),
  listConcatenateFront: (client) => client.listConcatenateFront(cacheName, namedKey, ["e"]),
  listConcatenateBack: (client) => client.listConcatenateBack(cacheName, namedKey, ["e"]),
  listPopFront: (client) => client.listPopFront(cacheName, namedKey),
  listPopBack: (client) => client.listPopBack(cacheName, namedKey),
  listFetch: (client) => client.listFetch(cacheName, namedKey),
  listRetain: (client) => client.listRetain(cacheName, namedKey),
  listRemove: (client) => client.listRemove(cacheName, namedKey, "e"),
  listErase: (client) => client.listErase(cacheName, namedKey, [[0, 1]]),
  listLength: (client) => client.listLength(cacheName, namedKey),
  sortedSetPut: (client) => client.sortedSetPut(cacheName, namedKey, { e: 1 }),
  sortedSetFetchByRank: (client) => client.sortedSetFetchByRank(cacheName, namedKey),
  sortedSetFetchByScore: (client) => client.sortedSetFetchByScore(cacheName, namedKey),
  sortedSetGetScore: (client) => client.sortedSetGetScore(cacheName, namedKey, ["e"]),
  sortedSetGetRank: (client) => client.sortedSetGetRank(cacheName, namedKey, "e"),
  sortedSetIncrement: (client) => client.sortedSetIncrement(cacheName, namedKey, "e", 1),
  sortedSetRemove: (client) => client.sortedSetRemove(cacheName, namedKey, ["e"]),
  sortedSetLength: (client) => client.sortedSetLength(cacheName, namedKey),
  sortedSetLengthByScore: (client) => client.sortedSetLengthByScore(cacheName, namedKey),
  sortedSetUnionStore: (client) => client.sortedSetUnionStore(cacheName, namedKey, ["source"]),
  // getOrSet makes these; its get would be answered by a copy.
  getOrLease: (client) => internalCall(client, new GetOrLeaseOperation(cacheName, namedKey, 1)),
  releaseLease: (client) => internalCall(client, new ReleaseLeaseOperation(cacheName, namedKey, Buffer.from("token"))),
  setWithLease: (client) => client.setWithTags(cacheName, namedKey, "1", ["t"]),
  scanItems: (client) => client.scanItems(cacheName, namedKey),
  deleteCache: (client) => client.deleteCache(cacheName),
  flushCache: (client) => client.flushCache(cacheName),
  // These name no key.
  createCache: null,
  listCaches: null,
  ping: null,
  scanKeys: null,
  removeByTag: null,
  publish: null,
};
const hash = new Uint8Array(16);

/** Every call that names a key, or a cache whose keys may all go with it, by its name; some name it elsewhere than first. */
export const keyedCalls: ReadonlyMap<string, Made> = new Map([
  ...Object.entries(calls).flatMap(([name, made]) => (made === null ? [] : [[name, made] as const])),
  ["sortedSetUnionStore, a source", (client) => client.sortedSetUnionStore(cacheName, "into", ["a", namedKey])],
]);
