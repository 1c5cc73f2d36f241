import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import { inspect } from "node:util";
import { ElementsHit, PoppedHit, ScoredElementsHit } from "../../src/collections/collection-hits.js";
import { listIn } from "../../src/collections/collection-responses.js";
import { SortedSetFetchByRankOperation } from "../../src/operations/_generated/sorted-set-operations.js";
import { ProtoReader } from "../../src/operations/proto-reader.js";
import { responseBytes } from "../support/contract.js";

function elements(...values: readonly (string | Buffer)[]): ElementsHit {
  const bytes = responseBytes("SetFetch", { found: { elements: values.map((value) => Buffer.from(value)) } });
  const reader = new ProtoReader(bytes);
  reader.varint();
  return new ElementsHit(reader.nested((content) => listIn(content, 1)));
}

describe("collection hits", () => {
  test("decodes text and bytes once", () => {
    const hit = elements("a", "wörth");
    assert.deepEqual(hit.elements, ["a", "wörth"]);
    assert.equal(hit.elements, hit.elements);
    assert.equal(hit.elementsBytes, hit.elementsBytes);
    assert.equal(hit.count, 2);
  });

  test("writing to one element's bytes does not change other elements", () => {
    const hit = elements("ab", "cd");
    hit.elementsBytes[0]!.fill(0);
    assert.deepEqual(hit.elementsBytes[1], Buffer.from("cd"));
  });

  test("invalid UTF-8 is replaced in text, unchanged in bytes", () => {
    const hit = elements(Buffer.from([0xff, 0x61]));
    assert.deepEqual(hit.elements, ["\ufffda"]);
    assert.deepEqual(hit.elementsBytes, [Buffer.from([0xff, 0x61])]);
  });

  test("console.log shows the first elements and truncates long text", () => {
    assert.equal(inspect(elements("a", "b")), "Hit { elements: [ 'a', 'b' ] }");
    assert.equal(inspect(elements()), "Hit { elements: [] }");
    const many = inspect(elements(...Array.from({ length: 1_000 }, (_, i) => `${i} ${"x".repeat(10_000)}`)));
    assert.ok(many.length < 20 * 300, String(many.length));
    assert.match(many, /… of 1000 }$/);
    assert.equal(inspect(new PoppedHit(Buffer.from("v"), 2)), "Hit { value: 'v', length: 2 }");
  });

  test("JSON contains the count and the first elements", () => {
    assert.equal(JSON.stringify(elements("a", "b")), '{"result":"hit","count":2,"elements":["a","b"]}');
    const many = JSON.parse(JSON.stringify(elements(...Array.from({ length: 1_000 }, String))));
    assert.deepEqual([many.count, many.elements.length], [1_000, 20]);
    assert.equal(JSON.stringify(new PoppedHit(Buffer.from("v"), 2)), '{"result":"hit","value":"v","length":2}');
  });

  test("sorted set hit returns element-score pairs", () => {
    const fetch = new SortedSetFetchByRankOperation("cache", "z", 0, undefined, undefined);
    const scored = [{ value: Buffer.from("a"), score: 1 }];
    const bytes = responseBytes("SortedSetFetch", { found: { withScores: { elements: scored } } });
    const hit = fetch.decode(new ProtoReader(bytes));
    assert.ok(hit instanceof ScoredElementsHit);
    assert.deepEqual(new Map(hit.elements), new Map([["a", 1]]));
  });
});
