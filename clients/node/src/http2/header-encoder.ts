import type { ProtoWriter } from "../operations/proto-writer.js";
import { staticIndexOf, staticNames } from "./hpack.js";

export type HeaderField = readonly [name: string, value: string];

// RFC 9113, section 6.5.2: the default size of the server's table. If the server's table is larger, the client uses
// only this size.
const maxTableBytes = 4_096;
// RFC 7541, section 4.1: the overhead of a table entry in addition to its text.
const entryBytes = 32;

/**
 * Encodes the header blocks of one connection. Calls repeat their fields. Each field is therefore added to the server's
 * table when it is first sent, and takes one byte afterwards. Entries are never evicted: when the table is full, new
 * fields are sent as literals. An encoded block therefore stays valid while `count` and `generation` do not change, and
 * many calls can use it.
 */
export class HeaderEncoder {
  readonly #fields = new Map<string, number>();
  readonly #names = new Map<string, number>();
  #tableBytes = 0;
  #tableLimit = maxTableBytes;
  #mustAnnounce = false;
  #generation = 0;

  /** Returns the number of table entries. */
  get count(): number {
    return this.#fields.size;
  }

  /** Returns a number that increases when the table is cleared. Clearing the table invalidates all earlier indexes. */
  get generation(): number {
    return this.#generation;
  }

  /** Returns whether the next block must announce that the table was cleared. Only one block may announce it. */
  get mustAnnounce(): boolean {
    return this.#mustAnnounce;
  }

  /** Sets the size of the server's table. A change clears the table. */
  resize(bytes: number): void {
    const limit = Math.min(bytes, maxTableBytes);
    if (limit === this.#tableLimit) return;
    this.#tableLimit = limit;
    this.#tableBytes = 0;
    this.#fields.clear();
    this.#names.clear();
    this.#generation++;
    this.#mustAnnounce = true;
  }

  /** Writes fields that many calls repeat. Their names and values must be printable ASCII. */
  write(into: ProtoWriter, fields: readonly HeaderField[]): void {
    if (this.#mustAnnounce) {
      this.#mustAnnounce = false;
      writeInteger(into, 0x20, 5, 0);
      writeInteger(into, 0x20, 5, this.#tableLimit);
    }
    for (const [name, value] of fields) this.#field(into, name, value);
  }

  /**
   * Writes a field whose value is different in most calls. The name is added to the table with the first value. Later
   * values are not added.
   */
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
    if (this.#addEntry(key, name, name.length + value.length + entryBytes)) writeInteger(into, 0x40, 6, index);
    else writeInteger(into, 0x00, 4, index);
    if (index === 0) writeText(into, name);
    writeText(into, value);
  }

  #addEntry(key: string, name: string, bytes: number): boolean {
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

  // The newest entry has the lowest index, directly after the static entries.
  #indexAt(place: number): number {
    return staticNames.length + this.#fields.size - place;
  }
}

// RFC 7541, section 5.1: if a value does not fit in the bits of the first byte, it continues in groups of seven bits,
// like a varint.
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
