import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { after, before, describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { CacheClient } from "../../src/client/client.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { CredentialProvider } from "../../src/configuration/credential-provider.js";
import type { Bytes } from "../../src/operations/proto-writer.js";
import { FakeServer } from "../../src/testing/fake.js";
import { type ServerProcess, skipWithoutServer, startServer } from "../support/server-process.js";

function clientOf(server: ServerProcess, nearCache?: { maxBytes: number }): CacheClient {
  return new CacheClient({
    credentials: CredentialProvider.local(server.endpoint),
    configuration: { ...Configurations.Laptop.latest(), ...(nearCache === undefined ? {} : { nearCache }) },
    defaultTtlMs: 60_000,
  });
}

function tests(clientOfTests: () => CacheClient): void {
  test("removeByTag removes only items with the tag", async () => {
    const cache = clientOfTests().cache("cache");
    assert.equal((await cache.setWithTags("a", "1", ["red", Buffer.from("blue")])).result, "success");
    assert.equal((await cache.setWithTags("b", "2", new Set(["blue"]), { ttlMs: 50_000 })).result, "success");
    assert.equal((await cache.removeByTag(["red", Buffer.from([255, 0])])).result, "success");
    assert.deepEqual([(await cache.get("a")).result, (await cache.get("b")).result], ["miss", "hit"]);
    await cache.setWithTags("a", "again", ["red"]);
    await cache.set("b", "without");
    await cache.removeByTag(["blue"]);
    assert.deepEqual([(await cache.get("a")).result, (await cache.get("b")).result], ["hit", "hit"]);
  });

  test("limits the number and length of tags", async () => {
    const cache = clientOfTests().cache("cache");
    const most = Array.from({ length: 128 }, (_, i) => `${i}`.padEnd(1_024, "t"));
    assert.equal((await cache.setWithTags("most", "v", most)).result, "success");
    assert.equal((await cache.removeByTag(most)).result, "success");
    assert.equal((await cache.get("most")).result, "miss");
    const repeated = (count: number) => Array.from({ length: count }, () => "t");
    const refused = [[], repeated(129), repeated(1_280), [""], ["t".repeat(1_025)], ["t".repeat(10_240)], ["\ud800"]];
    for (const tags of refused)
      for (const answer of [await cache.setWithTags("refused", "v", tags), await cache.removeByTag(tags)])
        assert.ok(answer.result === "error" && answer.error.code === "InvalidArgument");
    assert.equal((await cache.get("refused")).result, "miss");
  });

  test("rejects tags that are not an array of strings", async () => {
    const cache = clientOfTests().cache("cache");
    for (const tags of ["red", Buffer.from("red"), null, undefined, 7, {}, [7], [null]]) {
      await assert.rejects(cache.removeByTag(tags as unknown as Bytes[]), TypeError);
      await assert.rejects(cache.setWithTags("k", "v", tags as unknown as Bytes[]), TypeError);
    }
  });
}

describe("tags on the fake server", () => {
  const client = new FakeServer().client();
  after(() => client.close());
  tests(() => client);
});

describe("tags on the real server", { skip: skipWithoutServer }, () => {
  let server: ServerProcess;
  let client: CacheClient;
  before(async () => {
    server = await startServer();
    client = clientOf(server);
  });
  after(async () => {
    await client.close();
    await server.stop();
  });

  tests(() => client);

  test("removeByTag invalidates near copies", async () => {
    const [one, other] = [clientOf(server, { maxBytes: 1_048_576 }), clientOf(server, { maxBytes: 1_048_576 })];
    const oneCache = one.cache("cache");
    await oneCache.setWithTags("near", "v", ["red"]);
    for (const each of [one, other])
      while (each.cache("cache").tryGetNear("near") === undefined)
        assert.equal((await each.cache("cache").get("near")).result, "hit");
    await oneCache.removeByTag(["red"]);
    assert.equal(oneCache.tryGetNear("near"), undefined);
    while (other.cache("cache").tryGetNear("near") !== undefined) await setTimeout(5);
    await Promise.all([one.close(), other.close()]);
  });
});
