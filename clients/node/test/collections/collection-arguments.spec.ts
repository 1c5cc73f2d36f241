import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ErrorResponse } from "../../src/client/responses.js";
import * as given from "../../src/collections/collection-arguments.js";
import { ScoreBound } from "../../src/collections/score-bound.js";

const codeOf = (response: ErrorResponse | null) => response?.error.code ?? null;
const a = new Uint8Array([1]);

describe("reading collection arguments", () => {
  test("accepts any iterable, object or Map of arguments", () => {
    assert.deepEqual(given.bytesOf("elements", new Set(["x", a])), ["x", a]);
    assert.deepEqual(given.dictionaryItemsOf({ f: "1" }), [["f", "1"]]);
    assert.deepEqual(given.dictionaryItemsOf(new Map([[a, a]])), [[a, a]]);
    assert.deepEqual(given.scoredElementsOf([["x", 1]]), [["x", 1]]);
    assert.deepEqual(given.scoredElementsOf({ x: -1 }), [["x", -1]]);
    assert.deepEqual(given.rangesOf([[0, 2]]), [[0, 2]]);
    assert.deepEqual(given.sourcesOf(["x", ["y"], ["z", 2]]), [
      ["x", 1],
      ["y", 1],
      ["z", 2],
    ]);
    assert.deepEqual(given.sourcesOf({ x: 2 }), [["x", 2]]);
  });

  test("copies the list, so later changes have no effect", () => {
    const pair: [string, number] = ["x", 1];
    const list = [pair];
    const own = given.scoredElementsOf(list);
    pair[1] = 2;
    list.push(["y", 3]);
    assert.deepEqual(own, [["x", 1]]);
  });

  test("throws a TypeError for invalid lists, strings and byte arrays", () => {
    const readers = [
      (list: never) => given.bytesOf("elements", list),
      given.dictionaryItemsOf,
      given.scoredElementsOf,
      given.rangesOf,
      given.sourcesOf,
    ];
    for (const read of readers)
      for (const wrong of [undefined, null, 7, "ab", a, () => [], Symbol("s"), [undefined], [null], [7], [{}], [[]]])
        assert.throws(() => read(wrong as never), TypeError, String(read));
    for (const wrong of [["ab"], [["f"]], [["f", 1]], [[1, "v"]]])
      assert.throws(() => given.dictionaryItemsOf(wrong as never), TypeError);
    for (const wrong of [["ab"], [["x", "1"]], [["x", null]], [["x", 1n]]])
      assert.throws(() => given.scoredElementsOf(wrong as never), TypeError);
    for (const wrong of [["ab"], [["0", 1]], [[0]], [[0, 1n]]])
      assert.throws(() => given.rangesOf(wrong as never), TypeError);
    assert.throws(() => given.bytesOf("fields", {} as never), /the fields must be an iterable/);
  });

  test("rethrows an exception of the caller's iterator", () => {
    function* failing(): Generator<string> {
      yield "a";
      throw new RangeError("the caller's own");
    }
    assert.throws(() => given.bytesOf("elements", failing()), /the caller's own/);
  });

  test("endless iterable is closed when it exceeds the maximum", () => {
    const seen = { items: 0, closed: false };
    function* endless(): Generator<string> {
      try {
        while (true) {
          seen.items++;
          yield "x";
        }
      } finally {
        seen.closed = true;
      }
    }
    const refused = given.checkElements(given.bytesOf("elements", endless()));
    assert.equal(codeOf(refused), "LimitExceeded");
    assert.equal(refused?.error.cause, "request_size_limit_exceeded");
    assert.deepEqual(seen, { items: given.maxElements + 1, closed: true });
  });

  test("accepts the maximum number of elements", () => {
    const most = Array.from({ length: given.maxElements }, () => "");
    assert.equal(given.checkElements(given.bytesOf("elements", most)), null);
  });

  test("rejects elements that together exceed the maximum request size", () => {
    const large = new Uint8Array(1_048_576);
    const elements = Array.from({ length: 10 }, () => large);
    assert.equal(given.checkElements([...elements, new Uint8Array(524_288)]), null);
    assert.equal(codeOf(given.checkElements([...elements, new Uint8Array(524_289)])), "LimitExceeded");
    assert.equal(codeOf(given.checkItems(elements.map((each) => [each, "x".repeat(60_000)]))), "LimitExceeded");
    assert.equal(codeOf(given.checkFields([...elements, large])), "LimitExceeded");
    assert.equal(codeOf(given.checkScoredElements([...elements, large].map((each) => [each, 1]))), "LimitExceeded");
    assert.equal(codeOf(given.checkSources([...elements, large].map((each) => [each, 1]))), "LimitExceeded");
  });
});

describe("checking collection arguments", () => {
  const refused = (responses: readonly (ErrorResponse | null)[]) =>
    assert.deepEqual(
      responses.map(codeOf),
      responses.map(() => "InvalidArgument"),
    );

  test("rejects empty names, invalid Unicode and NaN scores", () => {
    refused([
      given.checkField(""),
      given.checkField("\ud800"),
      given.checkFields(["a", ""]),
      given.checkItems([["", "v"]]),
      given.checkItems([["f", "\udc00"]]),
      given.checkElements(["a\ud800"]),
      given.checkScoredElements([["\ud800", 1]]),
      given.checkScoredElements([["x", Number.NaN]]),
      given.checkSources([["", 1]]),
      given.checkSources([["\ud800", 1]]),
      given.checkSources([["x", Number.NaN]]),
      given.checkNumber("amount", Number.NaN),
      given.checkBound("min", ScoreBound.exclusive(Number.NaN)),
    ]);
    assert.equal(given.checkElements([""]), null);
    assert.equal(given.checkItems([["f", ""]]), null);
  });

  test("rejects weights that overflow a float but accepts infinity", () => {
    refused([given.checkSources([["x", 1e39]]), given.checkSources([["x", -1e39]])]);
    for (const weight of [0, -1, 3.4e38, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
      assert.equal(given.checkSources([["x", weight]]), null, String(weight));
  });

  test("rejects counts that are not unsigned 32-bit integers", () => {
    refused([-1, 0.5, 2 ** 32, Number.NaN, Number.POSITIVE_INFINITY, -1e300].map((n) => given.checkCount("count", n)));
    refused([given.checkCount("limit", 2 ** 53, Number.MAX_SAFE_INTEGER)]);
    refused([given.checkRanges([[-1, 1]]), given.checkRanges([[0, 0.5]]), given.checkRanges([[0, 2 ** 32]])]);
    for (const count of [0, 1, 2 ** 32 - 1]) assert.equal(given.checkCount("count", count), null);
  });

  test("rejects indexes that are not signed 32-bit integers", () => {
    refused([-(2 ** 31) - 1, 2 ** 31, 0.5, Number.NaN, 1e300].map((index) => given.checkIndex("start", index)));
    for (const index of [undefined, 0, -1, -(2 ** 31), 2 ** 31 - 1])
      assert.equal(given.checkIndex("start", index), null, String(index));
  });

  test("wrong argument types throw a TypeError", () => {
    for (const wrong of ["1", null, 1n, true, [], {}]) {
      assert.throws(() => given.checkCount("count", wrong as never), TypeError);
      assert.throws(() => given.checkIndex("start", wrong as never), TypeError);
      assert.throws(() => given.checkNumber("amount", wrong as never), TypeError);
      assert.throws(() => given.boundOf("min", wrong as never), /TypeError.*ScoreBound/);
      assert.throws(() => ScoreBound.inclusive(wrong as never), TypeError);
      assert.throws(() => ScoreBound.exclusive(wrong as never), TypeError);
    }
  });

  test("choiceOf accepts only the documented names", () => {
    assert.equal(given.choiceOf("order", "descending", given.sortedSetOrders), 1);
    assert.equal(given.choiceOf("aggregate", "max", given.sortedSetAggregates), 2);
    for (const wrong of ["DESCENDING", "", 1, null, "toString"])
      assert.throws(() => given.choiceOf("order", wrong as never, given.sortedSetOrders), /ascending, descending/);
  });

  test("boundOf turns a number into an inclusive bound", () => {
    assert.deepEqual(given.boundOf("min", 1), ScoreBound.inclusive(1));
    assert.equal(given.boundOf("min", undefined), undefined);
    const exclusive = ScoreBound.exclusive(1);
    assert.equal(given.boundOf("min", exclusive), exclusive);
  });
});
