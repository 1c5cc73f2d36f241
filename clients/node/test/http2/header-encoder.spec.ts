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
  test("decoder reads back any encoded header blocks", () => {
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

  test("repeated field takes one byte; oversized field is never indexed", () => {
    const encoder = new HeaderEncoder();
    const fields: HeaderField[] = [["x-name", "value"]];
    encoded(encoder, fields);
    assert.equal(encoded(encoder, fields).length, 1);
    const large: HeaderField[] = [["x-large", "v".repeat(4_096)]];
    assert.equal(encoded(encoder, large).length, encoded(encoder, large).length);
    assert.equal(encoder.count, 1);
  });

  test("writeVarying indexes only the field name", () => {
    const encoder = new HeaderEncoder();
    const decoder = new HeaderDecoder();
    for (const value of ["1m", "2m", "3m"]) {
      const writer = new ProtoWriter(16);
      encoder.writeVarying(writer, "grpc-timeout", value);
      assert.deepEqual({ ...decoder.decode(Buffer.from(writer.written())) }, { "grpc-timeout": value });
    }
    assert.equal(encoder.count, 1);
  });

  test("resize clears the table and announces the new size once", () => {
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

  test("resize to at least the current size changes nothing", () => {
    const encoder = new HeaderEncoder();
    encoded(encoder, [["x-name", "value"]]);
    for (const bytes of [4_096, 2 ** 32 - 1]) encoder.resize(bytes);
    assert.equal(encoder.generation, 0);
    assert.equal(encoder.count, 1);
  });
});

describe("HeaderBlocks", () => {
  test("decoder reads blocks of 300 caches in order", () => {
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

  test("timeout of more than eight digits is sent in seconds", () => {
    const writer = new ProtoWriter(16);
    new HeaderBlocks({ tls: true, endpoint: "host:1" }).write(writer, "/a", [], 100_000_001);
    assert.equal(new HeaderDecoder().decode(Buffer.from(writer.written()))["grpc-timeout"], "100001S");
  });
});
