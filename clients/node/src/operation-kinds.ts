// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
import { operationKind } from "./operation.js";

/** What all calls of each operation have in common, by the name that callers and error texts have for it. */
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
};
