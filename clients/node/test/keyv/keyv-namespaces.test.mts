import { Keyv } from "keyv";
import { Keyv as Keyv6 } from "keyv6";
import * as vitest from "vitest";
import type { CacheClient } from "../../dist/src/index.js";
import { KeyvLarder } from "../../dist/src/integrations/keyv.js";
import { FakeServer } from "../../dist/src/testing/fake.js";

vitest.describe("KeyvLarder namespaces", () => {
  let client: CacheClient;
  vitest.beforeEach(() => {
    client = new FakeServer().client();
  });
  vitest.afterEach(() => client.close());
  const store = () => new KeyvLarder({ client, cacheName: "cache" });
  const sharing = (shared: KeyvLarder, namespace: string | undefined) =>
    new Keyv({ store: shared, namespace, throwOnErrors: true, emitErrors: false } as never);

  vitest.test("shared store keeps its namespaces apart", async () => {
    const shared = store();
    const [users, pages, nested] = ["users", "pages", "users:old"].map((name) => sharing(shared, name)) as Keyv[];
    const [none, ...named] = [sharing(shared, undefined), users!, pages!, nested!];
    await Promise.all(named.map((keyv, i) => keyv.set("1", i)));
    await none!.set("one", "plain");
    vitest.expect(await Promise.all(named.map((keyv) => keyv.get("1")))).toEqual([0, 1, 2]);
    vitest.expect(await none!.get("one")).toBe("plain");
    // A store in another process. It has only one namespace.
    const other = sharing(store(), "users");
    vitest.expect(await other.get("1")).toBe(0);
    await other.clear();
    vitest.expect(await Promise.all(named.map((keyv) => keyv.get("1")))).toEqual([undefined, 1, 2]);
    vitest
      .expect(await shared.getMany(["pages:1", "users:old:1", "users:1", "one"]))
      .toEqual(['{"value":1}', '{"value":2}', undefined, '{"value":"plain"}']);
  });

  vitest.test("clear of a shared store rejects and removes nothing", async () => {
    const shared = store();
    const [users, pages] = [sharing(shared, "users"), sharing(shared, "pages")];
    await users.set("1", "ada");
    await pages.set("1", "<html>");
    await vitest.expect(users.clear()).rejects.toThrow(/share one KeyvLarder/);
    await vitest.expect(shared.iterator().next()).rejects.toThrow(/share one KeyvLarder/);
    vitest.expect([await users.get("1"), await pages.get("1")]).toEqual(["ada", "<html>"]);
  });

  vitest.test("shared store rejects keys without their namespace", async () => {
    const shared = store();
    shared.namespace = "a";
    shared.namespace = "b";
    for (const call of [
      () => shared.get("key"),
      () => shared.getMany(["a:key", "key"]),
      () => shared.set("key", "v"),
      () => shared.delete("key"),
      () => shared.has("c:key"),
    ])
      await vitest.expect(call()).rejects.toMatchObject({ code: "FailedPrecondition" });
  });

  for (const keyvVersion of [5, 6] as const)
    vitest.test(`Keyv 6 cannot clear a shared store for Keyv ${keyvVersion}`, async () => {
      const shared = new KeyvLarder({ client, cacheName: "cache", keyvVersion });
      const settings = { throwOnErrors: true, emitErrors: false } as const;
      const users = new Keyv6({ store: shared, namespace: "users", ...settings });
      await users.set("1", "ada");
      const pages = new Keyv6({ store: shared, namespace: "pages", ...settings });
      await vitest.expect(pages.set("1", "<html>")).rejects.toThrow(/share one KeyvLarder/);
      await vitest.expect(pages.clear()).rejects.toThrow(/share one KeyvLarder/);
      const other = new Keyv6({
        store: new KeyvLarder({ client, cacheName: "cache", keyvVersion }),
        namespace: "users",
      });
      vitest.expect(await other.get("1")).toBe("ada");
      const met: unknown[] = [];
      for await (const entry of other.iterator()) met.push(entry);
      vitest.expect(met).toEqual([["1", "ada"]]);
    });

  vitest.test("stores with one namespace each are cleared separately", async () => {
    const [users, pages] = [sharing(store(), "users"), sharing(store(), "pages")];
    await users.set("1", "ada");
    await pages.set("1", "<html>");
    await users.clear();
    vitest.expect([await users.get("1"), await pages.get("1")]).toEqual([undefined, "<html>"]);
  });

  vitest.test("store accepts 1,000 namespaces and rejects more", () => {
    for (const [count, fits] of [
      [1_000, true],
      [1_001, false],
      [10_000, false],
    ] as const) {
      const shared = store();
      const use = () => {
        for (let i = 0; i < count; i++) shared.namespace = `n${i}`;
      };
      if (fits) use();
      else vitest.expect(use).toThrow(RangeError);
      shared.namespace = "n7";
    }
  });

  vitest.test("namespace or key of a wrong type throws a TypeError", async () => {
    const raw = store();
    for (const wrong of [1, null, {}, Symbol("s")]) {
      vitest.expect(() => (raw.namespace = wrong as never)).toThrow(TypeError);
      await vitest.expect(raw.get(wrong as never)).rejects.toThrow(TypeError);
      await vitest.expect(raw.deleteMany([wrong as never])).rejects.toThrow(TypeError);
    }
    for (const keyvVersion of [4, 7, "6", null])
      vitest
        .expect(() => new KeyvLarder({ client, cacheName: "cache", keyvVersion: keyvVersion as never }))
        .toThrow(RangeError);
  });

  vitest.test("iterator yields the keys and values of a namespace", async () => {
    const [users, pages] = [store(), store()];
    users.namespace = "users";
    pages.namespace = "pages";
    const keys = Array.from({ length: 1_500 }, (_, i) => `users:${i}`);
    await users.setMany(keys.map((key) => ({ key, value: `v${key}` })));
    await pages.set("pages:1", "page");
    const met = new Map<string, string>();
    for await (const [key, value] of users.iterator()) met.set(key, value);
    vitest.expect(met.size).toBe(keys.length);
    vitest.expect(keys.every((key) => met.get(key) === `v${key}`)).toBe(true);
    await users.clear();
    for await (const [key] of users.iterator()) vitest.expect.unreachable(key);
    await client.flushCache("cache");
    await client.cache("cache").set("x", "1");
    const plain = store();
    await plain.set("y", "2");
    const all: unknown[] = [];
    for await (const entry of plain.iterator()) all.push(entry);
    vitest.expect(all.sort()).toEqual([
      ["x", "1"],
      ["y", "2"],
    ]);
  });

  vitest.test("Keyv 6 adapter uses absolute expiry and per-key results", async () => {
    const raw = new KeyvLarder({ client, cacheName: "cache", keyvVersion: 6 });
    const keyv = new Keyv6({ store: raw, namespace: "six" });
    await keyv.set("a", 1, 10_000);
    await keyv.set("b", 2);
    vitest.expect(await keyv.get(["a", "b", "c"])).toEqual([1, 2, undefined]);
    vitest.expect(await keyv.delete(["a", "c", "b"])).toEqual([true, false, true]);
    await raw.set("gone", "v", 60_000 + Date.now());
    await raw.setMany([
      { key: "gone", value: "v", expires: Date.now() - 1 },
      { key: "kept", value: "v", expires: Date.now() + 5_000.5 },
    ]);
    vitest.expect(await raw.getMany(["gone", "kept"])).toEqual([undefined, "v"]);
    await raw.clear();
    await keyv.set("d", 4);
    const met: unknown[] = [];
    for await (const entry of keyv.iterator()) met.push(entry);
    vitest.expect(met).toEqual([["d", 4]]);
    await keyv.clear();
    vitest.expect(await keyv.get("d")).toBeUndefined();
  });
});
