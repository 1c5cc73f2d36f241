// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
import type { Cache, CacheClient, CallOptions } from "../../../src/index.js";
import type { Request } from "../../line-agent.js";
import { bigField, bytesField, hashField, requiredTtl, withTtl } from "../fields.js";

/** Runs an operation of conformance/AGENT.md if it makes one client call. Otherwise returns null. */
export function callOf(
  client: CacheClient,
  cache: Cache,
  request: Request,
  options: CallOptions,
): Promise<object> | null {
  switch (request.op) {
    case "delete":
      return cache.delete(bytesField(request, "key"), options);
    case "increment":
      return cache.increment(bytesField(request, "key"), bigField(request, "amount"), {
        ...withTtl(request, options),
        keepTtl: request.keepTtl === true,
      });
    case "itemGetTtl":
      return cache.itemGetTtl(bytesField(request, "key"), options);
    case "itemGetType":
      return cache.itemGetType(bytesField(request, "key"), options);
    case "getWithHash":
      return cache.getWithHash(bytesField(request, "key"), options);
    case "updateTtl":
      return cache.updateTtl(bytesField(request, "key"), requiredTtl(request), options);
    case "increaseTtl":
      return cache.increaseTtl(bytesField(request, "key"), requiredTtl(request), options);
    case "decreaseTtl":
      return cache.decreaseTtl(bytesField(request, "key"), requiredTtl(request), options);
    case "updateTtlIfPrefix":
      return cache.updateTtlIfPrefix(
        bytesField(request, "key"),
        bytesField(request, "prefix"),
        withTtl(request, options),
      );
    case "setIfAbsent":
      return cache.setIfAbsent(bytesField(request, "key"), bytesField(request, "value"), withTtl(request, options));
    case "setIfPresent":
      return cache.setIfPresent(bytesField(request, "key"), bytesField(request, "value"), withTtl(request, options));
    case "setIfEqual":
      return cache.setIfEqual(
        bytesField(request, "key"),
        bytesField(request, "value"),
        bytesField(request, "equal"),
        withTtl(request, options),
      );
    case "setIfNotEqual":
      return cache.setIfNotEqual(
        bytesField(request, "key"),
        bytesField(request, "value"),
        bytesField(request, "equal"),
        withTtl(request, options),
      );
    case "setIfPresentAndNotEqual":
      return cache.setIfPresentAndNotEqual(
        bytesField(request, "key"),
        bytesField(request, "value"),
        bytesField(request, "equal"),
        withTtl(request, options),
      );
    case "setIfAbsentOrEqual":
      return cache.setIfAbsentOrEqual(
        bytesField(request, "key"),
        bytesField(request, "value"),
        bytesField(request, "equal"),
        withTtl(request, options),
      );
    case "setIfPresentAndHashEqual":
      return cache.setIfPresentAndHashEqual(
        bytesField(request, "key"),
        bytesField(request, "value"),
        hashField(request),
        withTtl(request, options),
      );
    case "setIfPresentAndNotHashEqual":
      return cache.setIfPresentAndNotHashEqual(
        bytesField(request, "key"),
        bytesField(request, "value"),
        hashField(request),
        withTtl(request, options),
      );
    case "setIfAbsentOrHashEqual":
      return cache.setIfAbsentOrHashEqual(
        bytesField(request, "key"),
        bytesField(request, "value"),
        hashField(request),
        withTtl(request, options),
      );
    case "setIfAbsentOrNotHashEqual":
      return cache.setIfAbsentOrNotHashEqual(
        bytesField(request, "key"),
        bytesField(request, "value"),
        hashField(request),
        withTtl(request, options),
      );
    case "setWithHash":
      return cache.setWithHash(bytesField(request, "key"), bytesField(request, "value"), withTtl(request, options));
    case "createCache":
      return client.createCache(cache.name, options);
    case "deleteCache":
      return client.deleteCache(cache.name, options);
    case "flushCache":
      return client.flushCache(cache.name, options);
    case "ping":
      return client.ping(options);
    default:
      return null;
  }
}

/** By operation: the results whose names in conformance/AGENT.md differ from the client's. */
export const resultNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  itemGetTtl: { hit: "found", miss: "missing" },
  itemGetType: { hit: "found", miss: "missing" },
  getWithHash: { hit: "found", miss: "missing" },
  updateTtl: { stored: "set", notStored: "notSet", miss: "missing" },
  increaseTtl: { stored: "set", notStored: "notSet", miss: "missing" },
  decreaseTtl: { stored: "set", notStored: "notSet", miss: "missing" },
  updateTtlIfPrefix: { stored: "set", notStored: "different", miss: "missing" },
};
