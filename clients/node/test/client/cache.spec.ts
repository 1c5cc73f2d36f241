import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Cache } from "../../src/client/cache.js";
import type { CacheClient } from "../../src/client/client.js";
import { CacheError } from "../../src/client/errors.js";
import { jsonCodec } from "../../src/codecs/codec.js";
import { withSettings } from "../../src/configuration/configuration-check.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { FakeServer as InProcessServer } from "../../src/testing/fake.js";
import { clientOf, FakeServer } from "../support/fake-server.js";

type Answer = Promise<{ readonly result: string; readonly error?: CacheError }>;

const hash = new Uint8Array(16);
/** One call of each kind. */
const calls: Readonly<Record<string, (cache: Cache) => Answer>> = {
  get: (cache) => cache.get("key"),
  set: (cache) => cache.set("key", "value"),
  delete: (cache) => cache.delete("key"),
  increment: (cache) => cache.increment("key"),
  updateTtl: (cache) => cache.updateTtl("key", 1_000),
  setIfAbsent: (cache) => cache.setIfAbsent("key", "value"),
  setIfPresentAndHashEqual: (cache) => cache.setIfPresentAndHashEqual("key", "value", hash),
  keyExists: (cache) => cache.keyExists("key"),
  keysExist: (cache) => cache.keysExist(["key"]),
  getBatch: (cache) => cache.getBatch(["key"]),
  "getBatch of no keys": (cache) => cache.getBatch([]),
  setBatch: (cache) => cache.setBatch({ key: "value" }),
  "setBatch of no items": (cache) => cache.setBatch([]),
  setWithTags: (cache) => cache.setWithTags("key", "value", ["tag"]),
  removeByTag: (cache) => cache.removeByTag(["tag"]),
  dictionaryFetch: (cache) => cache.dictionaryFetch("name"),
  dictionarySetField: (cache) => cache.dictionarySetField("name", "field", "value"),
  setContainsElement: (cache) => cache.setContainsElement("name", "element"),
  listPushBack: (cache) => cache.listPushBack("name", "value"),
  sortedSetGetElementScore: (cache) => cache.sortedSetGetElementScore("name", "element"),
  scanKeys: (cache) => cache.scanKeys(),
  scanItems: (cache) => cache.scanItems("name"),
  publish: (cache) => cache.publish("topic", "value"),
  "get of a typed cache": (cache) => cache.typed(jsonCodec()).get("key"),
  "set of a typed cache": (cache) => cache.typed(jsonCodec()).set("key", 1),
};

async function codeOf(answer: Answer): Promise<string> {
  const { result, error } = await answer;
  return error?.code ?? result;
}

