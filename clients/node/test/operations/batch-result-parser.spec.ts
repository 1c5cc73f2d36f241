import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import fc from "fast-check";
import { BatchResultParser } from "../../src/operations/batch-result-parser.js";
import { ProtoError } from "../../src/operations/proto-reader.js";
import { frame, result } from "../support/fake-server.js";

function parsed(chunks: readonly Buffer[]): { readonly results: string[]; readonly draining: number } {
  const results: string[] = [];
  let draining = 0;
  const parser = new BatchResultParser({
    result: (reader) => results.push(reader.buffer.toString("hex", reader.position, reader.end)),
    draining: () => draining++,
  });
  for (const chunk of chunks) parser.push(chunk);
  return { results, draining };
}

/** Splits bytes at these offsets. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...ends].map((start, i) => bytes.subarray(start, ends[i] ?? bytes.length));
}

describe("BatchResultParser", () => {
  const outcome = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
  const message = fc
    .array(fc.record({ id: fc.nat(0xffffffff), outcome }), { maxLength: 8 })
    .map((results) => Buffer.concat(results.map((each) => result(each.id, 4, each.outcome))));

  test("returns the same results in order for any chunk boundaries", () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 5 }), fc.array(fc.nat(5_000)), (messages, places) => {
        const bytes = Buffer.concat(messages.map(frame));
        assert.deepEqual(parsed(cut(bytes, places)), parsed([bytes]));
        const expected = messages.reduce((count, each) => count + parsed([frame(each)]).results.length, 0);
        assert.equal(parsed([bytes]).results.length, expected);
      }),
    );
  });

  test("PIPE-12: reports draining if the message arrives byte by byte", () => {
    const bytes = frame(Buffer.concat([result(7, 5, Buffer.from([8, 1])), Buffer.from([16, 1])]));
    const single = [...bytes].map((byte) => Buffer.from([byte]));
    assert.deepEqual(parsed(single), { results: [parsed([bytes]).results[0]], draining: 1 });
  });

  test("ignores unknown fields", () => {
    const unknown = Buffer.from([0x1a, 2, 9, 9, 0x20, 0x96, 0x01, 0x2d, 1, 2, 3, 4]);
    const bytes = frame(Buffer.concat([unknown, result(1, 4, Buffer.from([8, 3])), unknown]));
    for (let place = 0; place < bytes.length; place++) assert.equal(parsed(cut(bytes, [place])).results.length, 1);
  });

  test("PIPE-8: oversized, compressed or truncated message throws ProtoError", () => {
    const tooLong = Buffer.from([0, 0xff, 0, 0, 0]);
    const compressed = Buffer.from([1, 0, 0, 0, 1, 0]);
    const resultPastItsMessage = Buffer.from([0, 0, 0, 0, 8, 10, 100, 0, 0, 0, 0, 0, 0]);
    for (const bytes of [tooLong, compressed, resultPastItsMessage]) assert.throws(() => parsed([bytes]), ProtoError);
  });

  test("random bytes are parsed or rejected with a ProtoError", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        try {
          parsed([frame(Buffer.from(bytes))]);
        } catch (error) {
          assert.ok(error instanceof ProtoError);
        }
      }),
    );
  });
});
