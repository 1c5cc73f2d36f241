// Tests factories that use their context (GOC-17 to GOC-21), on the fake server and on the real server.
import assert from "node:assert/strict";
import type { Buffer } from "node:buffer";
import { after, before, describe, test } from "node:test";
import type { Cache } from "../../src/client/cache.js";
import type { CacheClient } from "../../src/client/client.js";
import type { GetOrSetOptions } from "../../src/client/client-options.js";
import { Status } from "../../src/client/errors.js";
import { Hit } from "../../src/client/responses.js";
import { jsonCodec } from "../../src/codecs/codec.js";
import type { Factory } from "../../src/leases/cache-aside.js";
import type { FactoryContext } from "../../src/leases/factory-context.js";
import type { Bytes } from "../../src/operations/proto-writer.js";
import { clientOf, FakeServer } from "../support/fake-server.js";
import { fakeBench, type LeaseBench, serverBench } from "../support/lease-benches.js";
import { skipWithoutServer } from "../support/server-process.js";

const hour = 3_600_000;
const kept = { leaseMs: 600_000, failSafeForMs: hour, ttlMs: hour };

type BytesFactory = Factory<Bytes, Buffer>;

async function found(cache: Cache, key: string): Promise<string | null> {
  const answer = await cache.get(key);
  return answer instanceof Hit ? answer.value : null;
}

const fails = () => Promise.reject(new Error("no"));