for (const transport of ["unary", "pipeline"] as const)
  describe(`Cache handle, ${transport}`, () => {
    let server: FakeServer;
    let client: CacheClient;
    before(async () => {
      server = await new FakeServer().start();
      const settings = { transport, requestTimeoutMs: 60_000 };
      client = clientOf(server, transport, {
        configuration: withSettings(Configurations.Laptop.latest(), settings),
      });
      await client.connect();
    });
    after(async () => {
      await client.close();
      await server.stop();
    });

    for (const [what, name] of [
      ["empty", ""],
      ["blank", " "],
      ["of 256 characters", "x".repeat(256)],
      ["of 2,550 characters", "x".repeat(2_550)],
      ["not ASCII", "größe"],
    ] as const) {
      test(`ERR-4: rejects every call locally if the name is ${what}`, async () => {
        const sent = server.calls.length;
        const cache = client.cache(name);
        for (const [call, make] of Object.entries(calls))
          assert.equal(await codeOf(make(cache)), "InvalidArgument", call);
        assert.equal(server.calls.length, sent);
      });

      test(`ERR-4: rejects every getOrSet if the name is ${what}`, async () => {
        const cache = client.cache(name);
        const refused = (error: unknown) => error instanceof CacheError && error.code === "InvalidArgument";
        const unmade = () => assert.fail("the factory ran");
        await assert.rejects(cache.getOrSet("key", unmade), refused);
        await assert.rejects(cache.getOrSetBatch(["key"], unmade), refused);
        await assert.rejects(cache.getOrSetBatch([], unmade), refused);
        await assert.rejects(cache.typed(jsonCodec()).getOrSet("key", unmade), refused);
      });

      test(`ERR-4: subscription fails with InvalidArgument if the name is ${what}`, async () => {
        for await (const event of client.cache(name).subscribe("topic"))
          assert.equal(event.type === "error" && event.error.code, "InvalidArgument");
      });
    }

    test("accepts a name of 255 characters", async () => {
      assert.equal((await client.cache("x".repeat(255)).get("key")).result, "miss");
    });

    test("ERR-8: non-string name throws a TypeError", () => {
      for (const name of [undefined, null, 7, {}, ["cache"], new Uint8Array(5)])
        assert.throws(() => client.cache(name as unknown as string), TypeError);
    });

    test("calls reject the cache name as their first argument", async () => {
      const cache = client.cache("cache");
      await assert.rejects(cache.set("cache", "key", "value" as never), /TypeError.*do not take the cache name/);
      await assert.rejects(cache.get("cache", "key" as never), /TypeError.*do not take the cache name/);
    });

    test("withTimeout applies the timeout to every call", async () => {
      const slow = client.cache("cache");
      const quick = slow.withTimeout(1);
      assert.equal(quick.name, "cache");
      server.onCall = () => {};
      for (const [call, make] of Object.entries(calls)) assert.equal(await codeOf(make(quick)), "Timeout", call);
      server.onCall = (call) => call.answer();
      assert.equal((await slow.set("key", "value")).result, "success");
      assert.equal((await slow.get("key")).result, "hit");
    });

    test("call timeout overrides the timeout of the handle", async () => {
      const quick = client.cache("cache").withTimeout(0.001);
      assert.equal((await quick.get("never", { timeoutMs: 3_600_000 })).result, "miss");
    });

    test("DEADLINE-8: withTimeout accepts only positive timeouts up to one hour", () => {
      const cache = client.cache("cache");
      assert.equal(cache.withTimeout(3_600_000).name, "cache");
      for (const timeoutMs of [0, -1, 3_600_001, 36_000_000, Number.NaN, Number.POSITIVE_INFINITY])
        assert.throws(() => cache.withTimeout(timeoutMs), RangeError);
      for (const timeoutMs of ["5", null, undefined, {}, 5n])
        assert.throws(() => cache.withTimeout(timeoutMs as unknown as number), TypeError);
    });

    test("handles of one cache share one factory call", async () => {
      let made = 0;
      const factory = async () => `made ${++made}`;
      const handles = [client.cache("cache"), client.cache("cache"), client.cache("cache").withTimeout(60_000)];
      const values = await Promise.all(handles.map((cache) => cache.getOrSet("shared", factory)));
      assert.deepEqual(values.map(String), ["made 1", "made 1", "made 1"]);
    });

    test("handle of a closed client fails calls with Cancelled", async () => {
      const closing = clientOf(server, transport);
      const cache = closing.cache("cache");
      await closing.close();
      for (const [call, make] of Object.entries(calls)) assert.equal(await codeOf(make(cache)), "Cancelled", call);
    });
  });

test("handles of different caches share neither items nor factory calls", async () => {
  const client = new InProcessServer({ caches: ["one", "other"] }).client();
  const handles = [client.cache("one"), client.cache("other")];
  const values = await Promise.all(handles.map((cache) => cache.getOrSet("key", () => cache.name)));
  assert.deepEqual(values.map(String), ["one", "other"]);
  await client.cache("one").delete("key");
  assert.equal((await client.cache("other").get("key")).result, "hit");
  await client.close();
});
