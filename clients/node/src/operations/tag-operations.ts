import { type Success, success } from "../client/responses.js";
import { encodedBytes, writeList } from "../collections/collection-fields.js";
import { kinds } from "./_generated/operation-kinds.js";
import { Operation, type OperationKind } from "./operation.js";
import type { ProtoReader } from "./proto-reader.js";
import type { Bytes, ProtoWriter } from "./proto-writer.js";

export class RemoveByTagOperation extends Operation<Success> {
  get kind(): OperationKind {
    return kinds.removeByTag;
  }
  readonly #tags;

  constructor(cacheName: string, tags: readonly Bytes[]) {
    super(cacheName, 0);
    this.#tags = encodedBytes(10, tags);
  }
  measure(): number {
    return this.#tags.bytes.length;
  }
  encode(writer: ProtoWriter): void {
    writeList(writer, this.#tags);
  }
  decode(reader: ProtoReader): Success {
    while (reader.more) reader.skip(reader.varint());
    return success;
  }
}
