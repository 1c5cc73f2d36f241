import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { CacheClient } from "../../src/client/client.js";
import { MaxTtlLimiter } from "../../src/client/max-ttl-limiter.js";
import { FakeServer } from "../../src/testing/fake.js";
import { warningsIn } from "../support/own-warnings.js";

const hourMs = 3_600_000;

/**
 * Returns an adapter of a server whose maximum TTL is one hour. `tried` lists the TTLs with which `write` tried to
 * store a value.
 */
function adapter(server = new FakeServer({ maxTtlMs: hourMs })) {
  const client = server.client();
  const clock = { ms: 0 };
  const longest = new MaxTtlLimiter(client, "cache", () => clock.ms);
  const tried: number[] = [];
  const write = (ttlMs: number, value = "v") =>
    longest.write(ttlMs, (ttlMs) => {
      tried.push(ttlMs);
      return client.cache("cache").set("key", value, { ttlMs });
    });
  return { client, clock, longest, tried, write };
}

const aTurn = () => new Promise((resolve) => setImmediate(resolve));

describe("MaxTtlLimiter", () => {
  for (const [askedMs, expected] of [
    [hourMs, [hourMs]],
    [hourMs + 1, [hourMs + 1, hourMs]],
    [10 * hourMs, [10 * hourMs, hourMs]],
    [Number.MAX_SAFE_INTEGER, [31_536_000_000, hourMs]],
    [Number.POSITIVE_INFINITY, [31_536_000_000, hourMs]],
  ] as const)
    test(`limits a TTL of ${askedMs} ms to the server's maximum`, async () => {
      const { client, tried, write } = adapter();
      assert.equal((await write(askedMs)).result, "success");
      assert.deepEqual(tried, expected);
      const left = await client.cache("cache").itemGetTtl("key");
      assert.ok(left.result === "hit" && left.remainingTtlMs <= hourMs);
      await client.close();
    });

  test("later writes use the learned maximum TTL for a minute", async () => {
    const { client, clock, tried, write } = adapter();
    for (const ms of [0, 59_999, 60_000]) {
      clock.ms = ms;
      await write(2 * hourMs);
    }
    assert.deepEqual(tried, [2 * hourMs, hourMs, hourMs, 2 * hourMs, hourMs]);
    await client.close();
  });

  test("warns once about shortened TTLs", async (context) => {
    // Wait for the warnings of earlier adapters, because this test must not count them.
    await aTurn();
    const warnings = warningsIn(context);
    const { client, write } = adapter();
    await write(hourMs);
    await aTurn();
    assert.deepEqual(warnings, []);
    for (let i = 0; i < 3; i++) await write(2 * hourMs);
    await aTurn();
    assert.equal(warnings.length, 1);
    assert.match(warnings[0]!, /shortened to 3600000 ms.*--max-ttl/);
    await client.close();
  });

  test("returns failures unrelated to the maximum TTL unchanged", async () => {
    const { client, tried, write } = adapter();
    const tooLarge = await write(hourMs, "x".repeat(6_000_000));
    assert.equal(tooLarge.result === "error" && tooLarge.error.code, "LimitExceeded");
    for (const ttlMs of [Number.NaN, 0, -1]) {
      const invalid = await write(ttlMs);
      assert.equal(invalid.result === "error" && invalid.error.code, "InvalidArgument");
    }
    assert.equal(tried.length, 4);
    await client.close();
    const closed = await write(2 * hourMs);
    assert.equal(closed.result === "error" && closed.error.code, "Cancelled");
    assert.equal(tried.length, 5);
  });

  test("returns the rejection if the maximum TTL cannot be read", async () => {
    const server = new FakeServer({ maxTtlMs: hourMs });
    const { client, tried, longest } = adapter(server);
    const blind = { listCaches: () => Promise.reject(new Error("denied")) } as unknown as CacheClient;
    const unable = new MaxTtlLimiter(blind, "cache");
    const refused = await unable.write(2 * hourMs, (ttlMs) => client.cache("cache").set("key", "v", { ttlMs }));
    assert.equal(refused.result === "error" && refused.error.code, "InvalidArgument");
    await assert.rejects(unable.get(), /denied/);
    assert.equal(await longest.get(), hourMs);
    assert.deepEqual(tried, []);
    await client.close();
  });
});
