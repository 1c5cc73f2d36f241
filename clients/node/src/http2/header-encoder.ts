import type { ProtoWriter } from "../operations/proto-writer.js";
import { staticIndexOf, staticNames } from "./hpack.js";

export type HeaderField = readonly [name: string, value: string];

// RFC 9113, 6.5.2: a server's table until it says otherwise, and the most that is used of a larger one.
const mostTableBytes = 4_096;
// RFC 7541, 4.1: what an entry costs beside its text.
const entryBytes = 32;

/**
 * Encodes the header blocks of one connection. Calls repeat their fields, so each is entered into the server's table when it
 * is first sent and costs a byte afterwards. None is ever evicted: once the table is full, further fields travel as literals.
 * A block therefore changes only with `count` and `generation`, and is encoded once for many calls.
 */
export class HeaderEncoder {
  readonly #fields = new Map<string, number>();
  readonly #names = new Map<string, number>();
  #tableBytes = 0;
  #tableLimit = mostTableBytes;
  #mustAnnounce = false;
  #generation = 0;

  /** Entries of the table. */
  get count(): number {
    return this.#fields.size;
  }

  /** Rises when the table was emptied: indexes from before mean nothing. */
  get generation(): number {
    return this.#generation;
  }

  /** Whether the next block begins by saying that the table was emptied: no other block may do so again. */
  get mustAnnounce(): boolean {
    return this.#mustAnnounce;
  }

  /** The server's table has so many bytes: where that changes it, it begins anew. */
  resize(bytes: number): void {
    const limit = Math.min(bytes, mostTableBytes);
    if (limit === this.#tableLimit) return;
    this.#tableLimit = limit;
    this.#tableBytes = 0;
    this.#fields.clear();
    this.#names.clear();
    this.#generation++;
    this.#mustAnnounce = true;
  }

  /** Writes fields that calls repeat, printable ASCII all. */
  write(into: ProtoWriter, fields: readonly HeaderField[]): void {
    if (this.#mustAnnounce) {
      this.#mustAnnounce = false;
      writeInteger(into, 0x20, 5, 0);
      writeInteger(into, 0x20, 5, this.#tableLimit);
    }
    for (const [name, value] of fields) this.#field(into, name, value);
  }

  /** Writes a field whose value varies: it is not entered, but its name is, with the first. */
  writeVarying(into: ProtoWriter, name: string, value: string): void {
    const index = this.#indexOfName(name);
    if (index === 0) {
      this.#field(into, name, value);
      return;
    }
    into.reserve(value.length + 16);
    writeInteger(into, 0x00, 4, index);
    writeText(into, value);
  }

  #field(into: ProtoWriter, name: string, value: string): void {
    const key = `${name}\0${value}`;
    const place = this.#fields.get(key);
    const known = place === undefined ? staticIndexOf(name, value) : this.#indexAt(place);
    into.reserve(name.length + value.length + 32);
    if (known > 0) {
      writeInteger(into, 0x80, 7, known);
      return;
    }
    const index = this.#indexOfName(name);
    if (this.#enter(key, name, name.length + value.length + entryBytes)) writeInteger(into, 0x40, 6, index);
    else writeInteger(into, 0x00, 4, index);
    if (index === 0) writeText(into, name);
    writeText(into, value);
  }

  #enter(key: string, name: string, bytes: number): boolean {
    if (this.#tableBytes + bytes > this.#tableLimit) return false;
    this.#tableBytes += bytes;
    const place = this.#fields.size;
    this.#fields.set(key, place);
    if (!this.#names.has(name)) this.#names.set(name, place);
    return true;
  }

  #indexOfName(name: string): number {
    const place = this.#names.get(name);
    return place === undefined ? staticIndexOf(name) : this.#indexAt(place);
  }

  // The newest entry has the lowest index, right after the static ones.
  #indexAt(place: number): number {
    return staticNames.length + this.#fields.size - place;
  }
}

// RFC 7541, 5.1: what does not fit into the first byte's bits follows seven bits at a time, as in a varint.
function writeInteger(into: ProtoWriter, kind: number, bits: number, value: number): void {
  const most = 2 ** bits - 1;
  if (value < most) {
    into.byte(kind | value);
    return;
  }
  into.byte(kind | most);
  into.varint(value - most);
}

function writeText(into: ProtoWriter, text: string): void {
  into.reserve(text.length + 16);
  writeInteger(into, 0x00, 7, text.length);
  into.raw(text, text.length);
}
