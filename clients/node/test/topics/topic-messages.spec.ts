import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import fc from "fast-check";
import { ProtoError, ProtoReader } from "../../src/operations/proto-reader.js";
import {
  PublishOperation,
  readTopicMessage,
  subscribeRequest,
  type TopicMessage,
} from "../../src/topics/topic-messages.js";
import { messageBytes, readRequest, requestOf } from "../support/contract.js";

const read = (message: object): TopicMessage =>
  readTopicMessage(new ProtoReader(messageBytes("SubscriptionItem", message)));
const u64 = fc.oneof(fc.bigInt(0n, 2n ** 64n - 1n), fc.constantFrom(0n, 1n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n));

describe("topic messages", () => {
  test("publish encodes text and bytes of any length", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ minLength: 1 }), fc.uint8Array(), (text, topic, bytes) => {
        const named = { cacheName: "cache", topic };
        assert.deepEqual(requestOf(new PublishOperation("cache", topic, text)), { ...named, value: { text } });
        const binary = Buffer.from(bytes).toString();
        assert.deepEqual(requestOf(new PublishOperation("cache", topic, bytes)), { ...named, value: { binary } });
      }),
    );
  });

  test("subscribe request encodes its 64-bit numbers", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), u64, u64, (topic, resumeAt, page) => {
        const framed = subscribeRequest("cache", topic, { resumeAt, page, now: false });
        assert.equal(framed[0], 0);
        assert.equal(framed.readUInt32BE(1), framed.length - 5);
        const asked = { resumeAtTopicSequenceNumber: `${resumeAt}`, sequencePage: `${page}` };
        assert.deepEqual(readRequest("/Pubsub/Subscribe", framed.subarray(5)), { cacheName: "cache", topic, ...asked });
      }),
    );
  });

  test("decodes messages of the protobuf encoder exactly", () => {
    fc.assert(
      fc.property(u64, u64, u64, fc.string({ unit: "binary" }), (one, two, three, text) => {
        const item = { topicSequenceNumber: `${one}`, sequencePage: `${two}`, publisherId: text, value: { text } };
        const values = { number: one, page: two, publisherId: text, value: text };
        assert.deepEqual(read({ item }), { kind: "item", ...values });
        const binary = Buffer.from(text);
        assert.deepEqual(read({ item: { ...item, value: { binary } } }), { kind: "item", ...values, value: binary });
        const gap = { lastTopicSequence: `${one}`, newTopicSequence: `${two}`, newSequencePage: `${three}` };
        const discontinuity = { kind: "discontinuity", last: one, newest: two, page: three };
        assert.deepEqual(read({ discontinuity: gap }), discontinuity);
      }),
    );
  });

  test("unknown messages and items without fields are decoded", () => {
    assert.deepEqual(read({}), { kind: "unknown" });
    assert.deepEqual(readTopicMessage(new ProtoReader(Buffer.from([0x22, 1, 8]))), { kind: "unknown" });
    assert.deepEqual(read({ item: {} }), { kind: "item", number: 0n, page: 0n, value: "", publisherId: "" });
    assert.deepEqual(read({ heartbeat: {} }), { kind: "heartbeat" });
  });

  test("item bytes are a copy of the buffer", () => {
    const bytes = messageBytes("SubscriptionItem", { item: { value: { binary: Buffer.from("abc") } } });
    const message = readTopicMessage(new ProtoReader(bytes));
    bytes.fill(0);
    assert.deepEqual(message.kind === "item" && message.value, Buffer.from("abc"));
  });

  test("random bytes are decoded or rejected with a ProtoError", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          readTopicMessage(new ProtoReader(Buffer.from(bytes)));
        } catch (error) {
          assert.ok(error instanceof ProtoError);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
