import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { Call, type CallOwner } from "../../src/calls/call.js";
import type { Failure } from "../../src/client/errors.js";
import type { Hit } from "../../src/client/responses.js";
import {
  DeleteOperation,
  GetWithHashOperation,
  IncrementOperation,
  ItemGetTtlOperation,
  ItemGetTypeOperation,
  SetIfCondition,
  SetIfHashCondition,
  SetIfHashOperation,
  SetIfOperation,
  UpdateTtlChange,
  UpdateTtlOperation,
} from "../../src/operations/_generated/table-operations.js";
import { GetBatchOperation, KeysExistOperation, SetBatchOperation } from "../../src/operations/batch-operations.js";
import type { Operation } from "../../src/operations/operation.js";
import { ProtoError } from "../../src/operations/proto-reader.js";
import { GetOperation, SetOperation } from "../../src/operations/scalar-operations.js";
import { PipelineSession } from "../../src/transport/pipeline-session.js";
import { frame, result } from "../support/fake-server.js";

interface GoldenFrame {
  readonly name: string;
  readonly text: string;
  readonly hex: string;
}
function golden(file: string): ReadonlyMap<string, GoldenFrame> {
  const url = new URL(`../../../../../protocol/vectors/frames/${file}`, import.meta.url);
  const frames = JSON.parse(readFileSync(url, "utf8")) as GoldenFrame[];
  return new Map(frames.map((each) => [each.name, each]));
}

/** Records the outcome of each call. */
class RecordingOwner implements CallOwner {
  readonly answers: unknown[] = [];
  readonly failures: Failure[] = [];
  admitted(): void {}
  expired(): void {}
  answered(_: Call, response: unknown): void {
    this.answers.push(response);
  }
  failed(_: Call, failure: Failure): void {
    this.failures.push(failure);
  }
}

function opened(maxIds = 100) {
  const messages: Buffer[] = [];
  const written: (() => void)[] = [];
  const unary: Call[] = [];
  const owner = new RecordingOwner();
  const session = new PipelineSession(
    {
      write(bytes, done) {
        messages.push(Buffer.from(bytes));
        written.push(done);
      },
    },
    { useUnary: (call) => unary.push(call), draining: () => {}, idle: () => {} },
    "cache",
    maxIds,
    () => 0,
  );
  const call = (operation: Operation<unknown>, deadlineMs = 1) =>
    new Call(owner, operation, () => {}, deadlineMs, deadlineMs);
  return { messages, written, unary, owner, session, call };
}

const turn = () => new Promise((resolve) => process.nextTick(resolve));

/**
 * Returns an encoded operation as it is sent, but without its id (0 here) and its deadline (1 here). The result can be
 * compared with `goldenBody`, because golden frames have another id and no deadline.
 */
async function sentBody(operation: Operation<unknown>): Promise<string> {
  const { session, messages, call } = opened();
  session.send(call(operation));
  await turn();
  const bytes = messages[0]!;
  const length = bytes[6]!;
  assert.equal(bytes.readUInt32BE(1), bytes.length - 5);
  assert.equal(bytes.length, 7 + length, "one operation of less than 128 bytes");
  assert.equal(bytes.toString("hex", 7, 11), "08001801");
  return bytes.toString("hex", 11);
}

/** Returns the body of a golden frame, without its id (7). */
function goldenBody(frames: ReadonlyMap<string, GoldenFrame>, name: string): string {
  const found = frames.get(name);
  assert.ok(found, `there is no golden frame "${name}"`);
  const bytes = Buffer.from(found.hex, "hex");
  assert.equal(bytes.toString("hex", 2, 4), "0807");
  return bytes.toString("hex", 4);
}

test("idle session allocates at most 16 KiB", () => {
  const before = process.memoryUsage().arrayBuffers;
  const sessions = Array.from({ length: 100 }, () => opened());
  const grown = process.memoryUsage().arrayBuffers - before;
  assert.ok(grown <= 100 * 16_384, `${grown} bytes for ${sessions.length}`);
});

