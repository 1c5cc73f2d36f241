import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import fc from "fast-check";
import { HeaderBlocks } from "../../src/http2/header-blocks.js";
import { HeaderEncoder, type HeaderField } from "../../src/http2/header-encoder.js";
import { HeaderDecoder } from "../../src/http2/hpack.js";
import { ProtoWriter } from "../../src/operations/proto-writer.js";

function encoded(encoder: HeaderEncoder, fields: readonly HeaderField[]): Buffer {
  const writer = new ProtoWriter(16);
  encoder.write(writer, fields);
  return Buffer.from(writer.written());
}

describe("HeaderEncoder", () => {
  test("what is written is read back, however often it repeats and however full the table is", () => {
    const name = fc.constantFrom(":path", "cache", "authorization", "x-a", "x-b");
    const value = fc.oneof(
      fc.constantFrom("/path", "same"),
      fc.string({ unit: "grapheme-ascii", maxLength: 1_500 }).map((text) => text.replaceAll("\0", "0")),
    );
    const block = fc.uniqueArray(fc.tuple(name, value), { selector: ([each]) => each, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(block, { maxLength: 30 }), (blocks) => {
        const encoder = new HeaderEncoder();
        const decoder = new HeaderDecoder();
        for (const fields of blocks)
          assert.deepEqual({ ...decoder.decode(encoded(encoder, fields)) }, Object.fromEntries(fields));
      }),
      { examples: [[[[[":path", "/"]]]]] },
    );
  });

  test("a field that repeats costs a byte, and one that found no room is whole each time", () => {
    const encoder = new HeaderEncoder();
    const fields: HeaderField[] = [["x-name", "value"]];
    encoded(encoder, fields);
    assert.equal(encoded(encoder, fields).length, 1);
    const large: HeaderField[] = [["x-large", "v".repeat(4_096)]];
    assert.equal(encoded(encoder, large).length, encoded(encoder, large).length);
    assert.equal(encoder.count, 1);
  });

  test("a field whose value varies is not entered but once, for its name", () => {
    const encoder = new HeaderEncoder();
    const decoder = new HeaderDecoder();
    for (const value of ["1m", "2m", "3m"]) {
      const writer = new ProtoWriter(16);
      encoder.writeVarying(writer, "grpc-timeout", value);
      assert.deepEqual({ ...decoder.decode(Buffer.from(writer.written())) }, { "grpc-timeout": value });
    }
    assert.equal(encoder.count, 1);
  });

  test("a table that changes its size begins anew, and the next block says so once", () => {
    const encoder = new HeaderEncoder();
    const fields: HeaderField[] = [["x-name", "value"]];
    encoded(encoder, fields);
    encoder.resize(100);
    const decoder = new HeaderDecoder();
    assert.deepEqual({ ...decoder.decode(encoded(encoder, fields)) }, { "x-name": "value" });
    assert.equal(encoder.mustAnnounce, false);
    assert.equal(encoded(encoder, fields).length, 1);
    encoder.resize(0);
    assert.deepEqual({ ...decoder.decode(encoded(encoder, fields)) }, { "x-name": "value" });
    assert.equal(encoder.count, 0);
  });

  test("a table as large as the server's, or larger than ours, changes nothing", () => {
    const encoder = new HeaderEncoder();
    encoded(encoder, [["x-name", "value"]]);
    for (const bytes of [4_096, 2 ** 32 - 1]) encoder.resize(bytes);
    assert.equal(encoder.generation, 0);
    assert.equal(encoder.count, 1);
  });
});

describe("HeaderBlocks", () => {
  test("blocks of many caches and tokens are read back in the order in which they were written", () => {
    const blocks = new HeaderBlocks({ tls: false, endpoint: "host:1" });
    const decoder = new HeaderDecoder();
    for (let round = 0; round < 3; round++)
      for (let i = 0; i < 300; i++) {
        const metadata: HeaderField[] = [["cache", `cache-${i}`]];
        for (const path of ["/a", "/b"]) {
          const writer = new ProtoWriter(16);
          blocks.write(writer, path, metadata, 5_000 - i);
          const headers = decoder.decode(Buffer.from(writer.written()));
          assert.deepEqual([headers[":path"], headers.cache], [path, `cache-${i}`]);
          assert.equal(headers["grpc-timeout"], `${5_000 - i}m`);
        }
      }
  });

  test("a timeout of more than eight digits is in seconds", () => {
    const writer = new ProtoWriter(16);
    new HeaderBlocks({ tls: true, endpoint: "host:1" }).write(writer, "/a", [], 100_000_001);
    assert.equal(new HeaderDecoder().decode(Buffer.from(writer.written()))["grpc-timeout"], "100001S");
  });
});
