import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { after, before, describe, test } from "node:test";
import type { Cache } from "../../src/client/cache.js";
import { CacheClient } from "../../src/client/client.js";
import { ErrorResponse, Hit } from "../../src/client/responses.js";
import { maxBatchItems } from "../../src/client/validation.js";
import { withSettings } from "../../src/configuration/configuration-check.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { CredentialProvider } from "../../src/configuration/credential-provider.js";
import type { CallReport } from "../../src/telemetry/metrics.js";
import { type ServerProcess, skipWithoutServer, startServer } from "../support/server-process.js";

const mebibyte = 1 << 20;

describe("batches larger than one message on the real server", { skip: skipWithoutServer }, () => {
  let server: ServerProcess;
  let client: CacheClient;
  let cache: Cache;
  const reports: CallReport[] = [];
  before(async () => {
    server = await startServer();
    client = new CacheClient({
      credentials: CredentialProvider.local(server.endpoint),
      configuration: withSettings(Configurations.Laptop.latest(), { requestTimeoutMs: 600_000 }),
      defaultTtlMs: 60_000,
      metrics: { callEnded: (report) => reports.push(report) },
    });
    cache = client.cache("cache");
  });
  after(async () => {
    await client.close();
    await server.stop();
  });

  test("BATCH-9: 40 MB batch is written and read in parts", async () => {
    const items = new Map(Array.from({ length: 40 }, (_, i) => [`key-${i}`, Buffer.alloc(mebibyte, i)]));
    reports.length = 0;
    assert.equal((await cache.setBatch(items)).result, "success");
    assert.equal(reports.length, 4);
    const got = await cache.getBatch(items.keys());
    assert.ok(got.result === "success");
    got.responses.forEach((response, i) => {
      assert.ok(response instanceof Hit && response.valueBytes.equals(Buffer.alloc(mebibyte, i)));
    });
  });

  test("BATCH-9: getBatch sends 12 MB of keys in parts", async () => {
    const keys = Array.from({ length: 3_000 }, (_, i) => `${i}:`.padEnd(4_096, "k"));
    await cache.set(keys[2_999]!, "there");
    const before = client.statistics();
    const got = await cache.getBatch(keys);
    assert.ok(got.result === "success");
    assert.deepEqual(
      got.responses.map(({ result }) => result),
      keys.map((_, i) => (i === 2_999 ? "hit" : "miss")),
    );
    const { hits, misses } = client.statistics();
    assert.deepEqual([hits - before.hits, misses - before.misses], [1, 2_999], "batches count");
    const exist = await cache.keysExist(keys);
    assert.ok(exist.result === "success");
    assert.deepEqual([exist.exists.length, exist.exists.indexOf(true)], [3_000, 2_999]);
  });

  test("BATCH-9: batch with an invalid item is rejected without sending", async () => {
    const items = Array.from({ length: 20 }, (_, i) => [`unset-${i}`, Buffer.alloc(mebibyte)] as const);
    const bad = await cache.setBatch([...items, ["", "v"]]);
    assert.equal(bad.result === "error" && bad.error.code, "InvalidArgument");
    assert.deepEqual(await cache.keyExists("unset-0"), { result: "success", exists: false });
  });

  test("BATCH-9: rejected part does not affect the other parts", async () => {
    const items = Array.from(
      { length: 30 },
      (_, i) => [`part-${i}`, Buffer.alloc(i === 15 ? 5_000_192 : mebibyte)] as const,
    );
    const response = await cache.setBatch(items);
    assert.ok(response instanceof ErrorResponse);
    assert.equal(response.error.code, "LimitExceeded");
    const exist = await cache.keysExist(items.map(([key]) => key));
    assert.ok(exist.result === "success");
    assert.deepEqual([exist.exists[0], exist.exists[15], exist.exists[29]], [true, false, true]);
  });

  test("accepts the maximum batch size and rejects a larger batch", async () => {
    const keys = Array.from({ length: maxBatchItems }, () => "key");
    const items = keys.map((key) => [key, "v"] as const);
    assert.equal((await cache.setBatch(items)).result, "success");
    const got = await cache.getBatch(keys);
    assert.equal(
      got.result === "success" && got.responses.filter(({ result }) => result === "hit").length,
      keys.length,
    );
    const exist = await cache.keysExist(keys);
    assert.equal(exist.result === "success" && exist.exists.filter(Boolean).length, keys.length);
    keys.push("key");
    items.push(["key", "v"]);
    for (const response of [await cache.setBatch(items), await cache.getBatch(keys), await cache.keysExist(keys)])
      assert.equal(response.result === "error" && response.error.code, "InvalidArgument");
    assert.equal(client.statistics().inFlight, 0);
  });

  test("batch read counts a hit or miss per key", async () => {
    const before = client.statistics();
    await cache.setBatch({ one: "1", two: "2" });
    await cache.getBatch(["one", "none", "two", "neither", "nor"]);
    const { hits, misses } = client.statistics();
    assert.deepEqual([hits - before.hits, misses - before.misses], [2, 3]);
  });

  test("getWithHash counts a hit or a miss", async () => {
    const before = client.statistics();
    await cache.set("hashed", "v");
    await cache.getWithHash("hashed");
    await cache.getWithHash("no such key");
    const { hits, misses } = client.statistics();
    assert.deepEqual([hits - before.hits, misses - before.misses], [1, 1]);
  });
});
