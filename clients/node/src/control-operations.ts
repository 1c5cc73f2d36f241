import { Operation, type OperationKind } from "./operation.js";
import type { ProtoReader } from "./proto-reader.js";
import { byteLength, fieldLength, type ProtoWriter } from "./proto-writer.js";
import type { CacheInfo, Success } from "./responses.js";
import { success } from "./responses.js";

function controlKind(name: string, path: string, idempotent: boolean): OperationKind {
  return Object.freeze({ name, path, field: 0, idempotent, serverStream: false });
}

const service = "/control_client.ScsControl/";
export const createCacheKind = controlKind("createCache", `${service}CreateCache`, false);
export const deleteCacheKind = controlKind("deleteCache", `${service}DeleteCache`, false);
export const flushCacheKind = controlKind("flushCache", `${service}FlushCache`, false);
const listCachesKind = controlKind("listCaches", `${service}ListCaches`, true);
const pingKind = controlKind("ping", "/cache_client.Ping/Ping", true);

/** A control call that names a cache and answers nothing. */
export class CacheControlOperation extends Operation<Success> {
  readonly #nameLength: number;

  constructor(
    readonly kind: OperationKind,
    readonly name: string,
  ) {
    super("", 0);
    this.#nameLength = byteLength(name);
  }
  measure(): number {
    return fieldLength(this.#nameLength);
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.name, this.#nameLength);
  }
  decode(): Success {
    return success;
  }
}

export class PingOperation extends Operation<Success> {
  get kind(): OperationKind {
    return pingKind;
  }

  constructor() {
    super("", 0);
  }
  measure(): number {
    return 0;
  }
  encode(): void {}
  decode(): Success {
    return success;
  }
}

type ListCachesSuccess = { readonly result: "success"; readonly caches: readonly CacheInfo[] };

export class ListCachesOperation extends Operation<ListCachesSuccess> {
  get kind(): OperationKind {
    return listCachesKind;
  }

  constructor() {
    super("", 0);
  }
  measure(): number {
    return 0;
  }
  encode(): void {}
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
