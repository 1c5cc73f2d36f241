// Tests the limiter against the real server. Covers the cases that rate-limiter-flexible tests for its own stores.
// In addition, several clients consume points concurrently.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes, RateLimiterUnion } from "rate-limiter-flexible";
import {
  type Cache,
  CacheClient,
  CacheError,
  Configurations,
  CredentialProvider,
  withSettings,
} from "../../src/index.js";
import { RateLimiterLarder, type RateLimiterLarderOptions } from "../../src/integrations/rate-limiter-flexible.js";
import { FakeServer } from "../../src/testing/fake.js";
import { type ServerProcess, skipWithoutServer, startServer } from "../support/server-process.js";

describe("RateLimiterLarder", { skip: skipWithoutServer }, () => {
  let server: ServerProcess;
  let client: CacheClient;
  let cache: Cache;
  let prefixes = 0;
  before(async () => {
    server = await startServer();
    client = clientOf(server.endpoint, 30_000);
    cache = client.cache("cache");
  });
  after(async () => {
    await client.close();
    await server.stop();
  });
  const clientOf = (endpoint: string, requestTimeoutMs: number) =>
    new CacheClient({
      credentials: CredentialProvider.local(endpoint),
      configuration: withSettings(Configurations.Laptop.latest(), { requestTimeoutMs }),
      defaultTtlMs: 60_000,
    });
  const limiterWith = (options: Partial<RateLimiterLarderOptions> = {}) =>
    new RateLimiterLarder({
      storeClient: client,
      cacheName: "cache",
      points: 2,
      duration: 60,
      keyPrefix: `test-${++prefixes}`,
      ...options,
    });
  const leftMs = async (limiter: RateLimiterLarder) => {
    const answer = await cache.itemGetTtl(limiter.getKey("key"));
    return answer.result === "hit" ? answer.remainingTtlMs : 0;
  };
  const isRefusal = (error: unknown) => error instanceof RateLimiterRes;
  const isInvalid = (error: unknown) => error instanceof CacheError && error.code === "InvalidArgument";
  const within = (ms: number, mostMs: number) => assert.ok(ms > 0 && ms <= mostMs, `${ms} of ${mostMs}`);

  test("consume rejects with the waiting time when points run out", async () => {
    const limiter = limiterWith();
    const first = await limiter.consume("key");
    assert.deepEqual([first.consumedPoints, first.remainingPoints, first.isFirstInDuration], [1, 1, true]);
    within(first.msBeforeNext, 60_000);
    const second = await limiter.consume("key");
    assert.deepEqual([second.consumedPoints, second.remainingPoints, second.isFirstInDuration], [2, 0, false]);
    await assert.rejects(limiter.consume("key"), (refusal: RateLimiterRes) => {
      assert.ok(isRefusal(refusal));
      assert.deepEqual([refusal.consumedPoints, refusal.remainingPoints], [3, 0]);
      within(refusal.msBeforeNext, 60_000);
      return true;
    });
    await assert.rejects(limiter.consume("other", 3), isRefusal);
  });

  test("consuming, penalties and rewards never extend the window", async () => {
    const limiter = limiterWith({ points: 100 });
    await limiter.consume("key");
    await cache.updateTtl(limiter.getKey("key"), 30_000);
    for (const count of ["consume", "penalty", "reward"] as const) {
      within((await limiter[count]("key")).msBeforeNext, 30_000);
      within(await leftMs(limiter), 30_000);
    }
  });

  test("accepts points as integer text and rejects other values", async () => {
    const limiter = limiterWith({ points: 5 });
    const first = await limiter.consume("key", "2" as never);
    assert.deepEqual([first.consumedPoints, first.remainingPoints, first.isFirstInDuration], [2, 3, true]);
    assert.equal((await limiter.penalty("key", "1" as never)).consumedPoints, 3);
    for (const wrong of ["", "2.5", "two", "1e3", "9007199254740993", " 2", 1.5, Number.NaN, null, {}])
      await assert.rejects(limiter.consume("key", wrong as never), isInvalid);
    assert.equal((await limiter.get("key"))?.consumedPoints, 3);
  });

  test("next window starts with all points", async () => {
    const limiter = limiterWith({ points: 1, duration: 0.2 });
    await limiter.consume("key");
    for (;;) {
      const next = await limiter.consume("key").catch((refusal: unknown) => assert.ok(isRefusal(refusal)));
      if (!next) continue;
      assert.deepEqual([next.consumedPoints, next.isFirstInDuration], [1, true]);
      within(next.msBeforeNext, 200);
      return;
    }
  });

  test("remaining TTL is read again if missing, then assumed 0", async () => {
    const missing = { result: "miss" };
    const found = { result: "hit", remainingTtlMs: 40_000 };
    for (const [value, answers, expectedMs] of [
      [1n, [missing], 60_000],
      [2n, [missing, found], 40_000],
      [2n, [missing, missing], 0],
      [2n, [found], 40_000],
    ] as const) {
      const [...left] = answers;
      const cache = {
        increment: async () => ({ result: "success", value }),
        itemGetTtl: async () => left.shift(),
      };
      const storeClient = { cache: () => cache };
      const limiter = limiterWith({ storeClient: storeClient as unknown as CacheClient });
      assert.equal((await limiter.consume("key")).msBeforeNext, expectedMs);
      assert.equal(left.length, 0);
    }
  });

  test("exactly 100 of 200 concurrent consumers pass", async () => {
    const other = clientOf(server.endpoint, 30_000);
    const limiters = [client, other].map((storeClient) =>
      limiterWith({ storeClient, points: 100, keyPrefix: "together" }),
    ) as [RateLimiterLarder, RateLimiterLarder];
    for (const key of ["one", "several"]) {
      const all = await Promise.allSettled(
        Array.from({ length: 200 }, (_, i) => limiters[key === "one" ? 0 : i % 2]!.consume(key)),
      );
      const passed = all.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
      const refused = all.flatMap((each) => (each.status === "rejected" ? [each.reason as RateLimiterRes] : []));
      assert.deepEqual([passed.length, refused.length], [100, 100]);
      assert.ok(refused.every(isRefusal));
      const counts = [...passed, ...refused].map(({ consumedPoints }) => consumedPoints);
      assert.deepEqual(
        counts.sort((a, b) => a - b),
        Array.from({ length: 200 }, (_, i) => i + 1),
      );
      assert.equal(passed.filter(({ isFirstInDuration }) => isFirstInDuration).length, 1);
      for (const { msBeforeNext } of [...passed, ...refused]) within(msBeforeNext, 60_000);
    }
    await other.close();
  });

  test("penalty and reward change points, even of new keys", async () => {
    const limiter = limiterWith();
    await limiter.consume("key");
    assert.equal((await limiter.penalty("key")).consumedPoints, 2);
    assert.equal((await limiter.reward("key", 2)).consumedPoints, 0);
    assert.equal((await limiter.consume("key", 2)).remainingPoints, 0);
    assert.equal((await limiter.penalty("fined", 2)).remainingPoints, 0);
    await assert.rejects(limiter.consume("fined"), isRefusal);
    const rewarded = await limiter.reward("rewarded");
    assert.deepEqual([rewarded.consumedPoints, rewarded.remainingPoints], [-1, 3]);
  });

  test("get returns points without consuming, or null", async () => {
    const limiter = limiterWith();
    assert.equal(await limiter.get("key"), null);
    await limiter.consume("key", 2);
    for (let i = 0; i < 2; i++) {
      const got = await limiter.get("key");
      assert.deepEqual([got?.consumedPoints, got?.remainingPoints, got?.isFirstInDuration], [2, 0, false]);
      within(got?.msBeforeNext ?? 0, 60_000);
    }
  });

  test("set overrides points and duration", async () => {
    const limiter = limiterWith({ points: 5 });
    const set = await limiter.set("key", 4, 600);
    assert.deepEqual([set.consumedPoints, set.msBeforeNext], [4, 600_000]);
    assert.ok((await leftMs(limiter)) > 60_000);
    assert.equal((await limiter.consume("key")).consumedPoints, 5);
    await assert.rejects(limiter.consume("key"), isRefusal);
  });

  test("delete restores points and returns whether the key existed", async () => {
    const limiter = limiterWith({ points: 1 });
    assert.equal(await limiter.delete("key"), false);
    await limiter.consume("key");
    assert.equal(await limiter.delete("key"), true);
    assert.equal((await limiter.consume("key")).consumedPoints, 1);
  });

  test("blocked key is rejected until it expires or is deleted", async () => {
    const limiter = limiterWith();
    await limiter.consume("key");
    assert.equal((await limiter.block("key", 600)).msBeforeNext, 600_000);
    assert.ok((await leftMs(limiter)) > 60_000);
    await assert.rejects(limiter.consume("key"), (refusal: RateLimiterRes) => refusal.msBeforeNext > 60_000);
    assert.equal((await limiter.get("key"))?.remainingPoints, 0);
    await limiter.delete("key");
    await limiter.consume("key");
  });

  test("blockDuration starts one block; further calls do not extend it", async () => {
    const limiter = limiterWith({ points: 1, blockDuration: 600 });
    await limiter.consume("key");
    await assert.rejects(limiter.consume("key"), (refusal: RateLimiterRes) => refusal.msBeforeNext === 600_000);
    assert.ok((await leftMs(limiter)) > 60_000);
    await cache.updateTtl(limiter.getKey("key"), 30_000);
    await assert.rejects(limiter.consume("key"), isRefusal);
    within(await leftMs(limiter), 30_000);
  });

  test("in-memory block avoids calls to the server", async () => {
    const limiter = limiterWith({ points: 1, inMemoryBlockOnConsumed: 2, inMemoryBlockDuration: 60 });
    await limiter.consume("key");
    await assert.rejects(limiter.consume("key"), isRefusal);
    await assert.rejects(limiter.consume("key"), isRefusal);
    assert.equal((await limiter.get("key"))?.consumedPoints, 2);
    limiter.deleteInMemoryBlockedAll();
    await assert.rejects(limiter.consume("key"), isRefusal);
    assert.equal((await limiter.get("key"))?.consumedPoints, 3);
  });

  test("customDuration applies only when it starts a window", async () => {
    const limiter = limiterWith({ points: 5 });
    await limiter.consume("key", 1, { customDuration: 600 });
    assert.ok((await leftMs(limiter)) > 60_000);
    within((await limiter.consume("key", 1, { customDuration: 6_000 })).msBeforeNext, 600_000);
  });

  test("accepts any text as key and separates prefixes", async () => {
    const plain = limiterWith({ points: 1, keyPrefix: "" });
    for (const key of ["a:b", "ø🍞", "__proto__", 7, "x".repeat(10_000)]) {
      assert.equal((await plain.consume(key)).consumedPoints, 1);
      assert.equal((await limiterWith({ points: 1 }).consume(key)).consumedPoints, 1);
      assert.equal(await plain.delete(key), true);
    }
    await assert.rejects(plain.consume(""), isInvalid);
    await assert.rejects(plain.consume("\ud800"), isInvalid);
  });

  test("rejects invalid points, durations and stored values", async () => {
    const limiter = limiterWith();
    for (const points of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, "one" as unknown as number]) {
      await assert.rejects(limiter.consume("key", points), isInvalid);
      await assert.rejects(limiter.set("key", points, 60), isInvalid);
    }
    await assert.rejects(limiter.set("key", 1, 0), isInvalid);
    await assert.rejects(limiter.block("key", 0), isInvalid);
    await assert.rejects(limiter.consume("key", 1, { customDuration: 0 }), isInvalid);
    assert.equal(await limiter.get("key"), null);
    assert.throws(() => limiterWith({ duration: 0 }), isInvalid);
    assert.throws(() => limiterWith({ storeClient: undefined as unknown as CacheClient }), /storeClient is not set/);

    await cache.set(limiter.getKey("key"), "no counter");
    for (const call of ["consume", "get"] as const)
      await assert.rejects(
        limiter[call]("key"),
        (error: unknown) => error instanceof CacheError && error.code === "FailedPrecondition",
      );
  });

  test("RateLimiterUnion and BurstyRateLimiter accept a RateLimiterLarder", async () => {
    const [narrow, wide] = [limiterWith({ points: 1 }), limiterWith({ points: 5 })];
    const union = new RateLimiterUnion(narrow, wide);
    await union.consume("key");
    await assert.rejects(union.consume("key"));
    assert.equal((await wide.get("key"))?.consumedPoints, 2);

    const bursty = new BurstyRateLimiter(limiterWith({ points: 1 }), limiterWith({ points: 2 }));
    for (let i = 0; i < 3; i++) await bursty.consume("key");
    await assert.rejects(bursty.consume("key"), isRefusal);
  });

  test("unreachable server fails calls unless an insurance limiter is set", async () => {
    const stopped = await startServer();
    await stopped.stop();
    const storeClient = clientOf(stopped.endpoint, 500);
    const isGone = (error: unknown) => error instanceof CacheError && /^(Unavailable|Timeout)$/.test(error.code);
    const bare = limiterWith({ storeClient });
    for (const call of ["consume", "penalty", "reward", "get", "delete"] as const)
      await assert.rejects(bare[call]("key"), isGone);
    await assert.rejects(bare.block("key", 60), isGone);

    const insuranceLimiter = new RateLimiterMemory({ points: 1, duration: 60 });
    const insured = limiterWith({ storeClient, insuranceLimiter });
    assert.equal((await insured.consume("key")).consumedPoints, 1);
    await assert.rejects(insured.consume("key"), isRefusal);
    assert.equal((await insured.get("key"))?.consumedPoints, 2);
    await storeClient.close();
  });
});

