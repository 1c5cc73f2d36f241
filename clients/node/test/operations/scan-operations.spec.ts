import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import { inspect } from "node:util";
import { miss } from "../../src/client/responses.js";
import { DictionaryPage, ListPage, SetPage, SortedSetPage } from "../../src/collections/collection-pages.js";
import { ProtoError, ProtoReader } from "../../src/operations/proto-reader.js";
import { ScanItemsOperation } from "../../src/operations/scan-operations.js";
import { answerOf, requestOf } from "../support/contract.js";

const bytes = (text: string) => Buffer.from(text);
const scan = new ScanItemsOperation("cache", "c", Buffer.alloc(0), 0);
const cursor = bytes("next");

describe("ScanItemsOperation", () => {
  test("encodes name, cursor and count", () => {
    assert.deepEqual(requestOf(new ScanItemsOperation("cache", "wörth", cursor, 2 ** 32 - 1)), {
      name: "wörth",
      cursor: "next",
      count: 2 ** 32 - 1,
    });
    assert.deepEqual(requestOf(scan), { name: "c", cursor: "", count: 0 });
  });

  test("decodes pages of each collection type", () => {
    const fields = [{ field: bytes("f"), value: bytes("1") }, { field: Buffer.from([0xff]) }];
    const dictionary = answerOf(scan, { dictionary: { fields }, cursor });
    assert.ok(dictionary instanceof DictionaryPage);
    assert.deepEqual(dictionary.items, [
      ["f", "1"],
      ["\ufffd", ""],
    ]);
    assert.deepEqual(dictionary.itemsBytes[1], [Buffer.from([0xff]), bytes("")]);
    const set = answerOf(scan, { set: { elements: [bytes("a"), bytes("")] }, cursor });
    assert.ok(set instanceof SetPage);
    assert.deepEqual(set.elements, ["a", ""]);
    const list = answerOf(scan, { list: { elements: [bytes("b"), bytes("a"), bytes("b")] }, cursor });
    assert.ok(list instanceof ListPage);
    assert.deepEqual(list.values, ["b", "a", "b"]);
    const scores = [{ value: bytes("e"), score: -1.5 }];
    const sortedSet = answerOf(scan, { sortedSet: { elements: scores }, cursor });
    assert.ok(sortedSet instanceof SortedSetPage);
    assert.deepEqual(sortedSet.elements, [["e", -1.5]]);
    assert.deepEqual(
      [dictionary, set, list, sortedSet].map(({ result, type }) => [result, type]),
      [
        ["hit", "dictionary"],
        ["hit", "set"],
        ["hit", "list"],
        ["hit", "sortedSet"],
      ],
    );
    for (const page of [dictionary, set, list, sortedSet]) assert.deepEqual(page.cursor, cursor);
  });

  test("decodes empty pages and a last page without cursor", () => {
    const empty = answerOf(scan, { set: {}, cursor });
    assert.ok(empty instanceof SetPage);
    assert.deepEqual([empty.count, empty.cursor], [0, cursor]);
    const last = answerOf(scan, { list: {} });
    assert.ok(last instanceof ListPage);
    assert.equal(last.cursor.length, 0);
    assert.equal(answerOf(scan, { missing: {} }), miss);
  });

  test("page does not change if the receive buffer is overwritten", () => {
    const received = Buffer.from([0x12, 3, 10, 1, 0x61, 0x4a, 1, 0x62]);
    const page = scan.decode(new ProtoReader(received));
    received.fill(0);
    assert.ok(page instanceof SetPage);
    assert.deepEqual([page.elements, page.cursor], [["a"], bytes("b")]);
  });

  test("page prints its type and cursor", () => {
    const page = answerOf(scan, { list: { elements: Array.from({ length: 100 }, () => bytes("v")) }, cursor });
    assert.match(inspect(page), /^Hit { values: \[.*\] … of 100, cursor: <Buffer .*>, type: 'list' }$/s);
    const { result, count, type, values } = JSON.parse(JSON.stringify(page));
    assert.deepEqual([result, count, type, values.length], ["hit", 100, "list", 20]);
  });

  // Each response is invalid. It has no item type, an unknown item type or only a cursor, or one of these fields has a
  // wrong wire type.
  const lies = [[], [0x32, 0], [0x4a, 1, 0], [0x08, 1], [0x0d, 0, 0, 0, 0], [0x48, 1], [0x29, 0, 0, 0, 0, 0, 0, 0, 0]];
  for (const lie of lies)
    test(`rejects a response of unknown type: ${Buffer.from(lie).toString("hex")}`, () => {
      assert.throws(() => scan.decode(new ProtoReader(Buffer.from(lie))), ProtoError);
    });
});
