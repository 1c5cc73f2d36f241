// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
import type { CacheClient, CallOptions } from "../src/index.js";
import { bigField, bytesField, hashField, requiredTtl, withTtl } from "./fields.js";
import type { Request } from "./line-agent.js";

/** One of the operations of conformance/AGENT.md that are one call of the client each; null for another. */
export function callOf(
  client: CacheClient,
  cache: string,
  request: Request,
  options: CallOptions,
): Promise<object> | null {
  switch (request.op) {
    case "delete":
      return client.delete(cache, bytesField(request, "key"), options);
    case "increment":
      return client.increment(cache, bytesField(request, "key"), bigField(request, "amount"), {
        ...withTtl(request, options),
        keepTtl: request.keepTtl === true,
      });
    case "itemGetTtl":
      return client.itemGetTtl(cache, bytesField(request, "key"), options);
    case "itemGetType":
      return client.itemGetType(cache, bytesField(request, "key"), options);
    case "getWithHash":
      return client.getWithHash(cache, bytesField(request, "key"), options);
    case "updateTtl":
      return client.updateTtl(cache, bytesField(request, "key"), requiredTtl(request), options);
    case "increaseTtl":
      return client.increaseTtl(cache, bytesField(request, "key"), requiredTtl(request), options);
    case "decreaseTtl":
      return client.decreaseTtl(cache, bytesField(request, "key"), requiredTtl(request), options);
    case "updateTtlIfPrefix":
      return client.updateTtlIfPrefix(
        cache,
        bytesField(request, "key"),
        bytesField(request, "prefix"),
        withTtl(request, options),
      );
    case "setIfAbsent":
      return client.setIfAbsent(
        cache,
        bytesField(request, "key"),
        bytesField(request, "value"),
        withTtl(request, options),
      );
    case "setIfPresent":
      return client.setIfPresent(
        cache,
        bytesField(request, "key"),
        bytesField(request, "value"),
        withTtl(request, options),
      );
    case "setIfEqual":
      return client.setIfEqual(
        cache,
        bytesField(request, "key"),
        bytesField(request, "value"),
        bytesField(request, "equal"),
        withTtl(request, options),
      );
    case "setIfNotEqual":
      return client.setIfNotEqual(
        cache,
        bytesField(request, "key"),
        bytesField(request, "value"),
        bytesField(request, "equal"),
        withTtl(request, options),
      );
    case "setIfPresentAndNotEqual":
      return client.setIfPresentAndNotEqual(
        cache,
        bytesField(request, "key"),
        bytesField(request, "value"),
        bytesField(request, "equal"),
        withTtl(request, options),
      );
    case "setIfAbsentOrEqual":
      return client.setIfAbsentOrEqual(
        cache,
        bytesField(request, "key"),
        bytesField(request, "value"),
        bytesField(request, "equal"),
        withTtl(request, options),
      );
    case "setIfPresentAndHashEqual":
      return client.setIfPresentAndHashEqual(
        cache,
        bytesField(request, "key"),
        bytesField(request, "value"),
        hashField(request),
        withTtl(request, options),
      );
    case "setIfPresentAndNotHashEqual":
      return client.setIfPresentAndNotHashEqual(
        cache,
        bytesField(request, "key"),
        bytesField(request, "value"),
        hashField(request),
        withTtl(request, options),
      );
    case "setIfAbsentOrHashEqual":
      return client.setIfAbsentOrHashEqual(
        cache,
        bytesField(request, "key"),
        bytesField(request, "value"),
        hashField(request),
        withTtl(request, options),
      );
    case "setIfAbsentOrNotHashEqual":
      return client.setIfAbsentOrNotHashEqual(
        cache,
        bytesField(request, "key"),
        bytesField(request, "value"),
        hashField(request),
        withTtl(request, options),
      );
    case "setWithHash":
      return client.setWithHash(
        cache,
        bytesField(request, "key"),
        bytesField(request, "value"),
        withTtl(request, options),
      );
    case "createCache":
      return client.createCache(cache, options);
    case "deleteCache":
      return client.deleteCache(cache, options);
    case "flushCache":
      return client.flushCache(cache, options);
    case "ping":
      return client.ping(options);
    default:
      return null;
  }
}