describe("RateLimiterLarder with concurrent calls", () => {
  test("window that ends between the two calls does not shorten the new window", async () => {
    const fake = new FakeServer();
    const client = fake.client();
    const limiter = new RateLimiterLarder({ storeClient: client, cacheName: "cache", points: 2, duration: 60 });
    await limiter.consume("key");
    await limiter.consume("key");
    await fake.advance(59_950);
    // The remaining time is read 50 ms before the window ends, and the increment runs after that.
    fake.delay("increment", 100);
    const consumed = limiter.consume("key");
    await fake.advance(100);
    const { consumedPoints, isFirstInDuration, msBeforeNext } = await consumed;
    assert.deepEqual([consumedPoints, isFirstInDuration], [1, true]);
    assert.ok(msBeforeNext > 50_000 && msBeforeNext <= 60_000, `${msBeforeNext}`);
    await client.close();
  });

  test("500 concurrent increments of a missing counter are all counted in one window", async () => {
    const fake = new FakeServer();
    const clients = [fake.client(), fake.client()];
    const limiters = clients.map(
      (storeClient) => new RateLimiterLarder({ storeClient, cacheName: "cache", points: 500, duration: 60 }),
    );
    const results = await Promise.all(Array.from({ length: 500 }, (_, i) => limiters[i % 2]!.consume("key")));
    const counts = results.map(({ consumedPoints }) => consumedPoints).sort((a, b) => a - b);
    assert.deepEqual(
      counts,
      Array.from({ length: 500 }, (_, i) => i + 1),
    );
    assert.equal(results.filter(({ isFirstInDuration }) => isFirstInDuration).length, 1);
    for (const { msBeforeNext } of results) assert.ok(msBeforeNext > 0 && msBeforeNext <= 60_000, `${msBeforeNext}`);
    await assert.rejects(limiters[0]!.consume("key"), RateLimiterRes);
    for (const client of clients) await client.close();
  });
});
