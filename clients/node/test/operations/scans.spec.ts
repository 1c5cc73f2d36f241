import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { after, before, describe, test } from "node:test";
import type { Cache } from "../../src/client/cache.js";
import { CacheClient } from "../../src/client/client.js";
import type { ScanOptions } from "../../src/client/client-options.js";
import type { ScannedKey } from "../../src/client/responses.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { CredentialProvider } from "../../src/configuration/credential-provider.js";
import { FakeServer } from "../support/fake-server.js";
import { type ServerProcess, skipWithoutServer, startServer } from "../support/server-process.js";

function clientOf(endpoint: Parameters<typeof CredentialProvider.local>[0]): CacheClient {
  return new CacheClient({
    credentials: CredentialProvider.local(endpoint),
    configuration: Configurations.Laptop.latest(),
    defaultTtlMs: 60_000,
  });
}

describe("scanKeys on the real server", { skip: skipWithoutServer }, () => {
  let server: ServerProcess;
  let client: CacheClient;
  let handle: Cache;
  before(async () => {
    server = await startServer();
    client = clientOf(server.endpoint);
    handle = client.cache("cache");
  });
  after(async () => {
    await client.close();
    await server.stop();
  });

  test("SCAN-1: pages contain every key with type, TTL and size", async () => {
    const cache = client.cache("cache");
    const names = Array.from({ length: 300 }, (_, i) => `page ${i}`);
    await cache.setBatch(names.map((name) => [name, "value"] as const));
    const met = new Map<string, ScannedKey>();
    let cursor: Buffer = Buffer.alloc(0);
    let pages = 0;
    do {
      const page = await cache.scanKeys({ prefix: "page ", cursor, count: 50 });
      assert.ok(page.result === "success");
      assert.ok(page.keys.length <= 50);
      for (const each of page.keys) met.set(each.key.toString(), each);
      cursor = page.cursor;
      pages++;
    } while (cursor.length > 0);
    assert.deepEqual([...met.keys()].sort(), names.sort());
    assert.ok(pages >= 6);
    for (const { type, sizeBytes, remainingTtlMs } of met.values()) {
      assert.deepEqual([type, sizeBytes], ["scalar", 5]);
      assert.ok(remainingTtlMs > 0 && remainingTtlMs <= 60_000);
    }
    const lists = await cache.scanKeys({ prefix: "page ", type: "list" });
    assert.ok(lists.result === "success");
    assert.equal(lists.keys.length, 0);
  });

  test("SCAN-2: returns keys as bytes", async () => {
    const hostile = Buffer.from([0xff, 0x1b, 0x5b, 0x0a, 0x2a, 0]);
    await handle.set(hostile, "v");
    const page = await handle.scanKeys({ prefix: hostile.subarray(0, 2) });
    assert.ok(page.result === "success");
    assert.deepEqual(
      page.keys.map(({ key }) => key),
      [hostile],
    );
  });

  test("SCAN-7: rejects invalid cursors and counts", async () => {
    for (const options of [{ cursor: Buffer.from("garbage") }, { count: -1 }, { count: 1.5 }, { count: 2 ** 32 }]) {
      const answer = await handle.scanKeys(options);
      assert.ok(answer.result === "error");
      assert.equal(answer.error.code, "InvalidArgument");
    }
    for (const options of [{ type: "table" }, { cursor: "text" }, { count: "1" }, { limit: 1 }, null, []])
      await assert.rejects(handle.scanKeys(options as ScanOptions), TypeError);
  });
});

describe("scanKeys on a server without scans", () => {
  test("scanKeys returns Unknown if the server does not support it", async () => {
    const server = new FakeServer();
    server.onCall = (call) => (call.rpc === "ScanKeys" ? call.fail(12, "there is no ScanKeys here") : call.answer());
    await server.start();
    const client = clientOf(server.endpoint);
    const cache = client.cache("cache");
    try {
      const answer = await cache.scanKeys();
      assert.ok(answer.result === "error");
      assert.equal(answer.error.code, "Unknown");
      assert.match(answer.error.message, /scanKeys.*there is no ScanKeys here/s);
      assert.equal((await cache.get("k")).result, "miss");
    } finally {
      await client.close();
      await server.stop();
    }
  });
});
