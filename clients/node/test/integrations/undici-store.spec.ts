// Tests the store without HTTP, against the fake server, which can inject faults.
import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, test } from "node:test";
import { CacheError } from "../../src/index.js";
import { LarderCacheStore, type LarderCacheStoreOptions } from "../../src/integrations/undici.js";
import { FakeServer } from "../../src/testing/fake.js";
import { keysIn } from "../support/stored-keys.js";

describe("LarderCacheStore", () => {
  const key = { origin: "http://a.example", method: "GET", path: "/" };
  const now = Date.now();
  const value = {
    statusCode: 200,
    statusMessage: "OK",
    headers: { "content-type": "text/plain" },
    cachedAt: now,
    staleAt: now + 60_000,
    deleteAt: now + 120_000,
  };

  function fixture(options: Partial<LarderCacheStoreOptions> = {}, longestMs = 86_400_000) {
    const fake = new FakeServer({ maxTtlMs: longestMs });
    const client = fake.client();
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    const store = new LarderCacheStore({ client, cacheName: "cache", onError, ...options });
    const write = async (
      kept = value as Parameters<typeof store.createWriteStream>[1],
      body: string | Buffer = "body",
    ) => {
      const stream = store.createWriteStream(key, kept)!;
      stream.end(body);
      await once(stream, "close");
    };
    return { fake, client, store, errors, write, codes: () => errors.map((error) => (error as CacheError).code) };
  }

  test("limits TTLs to the server's maximum", async () => {
    const { fake, store, write, codes } = fixture({}, 60_000);
    for (const vary of [undefined, { accept: "a" }, { accept: "b" }]) {
      await write({ ...value, ...(vary === undefined ? {} : { vary }) });
      const asked = { ...key, headers: vary ?? {} };
      assert.ok(await store.get(asked));
    }
    await fake.advance(60_000);
    assert.equal(await store.get({ ...key, headers: { accept: "b" } }), undefined);
    assert.deepEqual(codes(), []);
  });

  test("get returns the written response in the format of undici", async () => {
    const { store, write } = fixture();
    await write({ ...value, etag: '"1"', cacheControlDirectives: { "max-age": 60 } });
    const found = await store.get(key);
    assert.deepEqual(found, {
      ...value,
      etag: '"1"',
      cacheControlDirectives: { "max-age": 60 },
      body: [Buffer.from("body")],
    });
  });

  test("joins chunks of different encodings", async () => {
    const { store } = fixture();
    const stream = store.createWriteStream(key, value)!;
    stream.write("6869", "hex");
    stream.end(Buffer.from("!"));
    await once(stream, "close");
    assert.equal(String((await store.get(key))?.body?.[0 as never]), "hi!");
  });

  test("aborted write stream stores nothing", async () => {
    const { client, store } = fixture();
    const stream = store.createWriteStream(key, value)!;
    stream.write("half");
    stream.destroy();
    await once(stream, "close");
    assert.equal(await keysIn(client), 0);
  });

  test("expired response is neither stored nor returned", async () => {
    const { client, write, store } = fixture();
    await write({ ...value, deleteAt: now - 1 });
    assert.equal(await keysIn(client), 0);
    await write();
    const realNow = Date.now;
    Date.now = () => value.deleteAt;
    try {
      assert.equal(await store.get(key), undefined);
    } finally {
      Date.now = realNow;
    }
  });

  test("get returns undefined on failure; delete rejects", async () => {
    const { fake, store, write, codes } = fixture();
    await write();
    fake.fail("get", "Unavailable");
    assert.equal(await store.get(key), undefined);
    fake.fail("set", "LimitExceeded");
    await write();
    fake.fail("delete", "Timeout");
    await assert.rejects(store.delete(key), CacheError);
    assert.deepEqual(codes(), ["Unavailable", "LimitExceeded", "Timeout"]);
    assert.ok(await store.get(key));
  });

  test("throwing onError hook becomes a process warning", async () => {
    const { fake, store } = fixture({
      onError: () => {
        throw new Error("of the hook");
      },
    });
    fake.fail("get", "Internal");
    const warned = once(process, "warning");
    assert.equal(await store.get(key), undefined);
    assert.equal((await warned)[0].message, "of the hook");
  });

  test("invalid stored response is reported and replaced", async () => {
    const { client, store, write, errors } = fixture();
    const cache = client.cache("cache");
    await write();
    const scanned = await cache.scanKeys();
    assert.ok(scanned.result === "success");
    const stored = scanned.keys[0]!.key;
    const framed = (json: string) => {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(Buffer.byteLength(json));
      return Buffer.concat([length, Buffer.from(json)]);
    };
    const longer = framed("{}");
    longer.writeUInt32LE(2 ** 32 - 1);
    const wrong = [
      "null",
      "7",
      "[]",
      "{}",
      '{"value":7}',
      '{"value":{}}',
      "{",
      '{"varies":[7],"id":"x"}',
      '{"varies":["a"]}',
      `{"varies":[],"id":"x","more":[${"[],".repeat(1_000_000)}0]}`,
      `{"varies":[],"id":"x","more":${"[".repeat(512)}${"]".repeat(512)}}`,
    ];
    const items = [Buffer.alloc(0), Buffer.from("abc"), longer, ...wrong.map(framed)];
    for (const item of items) {
      await cache.set(stored, item);
      assert.equal(await store.get(key), undefined, item.toString("utf8", 0, 100));
    }
    assert.equal(errors.length, items.length);
    await cache.setUnion("set", ["a"]);
    await write({ ...value, vary: { "x-a": null } });
    assert.ok(await store.get(key));
  });

  test("delete during a concurrent write still removes the response", async () => {
    const { fake, store, write } = fixture();
    await write({ ...value, vary: { "x-a": null } });
    fake.delay("increaseTtl", 10);
    const writing = write({ ...value, vary: { "x-a": null } });
    while (fake.count("increaseTtl") === 0) await fake.advance(0);
    await store.delete(key);
    await fake.advance(10);
    await writing;
    assert.equal(await store.get(key), undefined);
  });

  test("response with oversized headers is reported and not sent", async () => {
    const { fake, write, codes } = fixture();
    const headers = { "x-large": "x".repeat(1_000) };
    await write({ ...value, headers }, Buffer.alloc(5_000_000));
    assert.deepEqual([codes(), fake.count("set")], [["LimitExceeded"], 0]);
  });

  test("rejects invalid settings and arguments", async () => {
    const { client, store } = fixture();
    const made = (options: object) => () => new LarderCacheStore({ client, cacheName: "cache", ...options });
    for (const prefix of ["", 7, null]) assert.throws(made({ prefix }), TypeError);
    for (const maxEntryBytes of [0, -1, 1.5, 5_000_001, 50_000_000, Number.NaN, "1"])
      assert.throws(made({ maxEntryBytes }), RangeError);
    for (const maxEntryBytes of [1, 5_000_000]) made({ maxEntryBytes })();
    for (const maxTtlMs of [0, -1, Number.NaN, "1"]) assert.throws(made({ maxTtlMs }), RangeError);
    assert.throws(made({ onError: 7 }), TypeError);
    for (const wrong of [null, 7, {}, { ...key, path: 7 }]) {
      await assert.rejects(store.get(wrong as never), TypeError);
      await assert.rejects(store.delete(wrong as never), TypeError);
      assert.throws(() => store.createWriteStream(wrong as never, value), TypeError);
    }
    for (const wrong of [null, 7, {}, { ...value, deleteAt: "never" }])
      assert.throws(() => store.createWriteStream(key, wrong as never), TypeError);
  });
});
