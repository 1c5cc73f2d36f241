// Tests the cache handler in two ways. First, Next.js builds an application, and two processes serve it with the real
// server. Second, Next.js's class IncrementalCache calls the handler, which uses the fake server.
import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, describe, test } from "node:test";
import { promisify } from "node:util";
import { type CacheHandler, IncrementalCache } from "next/dist/server/lib/incremental-cache/index.js";
import { CacheError } from "../../src/client/errors.js";
import { ErrorResponse } from "../../src/client/responses.js";
import { type NextCacheHandler, type NextCacheHandlerOptions, nextCacheHandler } from "../../src/integrations/next.js";
import { FakeServer } from "../../src/testing/fake.js";
import { installPacked } from "../support/packed-package.js";
import { type ServerProcess, skipWithoutServer, startServer } from "../support/server-process.js";

const folder = join(import.meta.dirname, "..", "..", "..");

describe("Next application over the real server", { skip: skipWithoutServer }, () => {
  const scratch = mkdtempSync(join(tmpdir(), "larder-next-"));
  const next = join(scratch, "node_modules", "next", "dist", "bin", "next");
  const processes: ChildProcess[] = [];
  let server: ServerProcess | undefined;
  let env: NodeJS.ProcessEnv;

  after(async () => {
    for (const each of processes) {
      each.kill();
      if (each.exitCode === null && each.signalCode === null) await once(each, "exit");
    }
    await server?.stop();
    rmSync(scratch, { recursive: true });
  });

  async function built(): Promise<void> {
    server = await startServer();
    env = { ...process.env, LARDER_URL: `http://${server.endpoint}`, NEXT_TELEMETRY_DISABLED: "1" };
    cpSync(join(folder, "test", "next"), scratch, { recursive: true });
    mkdirSync(join(scratch, "node_modules"));
    for (const name of readdirSync(join(folder, "node_modules")))
      symlinkSync(join(folder, "node_modules", name), join(scratch, "node_modules", name));
    installPacked(scratch);
    writeFileSync(
      join(scratch, "handler.mjs"),
      `import { CacheClient, Configurations, CredentialProvider } from "larder-cache";
      import { nextCacheHandler } from "larder-cache/next";
      const credentials = CredentialProvider.fromEnvironmentVariable();
      const client = new CacheClient({ credentials, configuration: Configurations.Laptop.latest(), defaultTtlMs: 60_000 });
      export default nextCacheHandler({ client, cacheName: "cache", onError: (error) => console.error(error) });`,
    );
    await promisify(execFile)(process.execPath, [next, "build"], { cwd: scratch, env });
  }

  async function served(): Promise<string> {
    const child = spawn(process.execPath, [next, "start", "-p", "0", "-H", "127.0.0.1"], {
      cwd: scratch,
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    processes.push(child);
    let url = "";
    for await (const line of createInterface({ input: child.stdout! })) {
      url ||= /http:\/\/(?:127\.0\.0\.1|localhost):\d+/.exec(line)?.[0] ?? "";
      if (line.includes("Ready")) break;
    }
    child.stdout!.resume();
    return url.replace("localhost", "127.0.0.1");
  }

  async function said(url: string, path: string): Promise<string> {
    const response = await fetch(`${url}${path}`);
    return /(?:page|tagged) \d+ \d+\./.exec(await response.text())?.[0] ?? `HTTP ${response.status}`;
  }

  test("processes share pages until one revalidates a tag", async () => {
    await built();
    const [one, other] = [await served(), await served()];
    for (const path of ["/", "/tagged"]) {
      const made = await said(one, path);
      assert.match(made, /^(page|tagged) /);
      assert.equal(await said(other, path), made);
    }
    const [page, tagged] = [await said(one, "/"), await said(one, "/tagged")];
    const again = await fetch(`${other}/again`, { method: "POST" });
    assert.equal(await again.text(), "done");
    for (const [path, before] of [
      ["/", page],
      ["/tagged", tagged],
    ] as const) {
      const anew = await said(one, path);
      assert.match(anew, /^(page|tagged) /);
      assert.notEqual(anew, before);
      assert.equal(await said(other, path), anew);
    }
  });
});

describe("Next cache handler", () => {
  const page = {
    kind: "APP_PAGE",
    html: "<p>größe</p>",
    rscData: Buffer.from([0, 255]),
    headers: { "x-next-cache-tags": "a,_N_T_/layout" },
    status: 200,
    segmentData: new Map([
      ["/_tree", Buffer.from("tree")],
      ["/empty", Buffer.alloc(0)],
    ]),
  };
  const fetched = {
    kind: "FETCH",
    data: { headers: {}, body: "Ym9keQ==", url: "http://a.example", status: 200 },
    tags: ["a"],
    revalidate: 60,
  };

  function fixture(options: Partial<NextCacheHandlerOptions> = {}, longestMs = 86_400_000) {
    const fake = new FakeServer({ maxTtlMs: longestMs });
    const client = fake.client();
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    const Handler = nextCacheHandler({ client, cacheName: "cache", onError, ...options });
    return { fake, client, Handler, handler: new Handler(), codes: () => errors.map((e) => (e as CacheError).code) };
  }

  async function later(): Promise<void> {
    // Timestamps are whole milliseconds of the wall clock, so wait for the next millisecond.
    for (const before = Date.now(); Date.now() === before; ) await new Promise(setImmediate);
  }

  test("IncrementalCache stores and revalidates entries through the handler", async () => {
    const { Handler } = fixture();
    const cache = new IncrementalCache({
      dev: false,
      requestHeaders: {},
      getPrerenderManifest: () =>
        ({ version: 4, routes: {}, dynamicRoutes: {}, notFoundRoutes: [], preview: {} }) as never,
      CurCacheHandler: Handler as unknown as typeof CacheHandler,
    });
    const read = () => cache.get("key", { kind: "FETCH" as never, tags: ["a"], softTags: ["_N_T_/"], revalidate: 60 });
    assert.equal(await read(), null);
    await cache.set("key", fetched as never, { fetchCache: true, tags: ["a"] });
    assert.deepEqual((await read())?.value.data, fetched.data);
    await later();
    await cache.revalidateTag("a");
    assert.equal(await read(), null);
  });

  test("get returns every kind of entry unchanged", async () => {
    const { handler } = fixture();
    const entries = [
      page,
      fetched,
      { kind: "PAGES", html: "", pageData: { $buffer: "no bytes", maps: [1] }, headers: {}, status: 404 },
      {
        kind: "APP_ROUTE",
        body: Buffer.from("body"),
        status: 200,
        headers: { "content-type": "a/b", "x-b": ["1", "2"] },
      },
      { kind: "IMAGE", etag: '"1"', upstreamEtag: "", buffer: Buffer.alloc(100_000, 7), extension: "png" },
      { kind: "REDIRECT", props: { to: "/" } },
    ];
    for (const [i, entry] of entries.entries()) {
      await handler.set(`/${i}`, entry);
      const found = await handler.get(`/${i}`);
      assert.deepEqual(found?.value, entry);
      assert.ok(Math.abs(found!.lastModified - Date.now()) < 60_000);
    }
    await handler.set("/0", null);
    assert.equal(await handler.get("/0"), null);
  });

  test("revalidateTag applies to header, entry, request and soft tags", async () => {
    const { Handler, handler } = fixture();
    const other = new Handler();
    const reads: readonly (readonly [string, () => Promise<unknown>])[] = [
      ["a", () => other.get("/page")],
      ["a", () => other.get("fetch")],
      ["asked", () => other.get("fetch", { tags: ["asked"] })],
      ["soft", () => other.get("fetch", { softTags: ["soft"] })],
      ["set", () => other.get("fetch")],
    ];
    for (const [tag, read] of reads) {
      await later();
      await handler.set("/page", page);
      await handler.set("fetch", fetched, { tags: ["set"] });
      assert.ok(await read(), tag);
      await later();
      await handler.revalidateTag(["none", tag]);
      assert.equal(await read(), null, tag);
    }
    await later();
    await handler.set("/page", page);
    await handler.revalidateTag([]);
    await handler.revalidateTag("of nothing here");
    assert.ok(await other.get("/page"));
  });

  test("page with server-side tags is read with one call", async () => {
    const { fake, Handler, handler } = fixture();
    await handler.set("/page", page);
    const before = fake.count("getBatch");
    assert.ok(await new Handler().get("/page"));
    assert.equal(fake.count("getBatch") - before, 1);
    await handler.revalidateTag("_N_T_/layout");
    await handler.set("/page", page);
    assert.ok(await new Handler().get("/page", { tags: ["a"] }));
    await later();
    await handler.revalidateTag("soft");
    assert.equal(await new Handler().get("/page", { softTags: ["soft"] }), null);
    assert.ok(await new Handler().get("/page"));
  });

  test("revalidates many tags and tags beyond the server's limits", async () => {
    const { handler, codes } = fixture();
    const many = Array.from({ length: 300 }, (_, i) => `tag ${i}`);
    for (const tags of [many, ["x".repeat(2_000)]]) {
      await handler.set("/page", { ...page, headers: { "x-next-cache-tags": tags.join() } });
      assert.ok(await handler.get("/page"));
      await later();
      await handler.revalidateTag(tags.at(-1)!);
      assert.equal(await handler.get("/page"), null);
    }
    for (const tag of many) await handler.set(`/${tag}`, { ...page, headers: { "x-next-cache-tags": tag } });
    await handler.revalidateTag(many);
    for (const tag of many) assert.equal(await handler.get(`/${tag}`), null);
    assert.deepEqual(codes(), []);
  });

  test("stores untagged entries if the server never supported tags", async () => {
    const { fake, Handler, codes } = fixture();
    const handler = new Handler();
    fake.fail("setWithLease", "Unknown");
    fake.fail("removeByTag", "Unknown");
    for (let i = 0; i < 2; i++) {
      await handler.set("/page", page);
      assert.ok(await handler.get("/page"));
    }
    assert.equal(fake.count("setWithLease"), 1);
    await later();
    await handler.revalidateTag("a");
    assert.equal(await handler.get("/page"), null);
    assert.deepEqual(codes(), []);
    const has = fixture();
    await has.handler.set("/page", page);
    has.fake.fail("removeByTag", "Unknown");
    await assert.rejects(has.handler.revalidateTag("a"), { code: "Unknown" });
    has.fake.fail("setWithLease", "Unknown");
    await has.handler.set("/page", page);
    assert.deepEqual(has.codes(), ["Unknown"]);
  });

  test("failure of unknown kind does not mean that tags are unsupported", async () => {
    const { client, Handler, codes } = fixture();
    const unknown = () => Promise.resolve(new ErrorResponse(new CacheError("Unknown", "injected")));
    const cacheOf = client.cache.bind(client);
    client.cache = (name) => Object.assign(cacheOf(name), { setWithTags: unknown, removeByTag: unknown });
    const handler = new (nextCacheHandler({ client, cacheName: "cache" }))();
    await handler.set("/page", page);
    assert.equal(await new Handler().get("/page"), null);
    await assert.rejects(handler.revalidateTag("a"), { code: "Unknown" });
    assert.deepEqual(codes(), []);
  });

  test("revalidatedTags option invalidates fetches with those tags", async () => {
    const { Handler, handler } = fixture();
    await handler.set("fetch", fetched);
    assert.equal(await new Handler({ revalidatedTags: ["a"] }).get("fetch"), null);
    assert.ok(await new Handler({ revalidatedTags: ["b"] }).get("fetch"));
  });

  test("pages are separate per build; fetches are shared by builds", async () => {
    const { Handler } = fixture();
    const builds = ["one", "two"].map((id) => {
      const folder = mkdtempSync(join(tmpdir(), "larder-next-build-"));
      writeFileSync(join(folder, "BUILD_ID"), id);
      return folder;
    });
    const [one, two] = builds.map((folder) => new Handler({ serverDistDir: join(folder, "server") })) as [
      NextCacheHandler,
      NextCacheHandler,
    ];
    await one.set("/page", page);
    await one.set("fetch", fetched);
    assert.ok(await one.get("/page"));
    assert.equal(await two.get("/page"), null);
    assert.ok(await two.get("fetch"));
    for (const folder of builds) rmSync(folder, { recursive: true });
  });

  test("entry expires after cacheControl.expire seconds, at most after maxTtlMs", async () => {
    const { fake, handler } = fixture({ maxTtlMs: 60_000 });
    await handler.set("short", fetched, { cacheControl: { expire: 10 } });
    await handler.set("long", fetched, { cacheControl: { expire: 31_536_000 } });
    await handler.set("unsaid", fetched);
    await fake.advance(10_000);
    assert.equal(await handler.get("short"), null);
    assert.ok((await handler.get("long")) && (await handler.get("unsaid")));
    await fake.advance(50_000);
    assert.equal((await handler.get("long")) ?? (await handler.get("unsaid")), null);
  });

  test("server's shorter maximum TTL limits the TTL of entries", async () => {
    const { fake, handler, codes } = fixture({}, 3_600_000);
    const fetches = { ...fetched, data: { ...fetched.data } };
    await handler.set("/page", page);
    await handler.set("fetch", fetches, { tags: ["b"] });
    await fake.advance(3_599_000);
    assert.ok((await handler.get("/page")) && (await handler.get("fetch")));
    await later();
    await handler.revalidateTag(["a", "b"]);
    assert.deepEqual([await handler.get("/page"), await handler.get("fetch", { tags: ["b"] })], [null, null]);
    assert.deepEqual(codes(), []);
  });

  test("get returns null on failure; revalidateTag rejects", async () => {
    const { fake, handler, codes } = fixture();
    await handler.set("/page", page);
    fake.fail("getBatch", "Unavailable");
    assert.equal(await handler.get("/page"), null);
    fake.fail("setWithLease", "LimitExceeded");
    await handler.set("/page", page);
    fake.fail("delete", "Internal");
    await handler.set("/page", null);
    fake.fail("setBatch", "Timeout");
    await assert.rejects(handler.revalidateTag("a"), { code: "Timeout" });
    fake.fail("removeByTag", "Timeout");
    await assert.rejects(handler.revalidateTag("a"), { code: "Timeout" });
    assert.deepEqual(codes(), ["Unavailable", "LimitExceeded", "Internal"]);
    handler.resetRequestCache();
  });

  test("throwing onError hook becomes a process warning", async () => {
    const onError = () => {
      throw new Error("of the hook");
    };
    const { fake, handler } = fixture({ onError });
    fake.fail("getBatch", "Internal");
    const warned = once(process, "warning");
    assert.equal(await handler.get("/page"), null);
    assert.equal((await warned)[0].message, "of the hook");
  });

  test("invalid entry is reported and treated as a miss", async () => {
    const { client, handler, codes } = fixture();
    const cache = client.cache("cache");
    await handler.set("fetch", fetched);
    const framed = (head: object | string) => {
      const text = typeof head === "string" ? head : JSON.stringify(head);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(Buffer.byteLength(text));
      return Buffer.concat([length, Buffer.from(text)]);
    };
    const head = { lastModified: 1, value: { kind: "FETCH" }, bytes: [], maps: [] };
    const wrong = [
      Buffer.alloc(0),
      Buffer.from("abc"),
      Buffer.from([255, 255, 255, 255]),
      ...["{", "null", "[]"].map(framed),
      framed(`{"more":[${"[],".repeat(1_000_000)}0],${JSON.stringify(head).slice(1)}`),
      framed(`{"more":${"[".repeat(512)}${"]".repeat(512)},${JSON.stringify(head).slice(1)}`),
      ...[
        { lastModified: "1" },
        { value: null },
        { value: {} },
        { value: { kind: "FETCH", tags: [7] } },
        { value: { kind: "FETCH", tags: "a" } },
        { value: { kind: "FETCH", headers: 7 } },
        { bytes: 7 },
        { bytes: [7] },
        { bytes: [["a", null, 1]] },
        { bytes: [["a", null, -1]] },
        { bytes: [["a", "key", 0]] },
        { maps: [7] },
      ].map((change) => framed({ ...head, ...change })),
    ];
    for (const item of wrong) {
      await cache.set("next:fetch:fetch", item);
      assert.equal(await handler.get("fetch"), null, item.toString("utf8", 0, 100));
    }
    assert.deepEqual(new Set(codes()), new Set(["FailedPrecondition"]));
    assert.equal(codes().length, wrong.length);
    await handler.set("fetch", fetched);
    await cache.set("next:tag:a", "never");
    assert.equal(await handler.get("fetch"), null);
  });

  test("rejects invalid values and settings", async () => {
    const { client, handler, codes } = fixture();
    for (const value of [undefined, 7, {}, { kind: 7 }]) await handler.set("/page", value);
    assert.deepEqual(codes(), Array(4).fill("InvalidArgument"));
    const made = (options: object) => () => nextCacheHandler({ client, cacheName: "cache", ...options });
    for (const prefix of ["", 7, null]) assert.throws(made({ prefix }), TypeError);
    for (const maxTtlMs of [0, -1, Number.NaN, "1"]) assert.throws(made({ maxTtlMs }), RangeError);
    assert.throws(made({ onError: 7 }), TypeError);
  });
});
