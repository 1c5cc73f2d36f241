import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { failedPrecondition, invalid } from "./call-rejection.js";
import type { FakeCache } from "./fake-cache.js";
import type { FakeCall } from "./fake-call.js";
import {
  bytesOf,
  type Dictionary,
  type ElementSet,
  itemTypes,
  type List,
  type Name,
  nameOf,
  type SortedSet,
  sizeOf,
} from "./fake-values.js";
import { doubleField, field, Message, numberField } from "./message.js";

// SCAN-6, ITEMS-3: limits of a page.
const defaultCount = 100;
const maxCount = 4_096;
const maxPageBytes = 1 << 20;
const sealBytes = 8;

function countIn(request: Message, number: number): number {
  return Math.min(maxCount, request.number(number) || defaultCount);
}

// Returns the contents of a cursor, without its seal. Null for an empty cursor. Throws if the cursor belongs to another
// cache (SCAN-7).
function placeIn(cache: FakeCache, cursor: Buffer, kind: string): Message | null {
  if (cursor.length === 0) return null;
  const place = cursor.subarray(sealBytes);
  if (!cursor.subarray(0, sealBytes).equals(sealOf(cache, kind, place)))
    throw invalid("the cursor does not belong to this scan; restart the scan without a cursor");
  return new Message(place);
}

function cursorOf(cache: FakeCache, kind: string, ...parts: readonly Buffer[]): Buffer {
  const place = Buffer.concat(parts);
  return Buffer.concat([sealOf(cache, kind, place), place]);
}

function sealOf(cache: FakeCache, kind: string, place: Buffer): Buffer {
  return createHash("sha256").update(cache.id).update(kind).update(place).digest().subarray(0, sealBytes);
}

/**
 * Returns the items of a page, and whether more items follow. A page ends after `count` items, or with the item that
 * reaches the maximum size of a page.
 */
function pageOf<T>(
  all: readonly T[],
  count: number,
  bytes: (each: T) => number,
): { page: readonly T[]; more: boolean } {
  let size = 0;
  let end = 0;
  while (end < Math.min(count, all.length) && size < maxPageBytes) size += bytes(all[end++]!);
  return { page: all.slice(0, end), more: end < all.length };
}

// Returns a page of keys. Keys are ordered by their bytes, and the cursor is the last returned key. As a result, a scan
// returns every key that exists during the whole scan, even if other keys are added or removed (SCAN-1).
const scanKeys: FakeCall = (cache, request) => {
  const prefix = nameOf(request.bytes(1));
  const place = placeIn(cache, request.bytes(3), "k");
  const type = request.number(2) === 0 ? null : itemTypes[request.number(2) - 1];
  const after = place === null ? null : nameOf(place.bytes(1));
  const all = [...cache.entries()]
    .filter(([name, { value: held }]) => name.startsWith(prefix) && (type === null || held.type === type))
    .filter(([name]) => after === null || name > after)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const { page, more } = pageOf(all, countIn(request, 4), ([name]) => name.length);
  const keys = page.map(([name, item]) =>
    field(
      1,
      field(1, bytesOf(name)),
      numberField(2, itemTypes.indexOf(item.value.type) + 1),
      numberField(3, cache.reportedTtlMs(item)),
      numberField(4, sizeOf(item.value)),
    ),
  );
  const last = more ? [field(2, cursorOf(cache, "k", field(1, bytesOf(page.at(-1)![0]))))] : [];
  return Buffer.concat([...keys, ...last]);
};

const missing = 5;

const scanItems: FakeCall = (cache, request) => {
  const key = request.bytes(1);
  const place = placeIn(cache, request.bytes(2), "i");
  if (place !== null && !place.bytes(1).equals(key))
    throw invalid("the cursor does not belong to this key; restart without a cursor");
  const held = cache.find(key)?.value;
  if (held === undefined) return field(missing);
  const branch = itemTypes.indexOf(held.type);
  if (held.type === "scalar") throw failedPrecondition("the key holds a scalar, which has no elements");
  if (place !== null && place.number(2) !== branch)
    throw failedPrecondition(
      "the type of the collection has changed since the previous page; restart the scan without a cursor",
    );
  const count = countIn(request, 3);
  const { elements, next } = held.type === "list" ? listPage(held, place, count) : namedPage(held, place, count);
  const cursor = next === null ? [] : [field(9, cursorOf(cache, "i", field(1, key), numberField(2, branch), ...next))];
  return Buffer.concat([field(branch, Buffer.concat(elements)), ...cursor]);
};

type Named = Dictionary | ElementSet | SortedSet;

interface ItemsPage {
  readonly elements: readonly Buffer[];
  /** The next position, for the cursor. Null at the end of the collection. */
  readonly next: readonly Buffer[] | null;
}

// Returns a page of fields or elements. They are ordered by their bytes, and the cursor is the last returned field or
// element.
function namedPage(held: Named, place: Message | null, count: number): ItemsPage {
  const after = place === null ? null : nameOf(place.bytes(3));
  const all = namesOf(held)
    .filter((name) => after === null || name > after)
    .sort((one, other) => (one < other ? -1 : 1));
  const { page, more } = pageOf(all, count, (name) => partsOf(held, name).reduce((sum, part) => sum + part.length, 0));
  return {
    elements: page.map((name) => elementOf(held, name)),
    next: more ? [field(3, bytesOf(page.at(-1)!))] : null,
  };
}

function namesOf(held: Named): readonly Name[] {
  if (held.type === "dictionary") return [...held.fields.keys()];
  if (held.type === "set") return [...held.elements];
  return [...held.scores.keys()];
}

function partsOf(held: Named, name: Name): readonly Buffer[] {
  if (held.type === "dictionary") return [field(1, bytesOf(name)), field(2, held.fields.get(name)!)];
  if (held.type === "sortedSet") return [field(1, bytesOf(name)), doubleField(2, held.scores.get(name)!)];
  return [bytesOf(name)];
}

function elementOf(held: Named, name: Name): Buffer {
  return field(1, ...partsOf(held, name));
}

// Returns a page of a list. The cursor contains the next position, and the number of elements that had been removed
// from the middle of the list (ITEMS-9).
function listPage(list: List, place: Message | null, count: number): ItemsPage {
  const start = place === null ? 0 : Number(place.signed(3)) - list.base - (list.removed - place.number(4));
  const from = Math.min(list.elements.length, Math.max(0, start));
  const { page, more } = pageOf(list.elements.slice(from), count, (element) => element.length);
  return {
    elements: page.map((element) => field(1, element)),
    next: more ? [numberField(3, list.base + from + page.length), numberField(4, list.removed)] : null,
  };
}

/** The calls that read a cache or a collection page by page, by RPC name. */
export const scanCalls: Readonly<Record<string, FakeCall>> = { ScanKeys: scanKeys, ScanItems: scanItems };
