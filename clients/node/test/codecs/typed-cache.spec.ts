// Tests typed caches on the fake server and on the real server.
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { after, before, describe, test } from "node:test";
import type { CacheClient } from "../../src/client/client.js";
import type { GetOrSetOptions } from "../../src/client/client-options.js";
import { CacheError } from "../../src/client/errors.js";
import { bytesCodec, type Codec, jsonCodec, textCodec } from "../../src/codecs/codec.js";
import { messagePackCodec } from "../../src/codecs/messagepack.js";
import type { TypedCacheOptions } from "../../src/codecs/typed-values.js";
import { FakeServer } from "../../src/testing/fake.js";
import { fakeBench, type LeaseBench, serverBench } from "../support/lease-benches.js";
import { skipWithoutServer } from "../support/server-process.js";

interface User {
  readonly name: string;
  readonly tags?: readonly string[];
}

const isUser = (value: unknown): value is User =>
  typeof value === "object" && value !== null && "name" in value && typeof value.name === "string";
const userCodec = jsonCodec(isUser);
const ada: User = { name: "Ada", tags: ["a", "b"] };
const notCalled = () => assert.fail("not called");
const lease: GetOrSetOptions<unknown> = { leaseMs: 600_000 };

function tests(make: () => LeaseBench | Promise<LeaseBench>): void {
  let bench: LeaseBench;
  let client: CacheClient;
  let other: CacheClient;
  before(async () => {
    bench = await make();
    [client, other] = [bench.client(), bench.client()];
  });
  after(() => bench.close());
  const users = (options?: TypedCacheOptions) => client.cache("cache").typed(userCodec, options);
  /** Stores a value that no codec can decode. */
  const garbage = (key: string) => client.cache("cache").set(key, "not an envelope");
  const settled = <T>(asked: Promise<T>) => bench.settled(asked);

  test("CODEC-9: each codec returns the value that was stored", async () => {
    for (const [codec, value] of [
      [userCodec, ada],
      [messagePackCodec<User>(), ada],
      [textCodec, "héllo"],
      [bytesCodec, Buffer.from([0, 255])],
    ] as readonly (readonly [Codec<unknown>, unknown])[]) {
      const cache = client.cache("cache").typed(codec, { compressAbove: 0 });
      assert.equal((await cache.set("one", value)).result, "success");
      assert.deepEqual(await cache.get("one"), { result: "hit", value });
      assert.deepEqual((await cache.get("no such")).result, "miss");
      assert.equal((await cache.set("one", null)).result, "success");
      assert.deepEqual(await cache.get("one"), { result: "hit", value: null });
      assert.deepEqual(await settled(cache.getOrSet("one", notCalled)), null);
    }
  });

  test("CODEC-7: undecodable value returns DecodingFailed only for its item", async () => {
    await garbage("garbage");
    await client.cache("cache").typed(textCodec).set("text", "text");
    await client.cache("cache").typed(jsonCodec()).set("other shape", { title: "x" });
    await users().set("ada", ada);
    for (const key of ["garbage", "text", "other shape"]) {
      const got = await users().get(key);
      assert.equal(got.result === "error" && got.error.code, "DecodingFailed");
    }
    const got = await users().getBatch(["ada", "garbage", "none", "text"]);
    assert.ok(got.result === "success");
    assert.deepEqual(got.responses[0], { result: "hit", value: ada });
    assert.deepEqual(
      got.responses.map((each) => (each.result === "error" ? each.error.code : each.result)),
      ["hit", "DecodingFailed", "miss", "DecodingFailed"],
    );
  });

  test("CODEC-7: getOrSet replaces a value that it cannot decode", async () => {
    for (const options of [{}, lease]) {
      await garbage("replaced");
      assert.deepEqual(await settled(users().getOrSet("replaced", () => ada, options)), ada);
      assert.deepEqual(
        await settled(other.cache("cache").typed(userCodec).getOrSet("replaced", notCalled, options)),
        ada,
      );
      assert.deepEqual(await users().get("replaced"), { result: "hit", value: ada });
    }
  });

  test("CODEC-7: getOrSet never returns an undecodable stale value", async () => {
    const options = { ttlMs: 1, failSafeForMs: 600_000, revalidateForMs: 600_000, leaseMs: 600_000 };
    const makeStale = async () => {
      await client.cache("cache").delete("stale");
      await settled(client.cache("cache").getOrSet("stale", () => "not an envelope", options));
      while ((await client.cache("cache").get("stale")).result !== "miss") await bench.pass(2);
    };
    await makeStale();
    const failing = () => Promise.reject(new Error("no such row"));
    await assert.rejects(settled(users().getOrSet("stale", failing, options)), /no such row/);
    assert.deepEqual(await settled(users().getOrSet("stale", () => ada, { ...options, ttlMs: 60_000 })), ada);
    assert.deepEqual(await users().get("stale"), { result: "hit", value: ada });
  });

  test("CODEC-7: getOrSetBatch replaces values that it cannot decode", async () => {
    await garbage("b1");
    await users().set("b2", ada);
    const asked: unknown[] = [];
    const made = await users().getOrSetBatch(["b1", "b2", "b3", "b1"], (missing) => {
      asked.push(...missing);
      return [{ name: "Grace" }, null];
    });
    assert.deepEqual(asked, ["b1", "b3"]);
    assert.deepEqual(made, [{ name: "Grace" }, ada, null, { name: "Grace" }]);
    assert.notEqual(made[0], made[3]);
    assert.deepEqual(await users().getOrSetBatch(["b1", "b3"], notCalled), [{ name: "Grace" }, null]);
  });

  test("CODEC-8: unencodable value stores nothing and releases the lease", async () => {
    const codecs: readonly (readonly [Codec<unknown>, unknown, object])[] = [
      [jsonCodec(), undefined, TypeError],
      [jsonCodec(), 1n, TypeError],
      [jsonCodec(), () => 1, TypeError],
      [jsonCodec(), Symbol("1"), TypeError],
      [textCodec as Codec<unknown>, 7, TypeError],
      [textCodec as Codec<unknown>, "\ud800", TypeError],
      [bytesCodec as Codec<unknown>, "text", TypeError],
      [messagePackCodec(), () => 1, /Unrecognized/],
      [messagePackCodec(), undefined, TypeError],
      [{ ...jsonCodec(), encode: () => "text" as unknown as Uint8Array }, 1, TypeError],
      [
        {
          ...jsonCodec(),
          encode: () => {
            throw new CacheError("InvalidArgument", "its own");
          },
        },
        1,
        /its own/,
      ],
    ];
    for (const [codec, value, expected] of codecs) {
      const cache = client.cache("cache").typed(codec);
      await client.cache("cache").delete("unwritable");
      await assert.rejects(cache.set("unwritable", value), expected);
      await assert.rejects(
        cache.setBatch([
          ["unwritable", null],
          ["other", value],
        ]),
        expected,
      );
      await assert.rejects(settled(cache.getOrSet("unwritable", () => value)), expected);
      await assert.rejects(settled(cache.getOrSet("unwritable", () => value, lease)), expected);
      await assert.rejects(
        cache.getOrSetBatch(["unwritable", "other"], () => [null, value]),
        expected,
      );
      assert.equal((await client.cache("cache").get("unwritable")).result, "miss");
      assert.equal(String(await settled(other.cache("cache").getOrSet("unwritable", () => "mine", lease))), "mine");
    }
  });

  test("CODEC-5: value over maxDecodedBytes is not stored", async () => {
    const cache = client.cache("cache").typed(textCodec, { maxDecodedBytes: 10 });
    const isInvalid = (error: unknown) => error instanceof CacheError && error.code === "InvalidArgument";
    const long = "x".repeat(11);
    const set = await cache.set("long", long);
    assert.equal(set.result === "error" && set.error.code, "InvalidArgument");
    const batch = await cache.setBatch({ short: "x", long });
    assert.equal(batch.result === "error" && batch.error.code, "InvalidArgument");
    await assert.rejects(settled(cache.getOrSet("long", () => long, lease)), isInvalid);
    await assert.rejects(
      cache.getOrSetBatch(["long"], () => [long]),
      isInvalid,
    );
    assert.equal((await client.cache("cache").get("long")).result, "miss");
    assert.equal((await client.cache("cache").get("short")).result, "miss");
    assert.equal((await cache.set("long", "x".repeat(10))).result, "success");
  });

  test("callers that share a load receive separate values", async () => {
    let open = (_: User) => {};
    const gate = new Promise<User>((resolve) => {
      open = resolve;
    });
    let ran = 0;
    const factory = () => {
      ran++;
      return gate;
    };
    const asked = [users(), users(), client.cache("cache").typed(jsonCodec(isUser))].flatMap((cache) =>
      Array.from({ length: 10 }, () => cache.getOrSet("shared", factory, lease)),
    );
    open(ada);
    const values = await settled(Promise.all(asked));
    assert.equal(ran, 1);
    assert.equal(new Set(values).size, 30);
    assert.equal(new Set(values.map((value) => value!.tags)).size, 30);
    for (const value of values) assert.deepEqual(value, ada);
  });

  test("caller reloads a shared value that its codec rejects", async () => {
    await client.cache("cache").typed(jsonCodec()).set("shapes", { title: "x" });
    const any = client.cache("cache").typed(jsonCodec());
    const [loose, strict] = await settled(
      Promise.all([any.getOrSet("shapes", notCalled), users().getOrSet("shapes", () => ada)]),
    );
    assert.deepEqual([loose, strict], [{ title: "x" }, ada]);
    assert.deepEqual(await users().get("shapes"), { result: "hit", value: ada });
  });

  test("typed and plain callers share no factory call", async () => {
    await client.cache("cache").delete("both");
    const [typed, plain] = await settled(
      Promise.all([users().getOrSet("both", () => ada), client.cache("cache").getOrSet("both", () => "plain")]),
    );
    assert.deepEqual(typed, ada);
    assert.ok(String(plain) === "plain" || plain[0] === 0xc1);
  });

  test("GOC-14: ttlOf receives the value, including null", async () => {
    const ttlOf = (value: User | null) => (value === null ? 5_000 : undefined);
    await client.cache("cache").delete("nobody");
    assert.equal(await settled(users().getOrSet("nobody", () => null, { ttlMs: 3_600_000, ttlOf })), null);
    const found = await client.cache("cache").itemGetTtl("nobody");
    assert.ok(found.result === "hit" && found.remainingTtlMs <= 5_000);
    assert.equal(await settled(users().getOrSet("nobody", notCalled, { ttlOf })), null);
  });

  test("setBatch stores items with their own TTLs", async () => {
    assert.equal((await users().setBatch({ x: ada, y: null })).result, "success");
    assert.equal((await users().setBatch([["z", { name: "Zed" }, 5_000]])).result, "success");
    assert.equal((await users().setBatch(new Map([["w", ada]]))).result, "success");
    const got = await users().getBatch(["x", "y", "z", "w"]);
    assert.ok(got.result === "success");
    assert.deepEqual(
      got.responses.map((each) => each.result === "hit" && each.value),
      [ada, null, { name: "Zed" }, ada],
    );
    const found = await client.cache("cache").itemGetTtl("z");
    assert.ok(found.result === "hit" && found.remainingTtlMs <= 5_000);
    for (const items of [["xy"], [["x"]], [["x", ada, 1, 2]], 7, null])
      await assert.rejects(users().setBatch(items as unknown as Record<string, User>), TypeError);
  });

  test("CODEC-7: throwing codec causes DecodingFailed without the thrown details", async () => {
    const throws = (thrown: unknown): Codec<string> => ({
      content: 200,
      encode: (value) => Buffer.from(value),
      decode: () => {
        throw thrown;
      },
    });
    const hostile = new Proxy(new Error("x"), {
      get() {
        throw new Error("not even this");
      },
    });
    for (const thrown of [new Error("the secret"), "the secret", undefined, null, hostile]) {
      const cache = client.cache("cache").typed(throws(thrown));
      await cache.set("own", "the secret");
      const got = await cache.get("own");
      assert.ok(got.result === "error");
      assert.equal(got.error.code, "DecodingFailed");
      assert.ok(!got.error.message.includes("secret") && got.error.cause === undefined);
      let ran = 0;
      const factory = () => {
        ran++;
        return "the secret";
      };
      await assert.rejects(
        settled(cache.getOrSet("own", factory)),
        (error) => error instanceof CacheError && error.code === "DecodingFailed",
      );
      assert.equal(ran, 1);
    }
  });

  test("codec check rejects invalid values and is skipped for null", async () => {
    const asserting = jsonCodec<User>((value) => assert.ok(isUser(value)));
    for (const codec of [asserting, userCodec]) {
      const cache = client.cache("cache").typed(codec);
      await client.cache("cache").typed(jsonCodec()).set("checked", 7);
      const got = await cache.get("checked");
      assert.equal(got.result === "error" && got.error.code, "DecodingFailed");
      await client.cache("cache").typed(jsonCodec()).set("checked", ada);
      assert.deepEqual(await cache.get("checked"), { result: "hit", value: ada });
      await cache.set("checked", null);
      assert.deepEqual(await cache.get("checked"), { result: "hit", value: null });
    }
  });
}

