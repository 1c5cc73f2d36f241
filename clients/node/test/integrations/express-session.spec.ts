// Tests the session store against the real server. Covers the cases that connect-redis tests, and also faults.
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { promisify } from "node:util";
import { Cookie, type SessionData } from "express-session";
import {
  type Cache,
  CacheClient,
  CacheError,
  Configurations,
  CredentialProvider,
  withSettings,
} from "../../src/index.js";
import { LarderStore, type LarderStoreOptions } from "../../src/integrations/express-session.js";
import { warningsIn } from "../support/own-warnings.js";
import { type ServerProcess, skipWithoutServer, startServer } from "../support/server-process.js";

const dayMs = 86_400_000;

interface Held extends SessionData {
  name?: string;
}

/** Wraps a store's methods in promises. */
function promised(store: LarderStore) {
  return {
    get: promisify(store.get.bind(store)) as (sid: string) => Promise<Held | null>,
    set: promisify(store.set.bind(store)) as (sid: string, session: Held) => Promise<void>,
    touch: promisify(store.touch.bind(store)) as (sid: string, session: Held) => Promise<void>,
    destroy: promisify(store.destroy.bind(store)) as (sid: string) => Promise<void>,
    all: promisify(store.all.bind(store)) as () => Promise<(Held & { id: string })[]>,
    length: promisify(store.length.bind(store)) as () => Promise<number>,
    clear: promisify(store.clear.bind(store)) as () => Promise<void>,
  };
}

function sessionUntil(expires: Date | null, name?: string): Held {
  const cookie = new Cookie();
  cookie.expires = expires;
  return name === undefined ? { cookie } : { cookie, name };
}

const inMs = (ms: number) => new Date(Date.now() + ms);