describe("PipelineSession writing", () => {
  const frames = golden("batch.json");
  const hash = Buffer.from([1, 2]);
  const operations: Readonly<Record<string, Operation<unknown>>> = {
    get: new GetOperation("cache", "k"),
    "get, key of bytes that are not text": new GetOperation("cache", Buffer.from([0, 255, 128])),
    set: new SetOperation("cache", "k", "v", 60_000),
    delete: new DeleteOperation("cache", "k"),
    keys_exist: new KeysExistOperation("cache", ["a", "b"]),
    "keys_exist, none": new KeysExistOperation("cache", []),
    increment: new IncrementOperation("cache", "k", 5n, 1_000, false),
    "increment, negative": new IncrementOperation("cache", "k", -1n, 1_000, false),
    "increment, keeping its TTL": new IncrementOperation("cache", "k", 5n, 1_000, true),
    "set_if, present": new SetIfOperation("cache", "k", "v", 1_000, SetIfCondition.present, undefined),
    item_get_ttl: new ItemGetTtlOperation("cache", "k"),
    item_get_type: new ItemGetTypeOperation("cache", "k"),
    get_with_hash: new GetWithHashOperation("cache", "k"),
  };
  for (const [name, operation] of Object.entries(operations))
    test(`${name}: encodes the same bytes as protoc`, async () => {
      assert.equal(await sentBody(operation), goldenBody(frames, name));
    });

  test("measured size of every operation equals its encoded length", async () => {
    const long = "ü".repeat(100);
    const all = [
      ...Object.values(operations),
      new SetOperation("other", long, Buffer.alloc(70_000), 86_400_000),
      new IncrementOperation("cache", "k", 2n ** 63n - 1n, 1, false),
      new GetBatchOperation("cache", ["a", long]),
      new SetBatchOperation("cache", [new SetOperation("cache", "a", long, 5), new SetOperation("cache", "b", "", 5)]),
      ...Object.values(SetIfCondition).map((each) => new SetIfOperation("cache", "k", long, 300, each, "x")),
      ...Object.values(SetIfHashCondition).map((each) => new SetIfHashOperation("cache", "k", long, 300, each, hash)),
      ...Object.values(UpdateTtlChange).map((change) => new UpdateTtlOperation("cache", "k", change, 128)),
    ];
    for (const operation of all) {
      const { session, messages, call } = opened();
      session.send(call(operation, 1_000_000));
      await turn();
      const bytes = messages[0]!;
      assert.equal(bytes.readUInt32BE(1), bytes.length - 5, operation.kind.name);
    }
  });

  test("PIPE-8: calls of one event loop turn are sent together", async () => {
    const { session, messages, call } = opened(1_000);
    for (let i = 0; i < 100; i++) session.send(call(new GetOperation("cache", `key-${i}`)));
    await turn();
    assert.equal(messages.length, 1);
    for (let i = 0; i < 3; i++) session.send(call(new SetOperation("cache", "k", Buffer.alloc(60_000), 1)));
    await turn();
    const sizes = [];
    for (let at = 0; at < messages[1]!.length; at += 5 + sizes.at(-1)!) sizes.push(messages[1]!.readUInt32BE(at + 1));
    assert.equal(sizes.length, 2);
    assert.ok(sizes[0]! > 65_536 && sizes[0]! < 65_536 + 60_100);
  });

  test("calls wait in one batch while 256 KB are unsent", async () => {
    const { session, messages, written, call } = opened(1_000);
    for (let i = 0; i < 10; i++) {
      session.send(call(new SetOperation("cache", "k", Buffer.alloc(60_000), 1)));
      await turn();
    }
    assert.equal(messages.length, 5);
    written[0]!();
    assert.equal(messages.length, 6);
    const waited = messages[5]!.length;
    assert.ok(waited > 5 * 60_000 && waited < 5 * 60_100, `${waited} bytes`);
  });
});