describe("typed cache on the fake server", () => {
  tests(fakeBench);

  test("rejects invalid codecs and settings", async () => {
    await using client = new FakeServer().client();
    const cache = client.cache("cache");
    for (const [codec, options, expected] of [
      [undefined, {}, TypeError],
      [null, {}, TypeError],
      [jsonCodec, {}, TypeError],
      [{ ...jsonCodec(), content: 0 }, {}, RangeError],
      [{ ...jsonCodec(), content: 5 }, {}, RangeError],
      [{ ...jsonCodec(), content: 127 }, {}, RangeError],
      [{ ...jsonCodec(), content: 256 }, {}, RangeError],
      [{ ...jsonCodec(), content: "128" }, {}, RangeError],
      [textCodec, { compressAbove: -1 }, RangeError],
      [textCodec, { compressAbove: Number.NaN }, RangeError],
      [textCodec, { compressAbove: "1" }, TypeError],
      [textCodec, { maxDecodedBytes: 0 }, RangeError],
      [textCodec, { maxDecodedBytes: 2 ** 32 }, RangeError],
      [textCodec, { maxDecoded: 1 }, TypeError],
      [textCodec, null, TypeError],
    ] as const)
      assert.throws(
        () => cache.typed(codec as unknown as Codec<string>, options as TypedCacheOptions),
        expected,
        JSON.stringify(options),
      );
    assert.throws(() => jsonCodec("check" as never), TypeError);
    assert.throws(() => messagePackCodec(7 as never), TypeError);
    await assert.rejects(cache.typed(textCodec).getOrSet("key", "made" as never), TypeError);
    await assert.rejects(cache.typed(textCodec).getOrSetBatch(["key"], "made" as never), TypeError);
  });

  test("getOrSet returns the factory's value when the cache fails", async () => {
    const fake = new FakeServer();
    await using client = fake.client();
    const cache = client.cache("cache").typed(userCodec);
    fake.stop();
    const [one, other] = await Promise.all([cache.getOrSet("key", () => ada), cache.getOrSet("key", () => ada)]);
    assert.deepEqual([one, other], [ada, ada]);
    assert.notEqual(one, other);
    assert.deepEqual(await cache.getOrSetBatch(["a", "b"], () => [ada, null]), [ada, null]);
    const got = await cache.get("key");
    assert.equal(got.result === "error" && got.error.code, "Unavailable");
  });
});

describe("typed cache on the real server", { skip: skipWithoutServer }, () => tests(serverBench));
