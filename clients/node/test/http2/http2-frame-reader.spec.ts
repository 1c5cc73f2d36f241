import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import fc from "fast-check";
import { Http2Error, Http2FrameReader } from "../../src/http2/http2-frame-reader.js";
import { FrameFlag, FrameType, frameOf } from "../../src/http2/http2-frames.js";

const maxFrameBytes = 1_000;

/** Returns the events that a reader reports for these chunks. Consecutive data events are merged. */
function read(chunks: readonly Buffer[]): string[] {
  const told: string[] = [];
  const reader = new Http2FrameReader(
    {
      data: (bytes) => {
        if (told.at(-1)?.startsWith("data ") === true) told[told.length - 1] += bytes.toString();
        else told.push(`data ${bytes}`);
      },
      dataFrame: (stream, lengthBytes) => told.push(`stream ${stream}, ${lengthBytes} bytes`),
      dataEnded: () => told.push("ended"),
      frame: (type, flags, stream, payload) => told.push(`${type} ${flags} ${stream} ${payload}`),
    },
    maxFrameBytes,
  );
  for (const chunk of chunks) reader.push(chunk);
  return told;
}

const padded = frameOf(FrameType.data, FrameFlag.padded | FrameFlag.endStream, 1, Buffer.from("\x03last\0\0\0"));
const bytes = Buffer.concat([
  frameOf(FrameType.settings, 0, 0),
  frameOf(FrameType.headers, FrameFlag.endHeaders, 1, Buffer.from("block")),
  frameOf(FrameType.data, 0, 1, Buffer.from("first")),
  frameOf(FrameType.data, 0, 1),
  frameOf(99, 7, 5, Buffer.from("unknown")),
  padded,
]);
const told = [
  "4 0 0 ",
  "1 4 1 block",
  "stream 1, 5 bytes",
  "data first",
  "stream 1, 0 bytes",
  "99 7 5 unknown",
  "stream 1, 8 bytes",
  "data last",
  "ended",
];

describe("Http2FrameReader", () => {
  test("reports frames in order for any chunk boundaries", () => {
    assert.deepEqual(read([bytes]), told);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 8 }), (cuts) => {
        const ends = [...cuts.sort((a, b) => a - b), bytes.length];
        assert.deepEqual(read(ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end))), told);
      }),
    );
  });

  test("accepts only frames up to the size limit", () => {
    assert.equal(read([frameOf(99, 0, 0, Buffer.alloc(maxFrameBytes))]).length, 1);
    for (const length of [maxFrameBytes + 1, maxFrameBytes * 10])
      assert.throws(() => read([frameOf(FrameType.data, 0, 1, Buffer.alloc(length)).subarray(0, 9)]), Http2Error);
  });

  test("rejects padding longer than its frame", () => {
    assert.throws(() => read([frameOf(FrameType.data, FrameFlag.padded, 1, Buffer.from([3, 0, 0]))]), Http2Error);
    assert.throws(() => read([frameOf(FrameType.data, FrameFlag.padded, 1)]), Http2Error);
  });
});