describe("PipelineSession reading", () => {
  test("responses in any order complete the matching calls", async () => {
    const { session, owner, call } = opened();
    for (const key of ["a", "b"]) session.send(call(new GetOperation("cache", key)));
    const hit = (text: string) => Buffer.concat([Buffer.from([8, 2, 18, text.length]), Buffer.from(text)]);
    session.received(frame(Buffer.concat([result(1, 4, hit("of b")), result(0, 4, hit("of a"))])));
    assert.deepEqual(
      owner.answers.map((answer) => (answer as Hit).value),
      ["of b", "of a"],
    );
    assert.equal(session.inUse, 0);
  });

  test("decodes the results of the batch-result.json test vector", () => {
    const frames = golden("batch-result.json");
    const read = (name: string, operation: Operation<unknown>) => {
      const { session, owner, call } = opened();
      session.send(call(operation));
      const bytes = Buffer.from(frames.get(name)!.hex, "hex");
      assert.equal(bytes[3], 7);
      bytes[3] = 0;
      session.received(frame(bytes));
      return owner.answers[0] as Hit & { exists: boolean[] };
    };
    assert.equal(read("get, hit", new GetOperation("cache", "k")).value, "v");
    assert.equal(read("get, hit of an empty value", new GetOperation("cache", "k")).valueBytes.length, 0);
    assert.equal(read("get, miss", new GetOperation("cache", "k")).result, "miss");
    assert.equal(read("set", new SetOperation("cache", "k", "v", 1)).result, "success");
    assert.equal(read("delete", new DeleteOperation("cache", "k")).result, "success");
    assert.deepEqual(read("keys_exist", new KeysExistOperation("cache", ["a", "b", "c"])).exists, [true, false, true]);
  });

  test("PIPE-9: call is resent as unary after use_unary response", () => {
    const { session, unary, call } = opened();
    const large = call(new GetOperation("cache", "k"));
    session.send(large);
    session.received(frame(result(0, 3, Buffer.alloc(0))));
    assert.deepEqual(unary, [large]);
  });

  test("PIPE-2: abandoned call keeps its id until the response", async () => {
    const { session, owner, messages, call } = opened();
    session.send(call(new GetOperation("cache", "a")));
    session.abandon(0);
    const second = call(new GetOperation("cache", "b"));
    session.send(second);
    assert.equal(second.id, 1);
    assert.equal(session.inUse, 2);
    session.received(frame(result(0, 4, Buffer.from([8, 3]))));
    assert.equal(owner.answers.length, 0);
    assert.equal(session.inUse, 1);
    await turn();
    assert.ok(messages[0]!.includes(Buffer.from([10, 4, 8, 0, 58, 0])), "the server was asked to drop it");
  });

  test("PIPE-20: response to an unknown id throws ProtoError", () => {
    const { session } = opened();
    assert.throws(() => session.received(frame(result(3, 4, Buffer.from([8, 3])))), ProtoError);
  });

  test("response of a wrong kind or length fails its call", () => {
    const { session, owner, call } = opened();
    for (const key of ["a", "b"]) session.send(call(new GetOperation("cache", key)));
    session.received(
      frame(Buffer.concat([result(0, 5, Buffer.from([8, 1])), result(1, 4, Buffer.from([8, 2, 18, 99]))])),
    );
    assert.equal(owner.failures.length, 2);
  });

  test("undecodable status fails its call immediately", () => {
    const { session, owner, call } = opened();
    session.send(call(new GetOperation("cache", "a")));
    session.received(frame(result(0, 2, Buffer.from([18, 255, 1]))));
    assert.match(owner.failures[0]!.message, /could not be decoded/);
  });

  test("PIPE-13: end() returns each unanswered call once", () => {
    const { session, call } = opened();
    const calls = ["a", "b", "c"].map((key) => call(new GetOperation("cache", key)));
    for (const each of calls) session.send(each);
    session.received(frame(result(1, 4, Buffer.from([8, 3]))));
    assert.deepEqual(session.end(), [calls[0], calls[2]]);
    assert.deepEqual(session.end(), []);
  });
});
