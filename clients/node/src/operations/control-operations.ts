import type { CacheInfo } from "../client/responses.js";
import { kinds } from "./_generated/operation-kinds.js";
import { EmptyOperation, type OperationKind } from "./operation.js";
import type { ProtoReader } from "./proto-reader.js";

type ListCachesSuccess = { readonly result: "success"; readonly caches: readonly CacheInfo[] };

export class ListCachesOperation extends EmptyOperation<ListCachesSuccess> {
  get kind(): OperationKind {
    return kinds.listCaches;
  }
  decode(reader: ProtoReader): ListCachesSuccess {
    const caches: CacheInfo[] = [];
    while (reader.more) {
      const tag = reader.varint();
      if (tag === 10) caches.push(reader.nested(readCache));
      else reader.skip(tag);
    }
    return { result: "success", caches };
  }
}

function readCache(reader: ProtoReader): CacheInfo {
  let name = "";
  let limits = { maxItemSizeKiB: 0, maxTtlSeconds: 0 };
  while (reader.more) {
    const tag = reader.varint();
    if (tag === 10) name = reader.text();
    else if (tag === 18) limits = reader.nested(readLimits);
    else reader.skip(tag);
  }
  return { name, ...limits };
}

function readLimits(reader: ProtoReader): { maxItemSizeKiB: number; maxTtlSeconds: number } {
  const limits = { maxItemSizeKiB: 0, maxTtlSeconds: 0 };
  while (reader.more) {
    const tag = reader.varint();
    if (tag === 24) limits.maxItemSizeKiB = reader.varint();
    else if (tag === 32) limits.maxTtlSeconds = reader.varint();
    else reader.skip(tag);
  }
  return limits;
}