describe("LarderStore", { skip: skipWithoutServer }, () => {
  let server: ServerProcess;
  let client: CacheClient;
  let cache: Cache;
  before(async () => {
    server = await startServer();
    client = clientOf(server.endpoint);
    cache = client.cache("cache");
  });
  after(async () => {
    await client.close();
    await server.stop();
  });
  beforeEach(async () => {
    await client.flushCache("cache");
  });
  const clientOf = (endpoint: string) =>
    new CacheClient({
      credentials: CredentialProvider.local(endpoint),
      configuration: withSettings(Configurations.Laptop.latest(), { requestTimeoutMs: 30_000 }),
      defaultTtlMs: 60_000,
    });
  const storeWith = (options: Partial<LarderStoreOptions> = {}) =>
    promised(new LarderStore({ client, cacheName: "cache", ...options }));
  const leftMs = async (key: string) => {
    const answer = await cache.itemGetTtl(key);
    return answer.result === "hit" ? answer.remainingTtlMs : 0;
  };
  const fails = (code: string) => (error: unknown) => error instanceof CacheError && error.code === code;

  test("get returns the stored session, or null", async () => {
    const store = storeWith();
    const expires = inMs(60_000);
    await store.set("123", sessionUntil(expires, "Åse 🍞"));
    const got = await store.get("123");
    assert.equal(got?.name, "Åse 🍞");
    assert.equal(got?.cookie.expires, expires.toISOString());
    assert.equal(await store.get("124"), null);
  });

  test("session expires with its cookie or after ttlMs", async () => {
    const store = storeWith();
    await store.set("day", sessionUntil(null));
    assert.ok((await leftMs("sess:day")) > dayMs - 60_000);
    await store.set("minute", sessionUntil(inMs(60_000)));
    const minuteMs = await leftMs("sess:minute");
    assert.ok(minuteMs > 0 && minuteMs <= 60_000, `${minuteMs}`);
    await storeWith({ ttlMs: 50_000 }).set("own", sessionUntil(null));
    const ownMs = await leftMs("sess:own");
    assert.ok(ownMs > 0 && ownMs <= 50_000, `${ownMs}`);
  });

  test("accepts a cookie expiry given as text", async () => {
    const expires = inMs(60_000).toISOString();
    await storeWith().set("text", { cookie: { originalMaxAge: null, expires } } as unknown as Held);
    const textMs = await leftMs("sess:text");
    assert.ok(textMs > 0 && textMs <= 60_000, `${textMs}`);
  });

  test("expired session is a miss", async () => {
    const store = storeWith();
    await store.set("short", sessionUntil(inMs(50)));
    while ((await store.get("short")) !== null);
    assert.equal(await store.length(), 0);
  });

  test("set and touch remove a session with an expired cookie", async () => {
    const store = storeWith();
    for (const end of [store.set, store.touch]) {
      await store.set("789", sessionUntil(inMs(60_000)));
      assert.equal(await store.length(), 1);
      await end("789", sessionUntil(inMs(-60_000)));
      assert.equal(await store.length(), 0);
    }
  });

  test("touch updates only the cookie and creates no session", async () => {
    const store = storeWith();
    await store.set("456", sessionUntil(inMs(60_000), "kept"));
    await store.touch("456", sessionUntil(inMs(600_000), "not written"));
    assert.ok((await leftMs("sess:456")) > 60_000);
    const touched = await store.get("456");
    assert.equal(touched?.name, "kept");
    assert.ok(new Date(touched.cookie.expires as unknown as string).getTime() > Date.now() + 60_000);
    await store.touch("missing", sessionUntil(inMs(600_000)));
    assert.equal(await store.get("missing"), null);
  });

  test("disableTouch keeps the original expiry", async () => {
    const store = storeWith({ disableTouch: true });
    await store.set("456", sessionUntil(inMs(60_000)));
    await store.touch("456", sessionUntil(inMs(600_000)));
    const keptMs = await leftMs("sess:456");
    assert.ok(keptMs > 0 && keptMs <= 60_000, `${keptMs}`);
  });

  test("destroy removes one session and ignores missing ones", async () => {
    const store = storeWith();
    await store.set("123", sessionUntil(null));
    await store.set("456", sessionUntil(null));
    await store.destroy("456");
    await store.destroy("456");
    assert.deepEqual([await store.get("456"), await store.length()], [null, 1]);
  });

  test("all, length and clear apply only to their prefix", async () => {
    const store = storeWith();
    const others = storeWith({ prefix: "admin:" });
    const names = Array.from({ length: 2_500 }, (_, i) => `s${i}`);
    await Promise.all(names.map((name) => store.set(name, sessionUntil(null, name))));
    await others.set("s1", sessionUntil(null, "other"));
    await cache.set("sess", "no session: shorter than the prefix");
    await cache.setAddElements("sess:set", ["no session: a set"]);

    assert.equal(await store.length(), names.length);
    const all = await store.all();
    assert.deepEqual(all.map(({ id }) => id).sort(), [...names].sort());
    assert.ok(all.every(({ id, name }) => id === name));

    await store.clear();
    assert.deepEqual([await store.length(), await store.all()], [0, []]);
    assert.deepEqual(
      (await others.all()).map(({ id, name }) => [id, name]),
      [["s1", "other"]],
    );
    assert.equal((await cache.get("sess")).result, "hit");
  });

  test("error for an invalid stored session omits its content", async () => {
    const store = storeWith();
    const strange = ["secret", '"secret"', "null", "5", "[]", "{}", '{"cookie":null}', '{"cookie":"secret"}', ""];
    const bytes = [new Uint8Array([0xff, 0xfe]), Buffer.from('{"cookie":{"path":"\xff"}}', "latin1")];
    for (const value of [...strange, ...bytes]) {
      await cache.set("sess:secret-id", value);
      for (const read of [() => store.get("secret-id"), store.all])
        await assert.rejects(
          read(),
          (error: Error) => fails("FailedPrecondition")(error) && !/secret/.test(error.stack!),
        );
    }
  });

  test("session that exceeds the JSON limits is rejected", async () => {
    const store = storeWith();
    const sessions = [`[${"[],".repeat(1_000_000)}0]`, `${"[".repeat(513)}${"]".repeat(513)}`];
    for (const more of sessions) {
      await cache.set("sess:123", `{"cookie":{},"more":${more}}`);
      await assert.rejects(store.get("123"), fails("FailedPrecondition"));
      const session = { ...sessionUntil(null), more: JSON.parse(more) as unknown };
      await assert.rejects(store.set("123", session as never), fails("LimitExceeded"));
    }
  });

  test("invalid session id is rejected", async () => {
    const store = storeWith();
    const calls = (sid: unknown) => [
      store.get(sid as string),
      store.set(sid as string, sessionUntil(null)),
      store.touch(sid as string, sessionUntil(null)),
      store.destroy(sid as string),
    ];
    for (const sid of ["", undefined, null, 7, {}, ["a"], { toString: () => "a" }, Symbol("a"), "\ud800"])
      await Promise.all(calls(sid).map((call) => assert.rejects(call, fails("InvalidArgument"), typeof sid)));
    assert.equal(await store.length(), 0);
  });

  test("accepts any valid text as a session id", async () => {
    const store = storeWith();
    for (const sid of ["__proto__", "../a", "a:b*?[c]", "a\0b", "ø🍞", "x".repeat(10_000)]) {
      await store.set(sid, sessionUntil(null, sid));
      assert.equal((await store.get(sid))?.name, sid);
      assert.deepEqual(
        (await store.all()).map(({ id }) => id),
        [sid],
      );
      await store.destroy(sid);
    }
    await assert.rejects(store.set("x".repeat(6_000_000), sessionUntil(null)), CacheError);
  });

  test("rejects unserializable sessions and invalid expiry dates", async () => {
    const store = storeWith();
    const circle: Record<string, unknown> = { ...sessionUntil(null) };
    circle.self = circle;
    await assert.rejects(store.set("circle", circle as unknown as Held), TypeError);
    await assert.rejects(store.set("big", { ...sessionUntil(null), n: 1n } as unknown as Held), TypeError);
    await assert.rejects(store.set("none", undefined as unknown as Held));
    await assert.rejects(store.set("date", sessionUntil(new Date(Number.NaN))), fails("InvalidArgument"));
    assert.equal(await store.length(), 0);
  });

  test("session that is too large is rejected", async () => {
    const store = storeWith();
    await assert.rejects(store.set("large", sessionUntil(null, "x".repeat(6_000_000))), CacheError);
  });

  for (const days of [30, 300, 3_650])
    test(`session of ${days} days is limited to the maximum TTL`, async (context) => {
      const warnings = warningsIn(context);
      const store = storeWith();
      const session = sessionUntil(inMs(days * dayMs), "Ada");
      await store.set("long", session);
      assert.ok(Math.abs((await leftMs("sess:long")) - dayMs) < 60_000);
      await cache.updateTtl("sess:long", 60_000);
      await store.touch("long", session);
      assert.ok(Math.abs((await leftMs("sess:long")) - dayMs) < 60_000);
      assert.equal((await store.get("long"))?.name, "Ada");
      assert.match(
        warnings.join(),
        /^cache 'cache': a time to live was shortened to 86400000 ms[^,]*, [^,]*--max-ttl[^,]*$/,
      );
    });

  test("every call fails with NotFound for a missing cache", async () => {
    const store = storeWith({ cacheName: "no-such-cache" });
    const session = sessionUntil(null);
    for (const call of [
      () => store.get("a"),
      () => store.set("a", session),
      () => store.touch("a", session),
      () => store.destroy("a"),
      store.all,
      store.length,
      store.clear,
    ])
      await assert.rejects(call(), fails("NotFound"));
  });

  test("failure without a callback becomes a process warning", async () => {
    const store = new LarderStore({ client, cacheName: "no-such-cache" });
    const warned = new Promise<Error>((resolve) => process.once("warning", resolve));
    store.destroy("a");
    assert.match((await warned).message, /no-such-cache/);

    let calls = 0;
    const thrown = new Promise<Error>((resolve) => process.setUncaughtExceptionCaptureCallback(resolve));
    store.get("a", () => {
      calls++;
      throw new Error("the program's own");
    });
    assert.equal((await thrown).message, "the program's own");
    process.setUncaughtExceptionCaptureCallback(null);
    assert.equal(calls, 1);
  });

  test("rejects invalid settings", () => {
    for (const wrong of [{ prefix: "" }, { prefix: 5 as unknown as string }, { ttlMs: 0 }, { ttlMs: Number.NaN }])
      assert.throws(() => new LarderStore({ client, cacheName: "cache", ...wrong }), TypeError);
  });
});
