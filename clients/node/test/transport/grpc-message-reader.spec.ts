import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import fc from "fast-check";
import { ProtoError } from "../../src/operations/proto-reader.js";
import { GrpcMessageReader } from "../../src/transport/grpc-message-reader.js";
import { frame } from "../support/fake-server.js";

function header(lengthBytes: number, flag = 0): Buffer {
  const bytes = Buffer.alloc(5, flag);
  bytes.writeUInt32BE(lengthBytes, 1);
  return bytes;
}

describe("GrpcMessageReader", () => {
  test("returns the same messages for any chunk boundaries", () => {
    const messages = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 12 });
    fc.assert(
      fc.property(messages, fc.infiniteStream(fc.integer({ min: 1, max: 50 })), fc.boolean(), (sent, cuts, late) => {
        const reader = new GrpcMessageReader(40);
        const bytes = Buffer.concat(sent.map((message) => frame(Buffer.from(message))));
        const read: number[][] = [];
        const take = () => {
          for (let next = reader.next(); next !== null; next = reader.next()) read.push([...next]);
        };
        for (let at = 0; at < bytes.length; ) {
          const { value: length } = cuts.next() as { value: number };
          reader.push(bytes.subarray(at, at + length));
          at += length;
          if (!late) take();
        }
        take();
        assert.deepEqual(
          read,
          sent.map((message) => [...message]),
        );
        assert.equal(reader.heldBytes, 0);
      }),
    );
  });

  test("accepts messages up to the limit and rejects longer ones", () => {
    const reader = new GrpcMessageReader(100);
    reader.push(frame(Buffer.alloc(100)));
    assert.equal(reader.next()?.length, 100);
    for (const length of [101, 1_000, 1 << 30]) {
      const one = new GrpcMessageReader(100);
      one.push(header(length));
      assert.throws(() => one.next(), ProtoError);
      assert.equal(one.heldBytes, 5);
    }
  });

  test("rejects a compressed message if no decompressor is configured", () => {
    const reader = new GrpcMessageReader(100);
    reader.push(header(1, 1));
    assert.throws(() => reader.next(), /compressed/);
  });

  test("decompresses a message between uncompressed ones", () => {
    const reader = new GrpcMessageReader(100, (bytes: Buffer) => Buffer.concat([bytes, bytes]));
    const compressed = frame(Buffer.from("b"));
    compressed[0] = 1;
    reader.push(Buffer.concat([frame(Buffer.from("a")), compressed, frame(Buffer.from("c"))]));
    assert.deepEqual(
      [0, 1, 2].map(() => reader.next()?.toString()),
      ["a", "bb", "c"],
    );
  });
});
