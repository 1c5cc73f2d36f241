// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
import { operationKind } from "../operation.js";

/** The properties of each operation, by its name in the API and in error messages. */
export const kinds = {
  get: operationKind("get", "/cache_client.Scs/Get", 4, { idempotent: true, serverStream: false }),
  set: operationKind("set", "/cache_client.Scs/Set", 5, { idempotent: true, serverStream: false }),
  delete: operationKind("delete", "/cache_client.Scs/Delete", 6, { idempotent: true, serverStream: false }),
  increment: operationKind("increment", "/cache_client.Scs/Increment", 9, { idempotent: false, serverStream: false }),
  itemGetTtl: operationKind("itemGetTtl", "/cache_client.Scs/ItemGetTtl", 12, {
    idempotent: true,
    serverStream: false,
  }),
  itemGetType: operationKind("itemGetType", "/cache_client.Scs/ItemGetType", 18, {
    idempotent: true,
    serverStream: false,
  }),
  getWithHash: operationKind("getWithHash", "/cache_client.Scs/GetWithHash", 16, {
    idempotent: true,
    serverStream: false,
  }),
  updateTtl: operationKind("updateTtl", "/cache_client.Scs/UpdateTtl", 11, { idempotent: false, serverStream: false }),
  increaseTtl: operationKind("increaseTtl", "/cache_client.Scs/UpdateTtl", 11, {
    idempotent: false,
    serverStream: false,
  }),
  decreaseTtl: operationKind("decreaseTtl", "/cache_client.Scs/UpdateTtl", 11, {
    idempotent: false,
    serverStream: false,
  }),
  updateTtlIfPrefix: operationKind("updateTtlIfPrefix", "/cache_client.Scs/UpdateTtlIfPrefix", 52, {
    idempotent: true,
    serverStream: false,
  }),
  setIfAbsent: operationKind("setIfAbsent", "/cache_client.Scs/SetIf", 10, { idempotent: false, serverStream: false }),
  setIfPresent: operationKind("setIfPresent", "/cache_client.Scs/SetIf", 10, {
    idempotent: false,
    serverStream: false,
  }),
  setIfEqual: operationKind("setIfEqual", "/cache_client.Scs/SetIf", 10, { idempotent: false, serverStream: false }),
  setIfNotEqual: operationKind("setIfNotEqual", "/cache_client.Scs/SetIf", 10, {
    idempotent: false,
    serverStream: false,
  }),
  setIfPresentAndNotEqual: operationKind("setIfPresentAndNotEqual", "/cache_client.Scs/SetIf", 10, {
    idempotent: false,
    serverStream: false,
  }),
  setIfAbsentOrEqual: operationKind("setIfAbsentOrEqual", "/cache_client.Scs/SetIf", 10, {
    idempotent: false,
    serverStream: false,
  }),
  setIfPresentAndHashEqual: operationKind("setIfPresentAndHashEqual", "/cache_client.Scs/SetIfHash", 17, {
    idempotent: false,
    serverStream: false,
  }),
  setIfPresentAndNotHashEqual: operationKind("setIfPresentAndNotHashEqual", "/cache_client.Scs/SetIfHash", 17, {
    idempotent: false,
    serverStream: false,
  }),
  setIfAbsentOrHashEqual: operationKind("setIfAbsentOrHashEqual", "/cache_client.Scs/SetIfHash", 17, {
    idempotent: false,
    serverStream: false,
  }),
  setIfAbsentOrNotHashEqual: operationKind("setIfAbsentOrNotHashEqual", "/cache_client.Scs/SetIfHash", 17, {
    idempotent: false,
    serverStream: false,
  }),
  setWithHash: operationKind("setWithHash", "/cache_client.Scs/SetIfHash", 17, {
    idempotent: false,
    serverStream: false,
  }),
  keysExist: operationKind("keysExist", "/cache_client.Scs/KeysExist", 8, { idempotent: true, serverStream: false }),
  keyExists: operationKind("keyExists", "/cache_client.Scs/KeysExist", 8, { idempotent: true, serverStream: false }),
  getBatch: operationKind("getBatch", "/cache_client.Scs/GetBatch", 14, { idempotent: true, serverStream: true }),
  setBatch: operationKind("setBatch", "/cache_client.Scs/SetBatch", 15, { idempotent: true, serverStream: true }),
  dictionaryGet: operationKind("dictionaryGet", "/cache_client.Scs/DictionaryGet", 19, {
    idempotent: true,
    serverStream: false,
  }),
  dictionaryFetch: operationKind("dictionaryFetch", "/cache_client.Scs/DictionaryFetch", 20, {
    idempotent: true,
    serverStream: false,
  }),
  dictionarySet: operationKind("dictionarySet", "/cache_client.Scs/DictionarySet", 21, {
    idempotent: true,
    serverStream: false,
  }),
  dictionaryIncrement: operationKind("dictionaryIncrement", "/cache_client.Scs/DictionaryIncrement", 22, {
    idempotent: false,
    serverStream: false,
  }),
  dictionaryDelete: operationKind("dictionaryDelete", "/cache_client.Scs/DictionaryDelete", 23, {
    idempotent: true,
    serverStream: false,
  }),
  dictionaryRemove: operationKind("dictionaryRemove", "/cache_client.Scs/DictionaryDelete", 23, {
    idempotent: true,
    serverStream: false,
  }),
  dictionaryLength: operationKind("dictionaryLength", "/cache_client.Scs/DictionaryLength", 24, {
    idempotent: true,
    serverStream: false,
  }),
  setFetch: operationKind("setFetch", "/cache_client.Scs/SetFetch", 25, { idempotent: true, serverStream: false }),
  setSample: operationKind("setSample", "/cache_client.Scs/SetSample", 26, { idempotent: true, serverStream: false }),
  setUnion: operationKind("setUnion", "/cache_client.Scs/SetUnion", 27, { idempotent: true, serverStream: false }),
  setDifference: operationKind("setDifference", "/cache_client.Scs/SetDifference", 28, {
    idempotent: true,
    serverStream: false,
  }),
  setDifferenceFrom: operationKind("setDifferenceFrom", "/cache_client.Scs/SetDifference", 28, {
    idempotent: false,
    serverStream: false,
  }),
  setContains: operationKind("setContains", "/cache_client.Scs/SetContains", 29, {
    idempotent: true,
    serverStream: false,
  }),
  setLength: operationKind("setLength", "/cache_client.Scs/SetLength", 30, { idempotent: true, serverStream: false }),
  setPop: operationKind("setPop", "/cache_client.Scs/SetPop", 31, { idempotent: false, serverStream: false }),
  listPushFront: operationKind("listPushFront", "/cache_client.Scs/ListPushFront", 32, {
    idempotent: false,
    serverStream: false,
  }),
  listPushBack: operationKind("listPushBack", "/cache_client.Scs/ListPushBack", 33, {
    idempotent: false,
    serverStream: false,
  }),
  listConcatenateFront: operationKind("listConcatenateFront", "/cache_client.Scs/ListConcatenateFront", 34, {
    idempotent: false,
    serverStream: false,
  }),
  listConcatenateBack: operationKind("listConcatenateBack", "/cache_client.Scs/ListConcatenateBack", 35, {
    idempotent: false,
    serverStream: false,
  }),
  listPopFront: operationKind("listPopFront", "/cache_client.Scs/ListPopFront", 36, {
    idempotent: false,
    serverStream: false,
  }),
  listPopBack: operationKind("listPopBack", "/cache_client.Scs/ListPopBack", 37, {
    idempotent: false,
    serverStream: false,
  }),
  listFetch: operationKind("listFetch", "/cache_client.Scs/ListFetch", 38, { idempotent: true, serverStream: false }),
  listRetain: operationKind("listRetain", "/cache_client.Scs/ListRetain", 39, {
    idempotent: false,
    serverStream: false,
  }),
  listRemove: operationKind("listRemove", "/cache_client.Scs/ListRemove", 40, {
    idempotent: true,
    serverStream: false,
  }),
  listErase: operationKind("listErase", "/cache_client.Scs/ListErase", 41, { idempotent: false, serverStream: false }),
  listLength: operationKind("listLength", "/cache_client.Scs/ListLength", 42, {
    idempotent: true,
    serverStream: false,
  }),
  sortedSetPut: operationKind("sortedSetPut", "/cache_client.Scs/SortedSetPut", 43, {
    idempotent: true,
    serverStream: false,
  }),
  sortedSetFetchByRank: operationKind("sortedSetFetchByRank", "/cache_client.Scs/SortedSetFetch", 44, {
    idempotent: true,
    serverStream: false,
  }),
  sortedSetFetchByScore: operationKind("sortedSetFetchByScore", "/cache_client.Scs/SortedSetFetch", 44, {
    idempotent: true,
    serverStream: false,
  }),
  sortedSetGetScore: operationKind("sortedSetGetScore", "/cache_client.Scs/SortedSetGetScore", 45, {
    idempotent: true,
    serverStream: false,
  }),
  sortedSetGetRank: operationKind("sortedSetGetRank", "/cache_client.Scs/SortedSetGetRank", 46, {
    idempotent: true,
    serverStream: false,
  }),
  sortedSetIncrement: operationKind("sortedSetIncrement", "/cache_client.Scs/SortedSetIncrement", 47, {
    idempotent: false,
    serverStream: false,
  }),
  sortedSetRemove: operationKind("sortedSetRemove", "/cache_client.Scs/SortedSetRemove", 48, {
    idempotent: true,
    serverStream: false,
  }),
  sortedSetLength: operationKind("sortedSetLength", "/cache_client.Scs/SortedSetLength", 49, {
    idempotent: true,
    serverStream: false,
  }),
  sortedSetLengthByScore: operationKind("sortedSetLengthByScore", "/cache_client.Scs/SortedSetLengthByScore", 50, {
    idempotent: true,
    serverStream: false,
  }),
  sortedSetUnionStore: operationKind("sortedSetUnionStore", "/cache_client.Scs/SortedSetUnionStore", 51, {
    idempotent: false,
    serverStream: false,
  }),
  createCache: operationKind("createCache", "/control_client.ScsControl/CreateCache", 0, {
    idempotent: false,
    serverStream: false,
  }),
  deleteCache: operationKind("deleteCache", "/control_client.ScsControl/DeleteCache", 0, {
    idempotent: false,
    serverStream: false,
  }),
  flushCache: operationKind("flushCache", "/control_client.ScsControl/FlushCache", 0, {
    idempotent: false,
    serverStream: false,
  }),
  listCaches: operationKind("listCaches", "/control_client.ScsControl/ListCaches", 0, {
    idempotent: true,
    serverStream: false,
  }),
  ping: operationKind("ping", "/cache_client.Ping/Ping", 0, { idempotent: true, serverStream: false }),
  scanKeys: operationKind("scanKeys", "/larder.v1.Extras/ScanKeys", 0, { idempotent: true, serverStream: false }),
  scanItems: operationKind("scanItems", "/larder.v1.Extras/ScanItems", 0, { idempotent: true, serverStream: false }),
  getOrLease: operationKind("getOrLease", "/larder.v1.Extras/GetOrLease", 0, {
    idempotent: false,
    serverStream: false,
  }),
  setWithLease: operationKind("setWithLease", "/larder.v1.Extras/SetWithLease", 0, {
    idempotent: false,
    serverStream: false,
  }),
  releaseLease: operationKind("releaseLease", "/larder.v1.Extras/ReleaseLease", 0, {
    idempotent: false,
    serverStream: false,
  }),
  removeByTag: operationKind("removeByTag", "/larder.v1.Extras/RemoveByTag", 0, {
    idempotent: true,
    serverStream: false,
  }),
  publish: operationKind("publish", "/cache_client.pubsub.Pubsub/Publish", 0, {
    idempotent: false,
    serverStream: false,
  }),
};
