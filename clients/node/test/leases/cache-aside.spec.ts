import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { Cache } from "../../src/client/cache.js";
import type { CacheClient } from "../../src/client/client.js";
import { CacheError, Status } from "../../src/client/errors.js";
import { CredentialProvider } from "../../src/configuration/credential-provider.js";
import { clientOf, FakeServer, until } from "../support/fake-server.js";

describe("getOrSet", () => {
  let server: FakeServer;
  let client: CacheClient;
  let cache: Cache;
  before(async () => {
    server = await new FakeServer().start();
    client = clientOf(server, "pipeline");
    cache = client.cache("cache");
  });
  after(async () => {
    await client.close();
    await server.stop();
  });
  const get = async (key: string, factory: () => string | Promise<string>) =>
    String(await cache.getOrSet(key, factory));

  test("factories may call getOrSet for other keys recursively", async () => {
    const nest = (caller: number, depth: number): Promise<string> =>
      get(`${caller}-${depth}`, () => (depth === 0 ? `of ${caller}` : nest(caller, depth - 1)));
    const made = await Promise.all(Array.from({ length: 64 }, (_, caller) => nest(caller, 20)));
    assert.deepEqual(
      made,
      made.map((_, caller) => `of ${caller}`),
    );
  });

  test("GOC-16: clients with different tokens share no factory call", { timeout: 30_000 }, async () => {
    const at = CredentialProvider.local(server.endpoint);
    const one = clientOf(server, "pipeline", { credentials: at.withToken("first-token") });
    const other = clientOf(server, "pipeline", { credentials: at.withToken("second-token") });
    try {
      let open = (_: string) => {};
      let runs = false;
      const first = one.cache("cache").getOrSet("of tenants", () => {
        runs = true;
        return new Promise<string>((resolve) => {
          open = resolve;
        });
      });
      await until(() => runs);
      assert.equal(String(await other.cache("cache").getOrSet("of tenants", () => "other's")), "other's");
      open("one's");
      assert.equal(String(await first), "one's");
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
  });

  test("factory that requests its own key loads it without deadlock", { timeout: 30_000 }, async () => {
    assert.equal(await get("self", () => get("self", () => "inner")), "inner");
    const controller = new AbortController();
    const never = () => new Promise<string>(() => controller.abort(new Error("enough")));
    const { signal } = controller;
    const outer = get("given up", async () => String(await cache.getOrSet("given up", never, { signal })));
    await assert.rejects(outer, /enough/);
  });

  test("factories that request each other's keys do not deadlock", { timeout: 30_000 }, async () => {
    const keys = ["one", "other"] as const;
    for (const asks of [1, 2]) {
      let running = 0;
      const made = keys.map((mine, i) =>
        get(`${mine}${asks}`, async () => {
          running++;
          while (running < 2) await setImmediate();
          await Promise.all(Array.from({ length: asks }, () => get(`${keys[1 - i]}${asks}`, () => "plain")));
          return mine;
        }),
      );
      for (const value of await Promise.all(made)) assert.ok(["one", "other", "plain"].includes(value));
    }
  });

  test("cycle check visits each load once despite 2^40 paths", { timeout: 30_000 }, async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    let reached = false;
    const last = async () => {
      reached = true;
      await gate;
      return "last";
    };
    // Each factory requests the key of the next factory twice, so there are 2^40 paths to the last factory.
    const nest = (depth: number): Promise<string> =>
      get(`twice-${depth}`, async () =>
        depth === 40 ? last() : (await Promise.all([nest(depth + 1), nest(depth + 1)]))[0],
      );
    const made = nest(0);
    while (!reached) await setImmediate();
    const outside = get("outside", () => nest(0));
    await until(() => server.calls.length > 41);
    setTimeout(open, 20);
    assert.deepEqual(await Promise.all([made, outside]), ["last", "last"]);
  });

  test("unknown cache causes one process warning", async () => {
    server.onCall = (call) => call.fail(Status.notFound, "there is no cache named cahce");
    const warnings: Error[] = [];
    const listener = (warning: Error) => warnings.push(warning);
    process.on("warning", listener);
    for (const key of ["a", "b", "c"])
      assert.equal(String(await client.cache("cahce").getOrSet(key, () => "made")), "made");
    await setImmediate();
    process.off("warning", listener);
    server.onCall = (call) => call.answer();
    const said = warnings.map(({ message }) => message).filter((message) => message.includes("cahce"));
    assert.equal(said.length, 1);
    assert.match(said[0]!, /NotFound/);
  });

  test("rejects an invalid cache name, key or TTL", async () => {
    const factory = () => assert.fail("not called");
    for (const call of [
      client.cache("").getOrSet("key", factory),
      cache.getOrSet("", factory),
      cache.getOrSet("\ud800", factory),
      cache.getOrSet("key", factory, { ttlMs: 0 }),
      cache.getOrSet("key", factory, { ttlMs: 366 * 86_400_000 }),
      cache.getOrSet("key", factory, { timeoutMs: -1 }),
    ])
      await assert.rejects(call, (error) => error instanceof CacheError && error.code === "InvalidArgument");
  });

  test("TTL above the server's maximum warns once", async () => {
    server.onCall = (call) =>
      call.rpc === "Set" ? call.fail(Status.invalidArgument, "the time is past --max-ttl") : call.answer();
    const warnings: Error[] = [];
    const listener = (warning: Error) => warnings.push(warning);
    process.on("warning", listener);
    for (const key of ["long a", "long b"])
      assert.equal(String(await cache.getOrSet(key, () => "made", { ttlMs: 30 * 86_400_000 })), "made");
    await setImmediate();
    process.off("warning", listener);
    server.onCall = (call) => call.answer();
    assert.equal(warnings.filter(({ message }) => message.includes("--max-ttl")).length, 1);
  });
});
