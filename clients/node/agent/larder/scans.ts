import { Buffer } from "node:buffer";
import type {
  Cache,
  CallOptions,
  DictionaryPage,
  ItemType,
  ListPage,
  ScannedKey,
  SetPage,
  SortedSetPage,
} from "../../src/index.js";
import type { Request } from "../line-agent.js";
import { told } from "./collection-fields.js";
import { bytesField, bytesFields } from "./fields.js";

/**
 * Returns one page of keys in protocol form. If the request contains "all", returns all pages as one sorted list of
 * keys without duplicates.
 */
export async function scanKeys(cache: Cache, request: Request, options: CallOptions): Promise<object> {
  const prefix = "prefix" in request || "prefixBase64" in request ? bytesField(request, "prefix") : "";
  const type = request.type as ItemType | undefined;
  const count = request.count as number | undefined;
  const met = new Map<string, ScannedKey>();
  let cursor: Buffer = Buffer.from(String(request.cursorBase64 ?? ""), "base64");
  while (true) {
    const page = await cache.scanKeys({ ...options, prefix, type, cursor, count });
    if (page.result === "error") return page;
    if (request.all !== true) return toldKeys(page.keys, page.cursor);
    for (const each of page.keys) met.set(each.key.toString("latin1"), each);
    cursor = page.cursor;
    if (cursor.length === 0) return toldKeys(inOrder([...met.values()]), cursor);
  }
}

function inOrder(keys: ScannedKey[]): ScannedKey[] {
  return keys.sort((one, other) => Buffer.compare(one.key, other.key));
}

function toldKeys(keys: readonly ScannedKey[], cursor: Buffer): object {
  const lines = keys.map(({ key, ...rest }) => ({ ...bytesFields("key", key), ...rest }));
  return { result: "success", keys: lines, cursorBase64: cursor.toString("base64") };
}

type Page = DictionaryPage | SetPage | ListPage | SortedSetPage;
/** A field with its value, an element, or an element with its score. */
type Held = Buffer | readonly [Buffer, Buffer | number];

/**
 * Returns one page of a collection. If the request contains "all", returns all pages as one list. Unless the collection
 * is a list, the items are then sorted and without duplicates.
 */
export async function scanItems(cache: Cache, request: Request, options: CallOptions): Promise<object> {
  const name = bytesField(request, "key");
  const count = request.count as number | undefined;
  const all = request.all === true;
  const met: Held[] = [];
  let cursor: Buffer = Buffer.from(String(request.cursorBase64 ?? ""), "base64");
  while (true) {
    const page = await cache.scanItems(name, { ...options, cursor, count });
    if (page.result !== "hit") return page;
    met.push(...heldOn(page));
    cursor = page.cursor;
    if (all && cursor.length > 0) continue;
    const { type } = page;
    const held = all && type !== "list" ? latest(met) : met;
    const noun = type === "dictionary" ? "items" : "elements";
    return { result: "hit", type, [noun]: told(held), cursorBase64: cursor.toString("base64") };
  }
}

function heldOn(page: Page): readonly Held[] {
  if (page.type === "dictionary") return page.itemsBytes;
  return page.type === "list" ? page.valuesBytes : page.elementsBytes;
}

function latest(met: readonly Held[]): Held[] {
  const once = new Map(met.map((held) => [nameOf(held).toString("latin1"), held]));
  return [...once.values()].sort((one, other) => Buffer.compare(nameOf(one), nameOf(other)));
}

function nameOf(held: Held): Buffer {
  return Buffer.isBuffer(held) ? held : held[0];
}
