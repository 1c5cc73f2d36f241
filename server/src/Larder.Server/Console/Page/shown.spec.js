// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { amongOthers, beginningOf, shownAs } from "./shown.js";

const utf8 = new TextEncoder();

test("shownAs explains why a format cannot show the value", () => {
  assert.deepEqual(shownAs("Text", Uint8Array.of(0xff), 1), ["", "These bytes are not UTF-8 text; select Hex to see them."]);
  assert.deepEqual(shownAs("JSON", utf8.encode("{"), 1), ["", "The value is not valid JSON."]);
  assert.deepEqual(shownAs("Text", utf8.encode("ab"), 3), ["ab", "Truncated: the first 2 of 3 bytes."]);
});

test("amongOthers falls back from JSON to text to hex", () => {
  assert.deepEqual(amongOthers("JSON", utf8.encode('{"a":1}'), 7), ['{\n  "a": 1\n}', ""]);
  assert.deepEqual(amongOthers("JSON", utf8.encode("plain"), 9), ["plain", "This is not JSON. Truncated: the first 5 of 9 bytes."]);
  assert.deepEqual(amongOthers("JSON", Uint8Array.of(0xff, 0), 2), ["0xff00", ""]);
  assert.deepEqual(amongOthers("Text", Uint8Array.of(0xff, 0), 3), ["0xff00", "Truncated: the first 2 of 3 bytes."]);
  assert.match(amongOthers("Hex", utf8.encode("A"), 1)[0], /^000000 {2}41/);
  assert.deepEqual(amongOthers("JSON", new Uint8Array(), 0), ["", "The value is empty."]);
});

test("beginningOf limits lines and characters without splitting characters", () => {
  assert.equal(beginningOf("short\n\n"), "short\n\n");
  assert.equal(beginningOf("line\n".repeat(20)), "line\n".repeat(8).trimEnd());
  assert.equal(beginningOf(`a${"😀".repeat(400)}`), `a${"😀".repeat(299)}`);
});