function tests(make: () => LeaseBench | Promise<LeaseBench>): void {
  let bench: LeaseBench;
  let client: CacheClient;
  let cache: Cache;
  before(async () => {
    bench = await make();
    client = bench.client();
    cache = client.cache("cache");
  });
  after(() => bench.close());
  const load = async (key: string, factory: BytesFactory, options: GetOrSetOptions = kept) =>
    String(await bench.settled(cache.getOrSet(key, factory, options)));
  const rejected = async (key: string, factory: BytesFactory, options: GetOrSetOptions = kept) => {
    const error: unknown = await load(key, factory, options).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof Error, String(error));
    return error;
  };
  /** Stores a value that has expired. */
  const expired = async (key: string, options: GetOrSetOptions = {}) => {
    assert.equal(await load(key, () => "old", { ...kept, ttlMs: 1, ...options }), "old");
    await bench.pass(1);
    while ((await found(cache, key)) !== null) await bench.pass(5);
  };
  const ttlOf = async (key: string) => {
    const answer = await bench.settled(cache.itemGetTtl(key));
    assert.ok("remainingTtlMs" in answer);
    return answer.remainingTtlMs;
  };

  test("GOC-17: missing value gives a context without stale value", async () => {
    for (const options of [{}, kept]) {
      const contexts: FactoryContext[] = [];
      const key = `missing ${Object.keys(options).length}`;
      const factory: BytesFactory = (_signal, context) => {
        contexts.push(context);
        return "v";
      };
      assert.equal(await load(key, factory, options), "v");
      assert.equal(contexts.length, 1);
      assert.equal(contexts[0]!.hasStale, false);
      assert.throws(() => contexts[0]!.staleValue, /hasStale/);
    }
  });

  test("GOC-17: context contains a copy of the stale value", async () => {
    await expired("copy");
    const spoils: BytesFactory = (_signal, context) => {
      context.staleValue.fill("x");
      throw new Error("no");
    };
    assert.equal(await load("copy", spoils), "old");
    // These options do not permit returning the stale value.
    const strict = { leaseMs: 600_000, ttlMs: hour };
    assert.equal(await load("copy", (_signal, context) => `${context.staleValue}!`, strict), "old!");
    assert.equal(await found(cache, "copy"), "old!");
  });

  test("GOC-17: background refresh receives the value that it replaces", async () => {
    await expired("refreshed", { revalidateForMs: hour });
    const factory: BytesFactory = (_signal, context) => `${context.staleValue}!`;
    const value = await bench.settled(cache.getOrSet("refreshed", factory, { ...kept, revalidateForMs: hour }));
    assert.equal(String(value), "old");
    value.fill("x");
    while ((await found(cache, "refreshed")) === null) await bench.pass(5);
    assert.equal(await found(cache, "refreshed"), "old!");
  });

  test("GOC-17: typed context contains the decoded stale value", async () => {
    const lists = cache.typed(jsonCodec<number[]>());
    await bench.settled(lists.getOrSet("list", () => [1], { ...kept, ttlMs: 1 }));
    await bench.pass(1);
    while ((await found(cache, "list")) !== null) await bench.pass(5);
    const spoils: Factory<number[] | null> = (_signal, context) => {
      context.staleValue!.push(2);
      throw new Error("no");
    };
    assert.deepEqual(await bench.settled(lists.getOrSet("list", spoils, kept)), [1]);
    const extend: Factory<number[] | null> = (_signal, context) => [...context.staleValue!, 3];
    assert.deepEqual(await bench.settled(lists.getOrSet("list", extend, kept)), [1, 3]);
  });

  test("GOC-18: TTL of the context overrides ttlOf and the call", async () => {
    const options = { ...kept, ttlOf: () => assert.fail("ttlOf must not be called") };
    for (const [key, given] of [["leased", options] as const, ["plain", { ttlMs: hour }] as const]) {
      const factory: BytesFactory = (_signal, context) => {
        context.ttlMs = 5 * hour;
        return "v";
      };
      await load(key, factory, given);
      const ttlMs = await ttlOf(key);
      assert.ok(ttlMs > 4 * hour && ttlMs <= 5 * hour, String(ttlMs));
    }
  });

  test("GOC-18: invalid TTL acts as a factory exception", async () => {
    for (const [ttlMs, error] of [
      [0, /time to live/],
      [Number.NaN, /time to live/],
      [366 * 24 * hour, /time to live/],
      ["7" as unknown as number, /must be a number of milliseconds/],
    ] as const) {
      const factory: BytesFactory = (_signal, context) => {
        context.ttlMs = ttlMs;
        return "v";
      };
      assert.match((await rejected("invalid TTL", factory)).message, error);
      assert.equal(await found(cache, "invalid TTL"), null);
      await expired("invalid TTL");
      assert.equal(await load("invalid TTL", factory), "old");
      await bench.settled(cache.delete("invalid TTL"));
    }
  });

  test("GOC-19: tags of the context are added to those of the call", async () => {
    const factory: BytesFactory = (_signal, context) => {
      context.tags = ["result"];
      return "v";
    };
    for (const [tag, options] of [
      ["call", { ...kept, tags: ["call"] }],
      ["result", { ...kept, tags: ["call"] }],
      ["result", { ttlMs: hour }],
    ] as const) {
      await load("tagged", factory, options);
      assert.equal(await found(cache, "tagged"), "v");
      await bench.settled(cache.removeByTag([tag]));
      assert.equal(await found(cache, "tagged"), null);
    }
  });

  test("GOC-19: tag invalidated during the load makes the value a miss", async () => {
    const factory: BytesFactory = async (_signal, context) => {
      await cache.removeByTag(["removed"]);
      context.tags = ["removed"];
      return "read before";
    };
    assert.equal(await load("removed", factory), "read before");
    assert.equal(await found(cache, "removed"), null);
  });

  test("GOC-19: invalid tags act as a factory exception", async () => {
    const tagged =
      (tags: unknown): BytesFactory =>
      (_signal, context) => {
        context.tags = tags as string[];
        return "v";
      };
    const options = { ...kept, tags: ["call"] };
    for (const tags of [[""], Array(128).fill("t"), "text", [7]]) await rejected("bad tags", tagged(tags), options);
    assert.equal(await found(cache, "bad tags"), null);
    assert.equal(await load("bad tags", tagged(Array(127).fill("t")), options), "v");
    assert.equal(await found(cache, "bad tags"), "v");
  });

  test("GOC-20: unstored value is returned to all callers and its lease is released", async () => {
    let runs = 0;
    const factory: BytesFactory = async (_signal, context) => {
      runs++;
      context.doNotStore = true;
      return "unstored";
    };
    const asked = Promise.all(["", "", ""].map(() => cache.getOrSet("unstored", factory, kept)));
    assert.deepEqual((await bench.settled(asked)).map(String), ["unstored", "unstored", "unstored"]);
    assert.equal(runs, 1);
    assert.equal(await found(cache, "unstored"), null);
    assert.equal(await load("unstored", factory, {}), "unstored");
    assert.equal(await found(cache, "unstored"), null);
    assert.equal(await load("unstored", () => "stored"), "stored");
  });

  test("GOC-20: stale value remains after an unstored value", async () => {
    await expired("remains");
    const factory: BytesFactory = (_signal, context) => {
      context.doNotStore = true;
      return "unstored";
    };
    assert.equal(await load("remains", factory), "unstored");
    assert.equal(await load("remains", fails), "old");
  });

  test("GOC-21: unmodified value is stored again with a new TTL", async () => {
    await expired("unmodified");
    const factory: BytesFactory = (_signal, context) => {
      context.staleValue.fill("x");
      context.notModified();
      context.tags = ["again"];
      return "ignored";
    };
    assert.equal(await load("unmodified", factory, { ...kept, ttlMs: 5 * hour }), "old");
    assert.equal(await found(cache, "unmodified"), "old");
    assert.ok((await ttlOf("unmodified")) > 4 * hour);
    await bench.settled(cache.removeByTag(["again"]));
    assert.equal(await found(cache, "unmodified"), null);
  });

  test("GOC-21: unmodified typed value is not encoded again", async () => {
    let encoded = 0;
    const json = jsonCodec<number[]>();
    const lists = cache.typed({
      content: json.content,
      encode: (value: number[]) => {
        encoded++;
        return json.encode(value);
      },
      decode: (bytes: Uint8Array) => json.decode(bytes),
    });
    await bench.settled(lists.getOrSet("same", () => [1], { ...kept, ttlMs: 1 }));
    await bench.pass(1);
    while ((await found(cache, "same")) !== null) await bench.pass(5);
    const given: (number[] | null)[] = [];
    const options = {
      failSafeForMs: hour,
      ttlOf: (value: number[] | null) => {
        given.push(value);
        return hour;
      },
    };
    const same: Factory<number[] | null> = (_signal, context) => context.notModified();
    assert.deepEqual(await bench.settled(lists.getOrSet("same", same, options)), [1]);
    assert.deepEqual(given, [[1]]);
    assert.equal(encoded, 1);
  });

  test("GOC-21: notModified without a stale value throws", async () => {
    const factory: BytesFactory = (_signal, context) => context.notModified();
    assert.match((await rejected("nothing", factory)).message, /no stale value/);
    assert.equal(await found(cache, "nothing"), null);
    assert.equal(await load("nothing", () => "v"), "v");
  });

  test("GOC-22: ETag is stored with the value and kept by an unmodified value", async () => {
    const seen: (string | undefined)[] = [];
    const etagged =
      (etag: string | undefined, isNew: boolean): BytesFactory =>
      (_signal, context) => {
        seen.push(context.staleEtag);
        context.etag = etag;
        return isNew ? "v" : context.notModified();
      };
    const brief = { ...kept, ttlMs: 1 };
    for (const [etag, isNew] of [
      ['"v1"', true],
      [undefined, false],
      ['"v2" ☃', false],
      ["e".repeat(1_024), true],
      ["", true],
      ['"v3"', true],
      [undefined, true],
      [undefined, true],
    ] as const) {
      await load("etag", etagged(etag, isNew), brief);
      await bench.pass(1);
      while ((await found(cache, "etag")) !== null) await bench.pass(5);
    }
    const long = "e".repeat(1_024);
    assert.deepEqual(seen, [undefined, '"v1"', '"v1"', '"v2" ☃', long, undefined, '"v3"', undefined]);
  });

  test("GOC-22: invalid ETag acts as a factory exception", async () => {
    const invalid = ["e".repeat(1_025), "e".repeat(10_240), "☃".repeat(342), "\ud800", 7 as unknown as string];
    for (const etag of invalid) {
      const factory: BytesFactory = (_signal, context) => {
        context.etag = etag;
        return "v";
      };
      assert.match((await rejected("bad etag", factory)).message, /etag/);
      assert.equal(await found(cache, "bad etag"), null);
    }
    assert.equal(await load("bad etag", () => "v"), "v");
  });
}

describe("factory context on the fake server", () => tests(fakeBench));
describe("factory context on the real server", { skip: skipWithoutServer }, () => tests(serverBench));

describe("factory context on a server without leases", () => {
  test("GOC-19: value with tags of the context is not stored", async () => {
    const server = await new FakeServer().start();
    const client = clientOf(server, "pipeline");
    try {
      const sets: string[] = [];
      server.onCall = (call) => {
        if (call.rpc === "GetOrLease" || call.rpc === "SetWithLease") call.fail(Status.unimplemented, "unknown method");
        else {
          if (call.rpc === "Set") sets.push(call.rpc);
          call.answer();
        }
      };
      const cache = client.cache("cache");
      for (const change of [{ doNotStore: true }, { tags: ["t"] }])
        for (const options of [{ leaseMs: 1_000 }, {}]) {
          const factory: BytesFactory = (_signal, context) => {
            Object.assign(context, change);
            return "v";
          };
          await cache.getOrSet("k", factory, options);
        }
      assert.deepEqual(sets, []);
      await cache.getOrSet("k", () => "v", { leaseMs: 1_000 });
      assert.deepEqual(sets, ["Set"]);
    } finally {
      await client.close();
      await server.stop();
    }
  });
});
