import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import fc from "fast-check";
import { NearBatchParser } from "../../src/near/near-batch-parser.js";
import { ProtoError } from "../../src/operations/proto-reader.js";
import { copiesTold, frame, result, varintField } from "../support/fake-server.js";

/** Returns the events that a parser reports for these chunks, in order. */
function told(chunks: readonly Buffer[]): string[] {
  const events: string[] = [];
  const parser = new NearBatchParser({
    result: (reader) => events.push(`result ${reader.buffer.toString("hex", reader.position, reader.end)}`),
    draining: () => events.push("draining"),
    invalidated: (tickets) => events.push(...tickets.map((ticket) => `ticket ${ticket}`)),
    cleared: () => events.push("clear"),
  });
  for (const chunk of chunks) parser.push(chunk);
  return events;
}

/** Splits bytes at these offsets. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...ends].map((start, i) => bytes.subarray(start, ends[i] ?? bytes.length));
}

function packed(tickets: readonly number[]): Buffer {
  const content = Buffer.concat(tickets.map((ticket) => varintField(0, ticket).subarray(1)));
  return Buffer.concat([Buffer.from([26]), varintField(0, content.length).subarray(1), content]);
}

const miss = Buffer.from([8, 3]);

describe("NearBatchParser", () => {
  test("NEAR-6: invalidations of a message precede its results", () => {
    const message = Buffer.concat([
      result(1, 4, miss),
      copiesTold({ tickets: [6] }),
      Buffer.from([16, 1]),
      result(2, 4, miss),
      packed([300, 1_048_575]),
      copiesTold({ clear: true }),
    ]);
    assert.deepEqual(told([frame(message)]), [
      "clear",
      "ticket 6",
      "ticket 300",
      "ticket 1048575",
      "result 080122020803",
      "draining",
      "result 080222020803",
    ]);
  });

  test("returns the same events for any chunk boundaries", () => {
    const outcome = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
    const field = fc.oneof(
      fc.record({ id: fc.nat(0xffffffff), outcome }).map((each) => result(each.id, 4, each.outcome)),
      fc.array(fc.nat(1_048_575), { maxLength: 20 }).map(packed),
      fc.nat(1_048_575).map((ticket) => copiesTold({ tickets: [ticket] })),
      fc.constant(copiesTold({ clear: true })),
      fc.constant(varintField(8 * 100, 7)),
    );
    const message = fc.array(field, { maxLength: 8 }).map((fields) => Buffer.concat(fields));
    fc.assert(
      fc.property(fc.array(message, { maxLength: 5 }), fc.array(fc.nat(5_000)), (messages, places) => {
        const bytes = Buffer.concat(messages.map(frame));
        const whole = messages.flatMap((each) => told([frame(each)]));
        assert.deepEqual(told([bytes]), whole);
        assert.deepEqual(told(cut(bytes, places)), whole);
        assert.deepEqual(told([...bytes].map((byte) => Buffer.from([byte]))), whole);
      }),
      { numRuns: 50 },
    );
  });

  test("reports a million tickets in chunks of at most 4,096", () => {
    let most = 0;
    let all = 0;
    const parser = new NearBatchParser({
      result: () => assert.fail("there is no result"),
      draining: () => assert.fail("it does not drain"),
      cleared: () => assert.fail("nothing is cleared"),
      invalidated: ({ length }) => {
        most = Math.max(most, length);
        all += length;
      },
    });
    parser.push(frame(packed(Array.from({ length: 1_000_000 }, (_, i) => i))));
    assert.equal(all, 1_000_000);
    assert.ok(most <= 4_096, `${most} at a time`);
  });

  for (const [name, bytes] of [
    ["compressed", Buffer.from([1, 0, 0, 0, 0])],
    ["too large", Buffer.from([0, 0, 255, 255, 255])],
    ["oversized result", frame(Buffer.from([10, 9, 8, 1]))],
    ["truncated ticket", frame(Buffer.from([24, 128]))],
    ["truncated packed tickets", frame(Buffer.from([26, 1, 128, 1]))],
    ["invalid fields", frame(Buffer.from([15, 15]))],
  ] as const)
    test(`throws ProtoError for message: ${name}`, () => {
      assert.throws(() => told([bytes]), ProtoError);
      if (name !== "compressed" && name !== "too large")
        assert.throws(() => told([...bytes].map((byte) => Buffer.from([byte]))), ProtoError);
    });
});
