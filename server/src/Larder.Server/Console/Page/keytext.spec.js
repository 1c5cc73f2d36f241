// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { fromBase64, fromHex, hexDump, jsonText, keyText, shortened, textOf, toBase64, visible } from "./keytext.js";

const utf8 = new TextEncoder();

test("visible escapes control and bidirectional characters", () => {
  assert.equal(visible("a\u202egpj.exe\u0000\n"), "a\\u{202e}gpj.exe\\u{0}\\n");
  assert.equal(visible("<b>é😀</b>\n", "\n"), "<b>é😀</b>\n");
});

test("keyText shows text, hex bytes or a truncated key", () => {
  assert.equal(keyText(utf8.encode("user:1"), 6), "user:1");
  assert.equal(keyText(Uint8Array.of(0xff, 0x00), 2), "0xff00");
  assert.equal(keyText(utf8.encode("a€").subarray(0, 3), 9), "a … (9 bytes)");
});

test("textOf returns null for invalid UTF-8", () => {
  assert.equal(textOf(Uint8Array.of(0xed, 0xa0, 0x80)), null);
  assert.equal(textOf(Uint8Array.of(0xc0, 0x80)), null);
  assert.equal(textOf(utf8.encode("é")), "é");
});

test("base64 and hex conversions round-trip and reject invalid digits", () => {
  assert.deepEqual(fromBase64(toBase64(Uint8Array.of(0, 255, 16))), Uint8Array.of(0, 255, 16));
  assert.deepEqual(fromHex("0x00 ff10"), Uint8Array.of(0, 255, 16));
  assert.equal(fromHex("abc"), null);
  assert.equal(fromHex("zz"), null);
});

test("jsonText formats JSON without changing numbers or strings", () => {
  assert.equal(
    jsonText('{"a":[1,12345678901234567890],"b":{},"c":"x, {y}: \\"z\\""}'),
    '{\n  "a": [\n    1,\n    12345678901234567890\n  ],\n  "b": {},\n  "c": "x, {y}: \\"z\\""\n}',
  );
  assert.equal(jsonText("[]"), "[]");
  assert.equal(jsonText("7"), "7");
  assert.equal(jsonText("{a}"), null);
});

test("hexDump prints sixteen bytes per line", () => {
  assert.equal(hexDump(utf8.encode("0123456789abcdef<\n")).split("\n").length, 2);
  assert.match(hexDump(utf8.encode("A<")), /^000000 {2}41 3c {44}A<$/);
});

test("shortened keeps the start, end and whole characters", () => {
  assert.equal(shortened("n".repeat(60)), "n".repeat(60));
  assert.equal(shortened(`${"a".repeat(200)}${"z".repeat(55)}`), `${"a".repeat(39)}…${"z".repeat(20)}`);
  assert.equal(shortened("😀".repeat(601), 6), "😀😀😀…😀😀");
});
