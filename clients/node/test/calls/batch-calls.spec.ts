import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import { BatchCalls } from "../../src/calls/batch-calls.js";
import type { Call } from "../../src/calls/call.js";
import { CallMaker } from "../../src/calls/call-maker.js";
import { CallRunner } from "../../src/calls/call-runner.js";
import { InFlightLimiter } from "../../src/calls/in-flight-limiter.js";
import { RetryPolicy } from "../../src/calls/retry-policy.js";
import type { CallOptions } from "../../src/client/client-options.js";
import { ErrorResponse, miss, success } from "../../src/client/responses.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { GetBatchOperation, KeysExistOperation, SetBatchOperation } from "../../src/operations/batch-operations.js";
import { GuardedHooks } from "../../src/telemetry/guarded-hooks.js";
import { ManualClock } from "../../src/testing/manual-clock.js";
import type { Transport } from "../../src/transport/transport.js";

/** Returns batch calls over a transport that answers each part immediately. A key exists if it begins with "x". */
function made() {
  const sent: number[] = [];
  const answerOf = ({ operation }: Call) => {
    if (operation instanceof SetBatchOperation) {
      sent.push(operation.items.length);
      return success;
    }
    assert.ok(operation instanceof KeysExistOperation || operation instanceof GetBatchOperation);
    sent.push(operation.keys.length);
    return operation instanceof KeysExistOperation
      ? { result: "success", exists: operation.keys.map((key) => String(key).startsWith("x")) }
      : { result: "success", responses: operation.keys.map(() => miss) };
  };
  const transport = {
    send: (call: Call) => queueMicrotask(() => call.owner.answered(call, answerOf(call))),
  } as Transport;
  const configuration = Configurations.Laptop.v1();
  const runner = new CallRunner({
    limiter: new InFlightLimiter(1, 1),
    retryPolicy: new RetryPolicy(configuration, 1),
    transport,
    clock: new ManualClock(),
    lag: null,
    hooks: new GuardedHooks({}),
  });
  const calls = new CallMaker(runner, { timeoutMs: configuration.requestTimeoutMs, defaultTtlMs: 1_000 });
  return { sent, batches: new (class extends BatchCalls {})("cache", calls) };
}

/** Yields `count` items and counts how many of them were consumed. `closed` becomes true when the consumer stops. */
function counted<T>(count: number, item: T) {
  const seen = { items: 0, closed: false };
  function* items(): Generator<T> {
    try {
      while (seen.items < count) {
        seen.items++;
        yield item;
      }
    } finally {
      seen.closed = true;
    }
  }
  return { seen, items: items() };
}

const most = 1_000_000;

describe("BatchCalls", () => {
  test("setBatch rejects items that are not key-value pairs", async () => {
    const { batches, sent } = made();
    for (const item of ["ab", "abc", ["a"], ["a", "b", 1, 2], [], new Set(["a", "b"])])
      await assert.rejects(batches.setBatch([["k", "v"], item as never]), /TypeError.*\[key, value\]/);
    assert.deepEqual(sent, []);
  });

  for (const [name, make] of [
    ["keysExist", (batches: BatchCalls, count: number) => asked(count, "k", (keys) => batches.keysExist(keys))],
    ["getBatch", (batches: BatchCalls, count: number) => asked(count, "k", (keys) => batches.getBatch(keys))],
    [
      "setBatch",
      (batches: BatchCalls, count: number) => asked(count, ["k", "v"] as const, (items) => batches.setBatch(items)),
    ],
  ] as const) {
    test(`${name} accepts 1,000,000 items`, async () => {
      const { batches, sent } = made();
      const { response } = await make(batches, most);
      assert.equal(response.result, "success");
      const { exists, responses } = response as { exists?: readonly boolean[]; responses?: readonly unknown[] };
      if (name !== "setBatch") assert.equal((exists ?? responses)?.length, most);
      assert.equal(
        sent.reduce((sum, count) => sum + count, 0),
        most,
      );
    });

    for (const [count, description] of [
      [most + 1, "1,000,001 items"],
      [Number.POSITIVE_INFINITY, "an endless iterable"],
    ] as const)
      test(`${name} rejects ${description} without sending anything`, async () => {
        const { batches, sent } = made();
        const { response, seen } = await make(batches, count);
        assert.ok(response instanceof ErrorResponse);
        assert.equal(response.error.code, "InvalidArgument");
        assert.match(response.error.message, /at most 1000000 items/);
        assert.deepEqual(seen, { items: most + 1, closed: true });
        assert.deepEqual(sent, []);
      });
  }

  async function asked<T, R>(count: number, item: T, call: (items: Iterable<T>) => Promise<R>) {
    const { seen, items } = counted(count, item);
    return { response: await call(items), seen };
  }

  test("BATCH-9: sends parts in order and joins responses in order", async () => {
    const { batches, sent } = made();
    const keys = Array.from({ length: 30 }, (_, i) => Buffer.alloc(1 << 20, i % 7 === 0 ? "x" : "y"));
    const exist = await batches.keysExist(keys);
    assert.ok(exist.result === "success");
    assert.deepEqual(
      exist.exists,
      keys.map((_, i) => i % 7 === 0),
    );
    assert.deepEqual(sent, [10, 10, 10]);
  });

  test("validates the options of a batch that is split", async () => {
    const { batches, sent } = made();
    const keys = Array.from({ length: 20 }, () => Buffer.alloc(1 << 20, "x"));
    for (const timeoutMs of [0, -1, Number.NaN, 3_600_001]) {
      const response = await batches.getBatch(keys, { timeoutMs });
      assert.ok(response instanceof ErrorResponse, String(timeoutMs));
      assert.equal(response.error.code, "InvalidArgument");
    }
    for (const options of [{ timeoutMs: "5" }, { timeout: 5 }, 7, null, { signal: new AbortController() }])
      await assert.rejects(batches.keysExist(keys, options as CallOptions), TypeError);
    assert.deepEqual(sent, []);
  });
});
