import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import fc from "fast-check";
import { encodeHeaders, HeaderDecoder, MalformedHeaders } from "../../src/http2/hpack.js";

const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");
// RFC 7541, appendix C.6.1 and C.6.2: header blocks with Huffman codes, whose fields are added to the dynamic table.
const first = hex(
  "4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7 8f0b " +
    "97c8 e9ae 82ae 43d3",
);
const second = hex("4883 640e ffc1 c0bf");
const common = {
  "cache-control": "private",
  date: "Mon, 21 Oct 2013 20:13:21 GMT",
  location: "https://www.example.com",
};

describe("HeaderDecoder", () => {
  test("RFC 7541 C.6: decodes Huffman strings and indexed fields", () => {
    const decoder = new HeaderDecoder();
    assert.deepEqual({ ...decoder.decode(first) }, { ":status": "302", ...common });
    assert.deepEqual({ ...decoder.decode(second) }, { ":status": "307", ...common });
  });

  test("decodes a status from the static table", () => {
    assert.deepEqual({ ...new HeaderDecoder().decode(hex("88")) }, { ":status": "200" });
    assert.deepEqual({ ...new HeaderDecoder().decode(hex("8e")) }, { ":status": "500" });
  });

  test("decodes encoded values of up to 400 bytes", () => {
    const text = fc.string({ unit: "grapheme-ascii", maxLength: 400 });
    fc.assert(
      fc.property(text, (value) => {
        assert.equal(new HeaderDecoder().decode(encodeHeaders([["name", value]])).name, value);
      }),
    );
  });

  test("evicts the oldest entries above 4,096 bytes", () => {
    const decoder = new HeaderDecoder();
    // An entry takes 32 bytes plus 68 bytes of text. The table has room for 40 entries, so the 41st entry evicts one.
    for (let i = 0; i < 41; i++)
      decoder.decode(
        Buffer.concat([Buffer.from([0x40, 2]), Buffer.from(`${i + 10}`), Buffer.from([66]), Buffer.alloc(66, "v")]),
      );
    assert.equal(decoder.decode(Buffer.from([0x80 + 61 + 40]))["11"], "v".repeat(66));
    assert.throws(() => decoder.decode(Buffer.from([0x80 + 61 + 41])), MalformedHeaders);
  });

  test("index 62 always decodes to the newest table entry", () => {
    const decoder = new HeaderDecoder();
    const entry = (value: string) =>
      Buffer.concat([Buffer.from([0x40, 1]), Buffer.from("n"), Buffer.from([1]), Buffer.from(value)]);
    decoder.decode(entry("a"));
    const newest = Buffer.from([0x80 + 62]);
    for (let i = 0; i < 3; i++) assert.equal(decoder.decode(newest).n, "a");
    decoder.decode(entry("b"));
    for (let i = 0; i < 3; i++) assert.equal(decoder.decode(newest).n, "b");
  });

  test("random bytes decode or throw MalformedHeaders", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          new HeaderDecoder().decode(Buffer.from(bytes));
        } catch (error) {
          assert.ok(error instanceof MalformedHeaders);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
