import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import type { Codec } from "../../src/codecs/codec.js";
import { jsonCodec, textCodec } from "../../src/codecs/codec.js";
import type { TypedCache, TypedHit } from "../../src/codecs/typed-cache.js";
import type { TypedCacheOptions } from "../../src/codecs/typed-values.js";
import { NearCopies } from "../../src/near/near-copies.js";
import { NearCopy } from "../../src/near/near-copy.js";
import { cacheName } from "../support/every-call.js";
import { until } from "../support/fake-server.js";
import { nearBench } from "../support/near-bench.js";
import { ticketOf } from "../support/near-client.js";

type Bench = Awaited<ReturnType<typeof nearBench>>;

describe("decoded values in the near cache", () => {
  /** A codec of JSON that counts its decodings. */
  function counting(change: (value: unknown) => unknown = (value) => value): Codec<unknown> & { decoded: number } {
    return {
      content: 200,
      decoded: 0,
      encode: (value) => Buffer.from(JSON.stringify(value)),
      decode(bytes) {
        this.decoded++;
        return change(JSON.parse(Buffer.from(bytes).toString()));
      },
    };
  }

  /** Stores a value, and reads it until the near cache has a copy. */
  async function keep<T>({ client }: Bench, typed: TypedCache<T>, value: T | null, key = "k"): Promise<void> {
    assert.equal((await typed.set(key, value)).result, "success");
    while (client.cache(cacheName).tryGetNear(key) === undefined) await client.cache(cacheName).get(key);
  }

  async function read<T>(typed: TypedCache<T>, key = "k"): Promise<T | null> {
    const got = await typed.get(key);
    assert.equal(got.result, "hit");
    return (got as TypedHit<T>).value;
  }

  const typedOf = <T>({ client }: Bench, codec: Codec<T>, options?: TypedCacheOptions) =>
    client.cache(cacheName).typed(codec, options);
  const noFactory = () => assert.fail("the factory must not be called");

  test("kept object is decoded once per copy and shared by all callers", async () => {
    await using bench = await nearBench();
    const codec = counting();
    const typed = typedOf(bench, codec, { keepObjects: true });
    await keep(bench, typed, { a: [1] });
    const first = await read(typed);
    const { decoded } = codec;
    const calls = bench.server.calls.length;
    for (let i = 0; i < 5; i++) {
      assert.equal(await read(typed), first);
      assert.equal(await typed.getOrSet("k", noFactory), first);
      assert.equal(await typed.getOrSet("k", noFactory, { ttlMs: 1_000, jitter: 0.1 }), first);
      assert.equal(
        await read(bench.client.cache(cacheName).withTimeout(1_000).typed(codec, { keepObjects: true })),
        first,
      );
    }
    assert.equal(codec.decoded, decoded);
    assert.equal(bench.server.calls.length, calls);
    assert.ok(Object.isFrozen(await typed.get("k")), "a caller cannot change the response of other callers");
  });

  test("values that cannot be changed are kept by default, and objects are not", async () => {
    await using bench = await nearBench();
    for (const [value, kept] of [
      ["text", true],
      [7, true],
      [false, true],
      [null, true],
      [{ a: 1 }, false],
      [[1], false],
    ] as const) {
      const codec = counting();
      const typed = typedOf(bench, codec);
      await keep(bench, typed, value);
      await read(typed);
      const { decoded } = codec;
      assert.deepEqual(await read(typed), value);
      assert.equal(codec.decoded, decoded + (kept ? 0 : 1), JSON.stringify(value));
    }
    const codec = counting();
    const never = typedOf(bench, codec, { keepObjects: false });
    await keep(bench, never, "text");
    await read(never);
    const { decoded } = codec;
    await read(never);
    assert.equal(codec.decoded, decoded + 1);
  });

  test("kept object is dropped when the item changes", async () => {
    await using bench = await nearBench();
    const typed = typedOf(bench, counting(), { keepObjects: true });
    await keep(bench, typed, { n: 1 });
    assert.deepEqual(await read(typed), { n: 1 });
    bench.server.tell({ tickets: [ticketOf("k")] });
    await until(() => bench.client.cache(cacheName).tryGetNear("k") === undefined);
    await keep(bench, typed, { n: 2 });
    assert.deepEqual(await read(typed), { n: 2 });
  });

  test("each codec object and length limit decodes for itself", async () => {
    await using bench = await nearBench();
    const codec = counting();
    const typed = typedOf(bench, codec);
    await keep(bench, typed, "value");
    assert.equal(await read(typed), "value");
    assert.equal(
      await read(
        typedOf(
          bench,
          counting((value) => `${value}!`),
        ),
      ),
      "value!",
    );
    assert.equal(await read(typed), "value");
    const small = await typedOf(bench, codec, { maxDecodedBytes: 4 }).get("k");
    assert.ok(small.result === "error" && small.error.code === "DecodingFailed");
  });

  test("undecodable copy fails gets and is loaded again", async () => {
    await using bench = await nearBench();
    await bench.keep("k", "no envelope");
    const typed = typedOf(bench, textCodec);
    for (let i = 0; i < 2; i++) {
      const got = await typed.get("k");
      assert.ok(got.result === "error" && got.error.code === "DecodingFailed");
    }
    assert.equal(await typed.getOrSet("k", () => "new"), "new");
  });

  test("invalid and cancelled calls fail although an object is kept", async () => {
    await using bench = await nearBench();
    const typed = typedOf(bench, textCodec);
    await keep(bench, typed, "v");
    await read(typed);
    const aborted = AbortSignal.abort();
    const got = await typed.get("k", { signal: aborted });
    assert.ok(got.result === "error" && got.error.code === "Cancelled");
    await assert.rejects(typed.getOrSet("k", noFactory, { signal: aborted }));
    await assert.rejects(typed.getOrSet("k", noFactory, { ttlMs: -1 }));
    await assert.rejects(typed.getOrSet("k", noFactory, { jitter: 2 }));
    await assert.rejects(typed.getOrSet("k", noFactory, { unknown: 1 } as object), TypeError);
    await assert.rejects(typed.getOrSet("k", 1 as never), TypeError);
    await assert.rejects(typed.get(1 as never), TypeError);
    const empty = await typed.get("");
    assert.ok(empty.result === "error" && empty.error.code === "InvalidArgument");
  });

  test("kept objects count against the memory limit", async () => {
    await using bench = await nearBench({ maxBytes: 20_000 });
    const typed = typedOf(bench, counting(), { objectBytes: () => 9_000 });
    for (const key of ["a", "b", "c"]) {
      await keep(bench, typed, key, key);
      await read(typed, key);
      assert.ok(bench.client.nearCache!.bytes > 9_000 && bench.client.nearCache!.bytes <= 20_000);
    }
    // An object that does not fit is returned and not kept.
    const codec = counting();
    const huge = typedOf(bench, codec, { objectBytes: () => Number.MAX_SAFE_INTEGER });
    assert.equal(await read(huge, "c"), "c");
    assert.equal(await read(huge, "c"), "c");
    assert.equal(codec.decoded, 2);
    assert.ok(bench.client.nearCache!.bytes <= 20_000);
  });

  test("invalid options are rejected, and so is an invalid size", async () => {
    await using bench = await nearBench();
    assert.throws(() => typedOf(bench, textCodec, { keepObjects: 1 as never }), TypeError);
    assert.throws(() => typedOf(bench, textCodec, { objectBytes: 1 as never }), TypeError);
    const codec = jsonCodec<string>();
    await keep(bench, typedOf(bench, codec), "v");
    for (const size of [-1, Number.NaN, Infinity, "1", undefined]) {
      const typed = typedOf(bench, codec, { objectBytes: () => size as number });
      await assert.rejects(typed.get("k"), /the result of objectBytes must be/);
    }
    const throwing = typedOf(bench, codec, {
      objectBytes: () => {
        throw new SyntaxError("no size");
      },
    });
    await assert.rejects(throwing.get("k"), SyntaxError);
    assert.equal(await read(typedOf(bench, codec)), "v");
  });

  test("attaching to a removed copy does nothing, and to another evicts older copies", () => {
    const copies = new NearCopies(1_000);
    const make = (key: string) => new NearCopy("c", key, "v", 1, 0, 1, NearCopy.bytesOf("c", key, 1));
    const decoded = { decoder: {}, hit: { result: "hit", value: 1 } } as const;
    const first = make("0");
    copies.add(first);
    copies.drop("c", "0");
    copies.attach(first, decoded, 10);
    assert.deepEqual([first.decoded, copies.bytes], [null, 0]);
    const all = ["1", "2", "3", "4", "5"].map(make);
    for (const copy of all) copies.add(copy);
    const size = all[0]!.bytes;
    for (const more of [1, 1_000 - 5 * size, 1_001 - 5 * size, 1_000 - size, 1_001 - size, 0]) {
      copies.attach(all[0]!, decoded, more);
      const bytes = [...copies].reduce((sum, copy) => sum + copy.bytes, 0);
      assert.deepEqual([copies.bytes, copies.find("c", "1")], [bytes, all[0]]);
      assert.ok(bytes <= 1_000);
    }
    assert.equal(copies.count, 1);
  });
});
