import { Buffer } from "node:buffer";
import { type ItemType, type Miss, miss, type ScannedKey } from "../client/responses.js";
import { DictionaryPage, ListPage, SetPage, SortedSetPage } from "../collections/collection-pages.js";
import { itemsIn, listIn, scoredIn } from "../collections/collection-responses.js";
import { kinds } from "./_generated/operation-kinds.js";
import { KeyOperation, Operation, type OperationKind } from "./operation.js";
import { ProtoError, ProtoReader } from "./proto-reader.js";
import { type Bytes, byteLength, fieldLength, type ProtoWriter, varintLength } from "./proto-writer.js";

// The item types. The index of each type is its number in KeyType. 0 means any type.
const keyTypes: readonly (ItemType | undefined)[] = [undefined, "scalar", "dictionary", "set", "list", "sortedSet"];

type ItemPage = DictionaryPage | SetPage | ListPage | SortedSetPage;
type ScanKeysSuccess = { readonly result: "success"; readonly keys: readonly ScannedKey[]; readonly cursor: Buffer };

// The tags of the branches of ScanItemsResponse.
const branches = [10, 18, 26, 34, 42];

/**
 * Returns the numeric code of an item type for a scan request. Returns 0 ("any") for undefined, and a negative number
 * for an unknown type.
 */
export function keyTypeOf(type: ItemType | undefined): number {
  return keyTypes.indexOf(type);
}

export class ScanKeysOperation extends Operation<ScanKeysSuccess> {
  get kind(): OperationKind {
    return kinds.scanKeys;
  }
  constructor(
    cacheName: string,
    readonly prefix: Bytes,
    readonly keyType: number,
    readonly cursor: Uint8Array,
    readonly count: number,
  ) {
    super(cacheName, byteLength(prefix));
  }
  measure(): number {
    return (
      fieldLength(this.keyLengthBytes) +
      1 +
      varintLength(this.keyType) +
      fieldLength(this.cursor.length) +
      1 +
      varintLength(this.count)
    );
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.prefix, this.keyLengthBytes);
    writer.byte(16);
    writer.varint(this.keyType);
    writer.bytesField(26, this.cursor, this.cursor.length);
    writer.byte(32);
    writer.varint(this.count);
  }
  decode(reader: ProtoReader): ScanKeysSuccess {
    const keys: ScannedKey[] = [];
    let cursor: Buffer = Buffer.alloc(0);
    while (reader.more) {
      const tag = reader.varint();
      if (tag === 10) keys.push(reader.nested(readKey));
      else if (tag === 18) cursor = Buffer.from(reader.bytes());
      else reader.skip(tag);
    }
    return { result: "success", keys, cursor };
  }
}

export class ScanItemsOperation extends KeyOperation<ItemPage | Miss> {
  get kind(): OperationKind {
    return kinds.scanItems;
  }
  constructor(
    cacheName: string,
    key: Bytes,
    readonly cursor: Uint8Array,
    readonly count: number,
  ) {
    super(cacheName, key);
  }
  measure(): number {
    return fieldLength(this.keyLengthBytes) + fieldLength(this.cursor.length) + 1 + varintLength(this.count);
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writer.bytesField(18, this.cursor, this.cursor.length);
    writer.byte(24);
    writer.varint(this.count);
  }
  decode(reader: ProtoReader): ItemPage | Miss {
    let content = new ProtoReader(reader.buffer, 0, 0);
    let branch = 0;
    let cursor: Buffer = Buffer.alloc(0);
    while (reader.more) {
      const tag = reader.varint();
      if (tag === 74) cursor = Buffer.from(reader.bytes());
      else if (branches.includes(tag)) {
        branch = tag >>> 3;
        const end = reader.fieldEnd();
        content = new ProtoReader(reader.buffer, reader.position, end);
        reader.position = end;
      } else reader.skip(tag);
    }
    return pageOf(branch, content, cursor);
  }
}

function pageOf(branch: number, content: ProtoReader, cursor: Buffer): ItemPage | Miss {
  switch (branch) {
    case 1:
      return new DictionaryPage(itemsIn(content, 1), cursor);
    case 2:
      return new SetPage(listIn(content, 1), cursor);
    case 3:
      return new ListPage(listIn(content, 1), cursor);
    case 4:
      return new SortedSetPage(scoredIn(content, 1), cursor);
    case 5:
      return miss;
    default:
      throw new ProtoError("the result in the response of scanItems is missing or unknown");
  }
}

function readKey(reader: ProtoReader): ScannedKey {
  const read = { key: Buffer.alloc(0), type: 0, remainingTtlMs: 0, sizeBytes: 0 };
  while (reader.more) {
    const tag = reader.varint();
    if (tag === 10) read.key = Buffer.from(reader.bytes());
    else if (tag === 16) read.type = reader.varint();
    else if (tag === 24) read.remainingTtlMs = reader.varint();
    else if (tag === 32) read.sizeBytes = reader.varint();
    else reader.skip(tag);
  }
  const type = keyTypes[read.type];
  if (type === undefined) throw new ProtoError(`unknown item type ${read.type} in the response`);
  return { ...read, type };
}
