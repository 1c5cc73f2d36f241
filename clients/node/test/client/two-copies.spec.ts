import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import type * as main from "../../src/index.js";
import {
  CacheClient,
  type CollectionTtl,
  Configurations,
  CredentialProvider,
  type ScoreBound,
  withSettings,
} from "../../src/index.js";
import type * as express from "../../src/integrations/express-session.js";
import type * as keyv from "../../src/integrations/keyv.js";
import type * as next from "../../src/integrations/next.js";
import type * as limiter from "../../src/integrations/rate-limiter-flexible.js";
import type * as undici from "../../src/integrations/undici.js";
import type * as fake from "../../src/testing/fake.js";

// A second copy of the package, as a bundler or a hot reload creates it. It has the same code, but its classes are
// distinct.
const source = join(import.meta.dirname, "..", "..", "src");
const folder = mkdtempSync(join(source, "..", "copy-"));
cpSync(source, folder, { recursive: true, filter: (path) => !path.includes(".spec.") });
// The CommonJS build, which is a second copy of the code inside the package.
const commonjs = join(source, "..", "cjs");

// No server listens on port 9 of the loopback interface.
const client = new CacheClient({
  credentials: CredentialProvider.local("127.0.0.1:9"),
  configuration: withSettings(Configurations.Laptop.latest(), { requestTimeoutMs: 200 }),
  defaultTtlMs: 60_000,
});
after(async () => {
  await client.close();
  rmSync(folder, { recursive: true, force: true });
});
const unreached = { name: "CacheError", code: /^(Unavailable|Timeout)$/ };
const isUnreached = (error: unknown) =>
  (error as Error).name === unreached.name && unreached.code.test((error as main.CacheError).code);

for (const [copyName, at] of [
  ["another copy", folder],
  ["the CommonJS build", commonjs],
] as const) {
  const other = async <T>(name: string): Promise<T> => (await import(pathToFileURL(join(at, name)).href)) as T;

  test(`KeyvLarder of ${copyName} rejects when the client fails`, async () => {
    const { KeyvLarder } = await other<typeof keyv>("integrations/keyv.js");
    const store = new KeyvLarder({ client, cacheName: "cache" });
    for (const call of [
      () => store.get("a"),
      () => store.getMany(["a"]),
      () => store.set("a", "v", 1_000),
      () => store.setMany([{ key: "a", value: "v", ttl: 1_000 }]),
      () => store.delete("a"),
      () => store.has("a"),
      () => store.clear(),
    ])
      await assert.rejects(call, isUnreached);
    store.namespace = "n";
    await assert.rejects(store.get("n:a"), isUnreached);
    await assert.rejects(store.clear(), isUnreached);
  });

  test(`LarderStore of ${copyName} reports a failing client`, async () => {
    const { LarderStore } = await other<typeof express>("integrations/express-session.js");
    const store = new LarderStore({ client, cacheName: "cache" });
    const session = { cookie: {} } as never;
    const failed = (call: (callback: (error: unknown) => void) => void) =>
      assert.rejects(new Promise<void>((resolve, reject) => call((e) => (e ? reject(e) : resolve()))), isUnreached);
    await failed((callback) => store.get("sid", callback));
    await failed((callback) => store.set("sid", session, callback));
    await failed((callback) => store.touch("sid", session, callback));
    await failed((callback) => store.destroy("sid", callback));
    await failed((callback) => store.length(callback));
    await failed((callback) => store.clear(callback));
  });

  test(`Next handler of ${copyName} reports a failing client`, async () => {
    const { nextCacheHandler } = await other<typeof next>("integrations/next.js");
    const errors: unknown[] = [];
    const Handler = nextCacheHandler({ client, cacheName: "cache", onError: (error) => errors.push(error) });
    const handler = new Handler({});
    await assert.rejects(handler.revalidateTag("t"), isUnreached);
    await handler.set("/x", { kind: "PAGES", html: "" });
    assert.equal(await handler.get("/x"), null);
    assert.equal(errors.length, 2);
    assert.ok(errors.every(isUnreached));
  });

  test(`RateLimiterLarder of ${copyName} rejects when the client fails`, async () => {
    const { RateLimiterLarder } = await other<typeof limiter>("integrations/rate-limiter-flexible.js");
    const limits = new RateLimiterLarder({ storeClient: client, cacheName: "cache", points: 1, duration: 60 });
    await assert.rejects(limits.consume("a"), isUnreached);
    await assert.rejects(limits.get("a"), isUnreached);
  });

  test(`LarderCacheStore of ${copyName} reports a failing client`, async () => {
    const { LarderCacheStore } = await other<typeof undici>("integrations/undici.js");
    const errors: unknown[] = [];
    const store = new LarderCacheStore({ client, cacheName: "cache", onError: (error) => errors.push(error) });
    assert.equal(await store.get({ origin: "http://a", method: "GET", path: "/", headers: {} }), undefined);
    assert.ok(errors.length > 0 && errors.every(isUnreached));
  });

  test(`client accepts credentials and arguments of ${copyName}`, async () => {
    const copy = await other<typeof main>("index.js");
    const { FakeServer } = await other<typeof fake>("testing/fake.js");
    const server = new FakeServer();
    const own = new CacheClient({
      credentials: server.credentials as unknown as CredentialProvider,
      configuration: Configurations.Laptop.latest(),
      defaultTtlMs: 60_000,
    });
    const ownCache = own.cache("cache");
    const ttl = copy.CollectionTtl.of(1_000) as unknown as CollectionTtl;
    const put = await ownCache.sortedSetPut("z", [["a", 2]], { ttl });
    assert.equal(put.result, "success");
    const min = copy.ScoreBound.exclusive(1) as unknown as ScoreBound;
    assert.equal((await ownCache.sortedSetFetchByScore("z", { min })).result, "hit");
    await own.close();
  });
}
