import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import fc from "fast-check";
import {
  doubleIn,
  flagsIn,
  itemsIn,
  listIn,
  partsIn,
  scoredIn,
  scoresIn,
} from "../../src/collections/collection-responses.js";
import * as dictionary from "../../src/operations/_generated/dictionary-operations.js";
import * as list from "../../src/operations/_generated/list-operations.js";
import * as set from "../../src/operations/_generated/set-operations.js";
import * as sortedSet from "../../src/operations/_generated/sorted-set-operations.js";
import type { Operation } from "../../src/operations/operation.js";
import { ProtoError, ProtoReader } from "../../src/operations/proto-reader.js";
import { ScanItemsOperation } from "../../src/operations/scan-operations.js";
import { responseBytes } from "../support/contract.js";

const v = Buffer.from("value");
const scan = new ScanItemsOperation("cache", "c", v, 0);
/** For each response shape, an operation that parses it and an example response with all its fields. */
const shapes: readonly (readonly [name: string, operation: Operation<unknown>, rpc: string, response: object])[] = [
  [
    "parts with values",
    new dictionary.DictionaryGetOperation("cache", "d", ["a", "b"]),
    "DictionaryGet",
    { found: { parts: [{ result: 2, value: v }, { result: 3 }] } },
  ],
  [
    "fields with values",
    new dictionary.DictionaryFetchOperation("cache", "d"),
    "DictionaryFetch",
    { found: { items: [{ field: v, value: v }] } },
  ],
  ["elements", new set.SetFetchOperation("cache", "s"), "SetFetch", { found: { elements: [v, v] } }],
  [
    "flags",
    new set.SetContainsOperation("cache", "s", ["a", "b"]),
    "SetContains",
    { found: { contains: [true, false] } },
  ],
  ["popped element", new list.ListPopFrontOperation("cache", "l"), "ListPopFront", { found: { value: v, length: 1 } }],
  ["length", new list.ListLengthOperation("cache", "l"), "ListLength", { found: { length: 300 } }],
  [
    "elements with scores",
    new sortedSet.SortedSetFetchByRankOperation("cache", "z", 0, undefined, undefined),
    "SortedSetFetch",
    { found: { withScores: { elements: [{ value: v, score: 1.5 }] } } },
  ],
  [
    "parts with scores",
    new sortedSet.SortedSetGetScoreOperation("cache", "z", ["a", "b"]),
    "SortedSetGetScore",
    { found: { parts: [{ result: 2, score: 1.5 }, { result: 3 }] } },
  ],
  [
    "rank",
    new sortedSet.SortedSetGetRankOperation("cache", "z", "a", 0),
    "SortedSetGetRank",
    { part: { result: 2, rank: 300 } },
  ],
  [
    "score",
    new sortedSet.SortedSetIncrementOperation("cache", "z", "a", 1, { ttlMs: 1, refreshes: true }),
    "SortedSetIncrement",
    { score: 1.5 },
  ],
  ["dictionary page", scan, "ScanItems", { dictionary: { fields: [{ field: v, value: v }] } }],
  ["set page", scan, "ScanItems", { set: { elements: [v, v] } }],
  ["list page", scan, "ScanItems", { list: { elements: [v, v] } }],
  ["sorted set page", scan, "ScanItems", { sortedSet: { elements: [{ value: v, score: 1.5 }] } }],
];

describe("malformed responses", () => {
  for (const [name, operation, rpc, response] of shapes) {
    const whole = responseBytes(rpc, response);

    test(`${name}: decodes the full response and rejects truncated ones`, () => {
      assert.ok(operation.decode(new ProtoReader(whole)));
      for (let length = 1; length < whole.length; length++)
        assert.throws(() => operation.decode(new ProtoReader(whole, 0, length)), ProtoError, `${length} bytes`);
    });

    test(`${name}: any bytes decode or fail with a ProtoError`, () => {
      const read = (bytes: Uint8Array) => {
        try {
          operation.decode(new ProtoReader(Buffer.from(bytes)));
        } catch (error) {
          assert.ok(error instanceof ProtoError, String(error));
        }
      };
      fc.assert(fc.property(fc.uint8Array({ maxLength: 64 }), read));
      const changed = fc.tuple(fc.nat(whole.length - 1), fc.nat(255)).map(([at, byte]) => {
        const bytes = Buffer.from(whole);
        bytes[at] = byte;
        return bytes;
      });
      fc.assert(fc.property(changed, read));
    });

    test(`${name}: ignores unknown fields`, () => {
      const more = Buffer.concat([Buffer.from([0xf8, 0x01, 0x07, 0xfd, 0x01, 1, 2, 3, 4]), whole]);
      assert.deepEqual(operation.decode(new ProtoReader(more)), operation.decode(new ProtoReader(whole)));
    });
  }

  test("field with a wrong wire type counts as missing", () => {
    const wrong = () => new ProtoReader(Buffer.from([8, 1, 0x0d, 1, 2, 3, 4]));
    assert.equal(listIn(wrong(), 1).count, 0);
    assert.equal(itemsIn(wrong(), 1).count, 0);
    assert.equal(scoredIn(wrong(), 1).count, 0);
    assert.equal(doubleIn(wrong(), 1), 0);
    assert.throws(() => partsIn(wrong(), 1, 1), /0 elements instead of 1/);
    assert.throws(() => scoresIn(wrong(), 1, 1), ProtoError);
    assert.throws(() => flagsIn(wrong(), 1, 2), ProtoError);
  });

  test("a million empty elements are decoded lazily", () => {
    const many = new ProtoReader(Buffer.alloc(2_000_000, Buffer.from([10, 0])));
    const parts = listIn(many, 1);
    assert.equal(parts.count, 1_000_000);
    assert.equal(parts.text(999_999), "");
  });
});

test("decoded elements outlive the receive buffer", () => {
  const received = Buffer.from([10, 1, 0x61, 10, 1, 0x62]);
  const parts = listIn(new ProtoReader(received), 1);
  received.fill(0);
  assert.deepEqual([parts.text(0), parts.text(1)], ["a", "b"]);
});
