// Tests the store with undici's cache over HTTP, against the real server and against the fake server.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, beforeEach, describe, test } from "node:test";
import { Agent, type Dispatcher, interceptors, request } from "undici";
import { CacheClient, Configurations, CredentialProvider } from "../../src/index.js";
import { LarderCacheStore } from "../../src/integrations/undici.js";
import { FakeServer } from "../../src/testing/fake.js";
import { type ServerProcess, skipWithoutServer, startServer } from "../support/server-process.js";
import { keysIn } from "../support/stored-keys.js";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** An HTTP server that counts the requests to it. */
class Origin {
  asked = 0;
  answer: Answer = (_, response) => response.end();
  readonly #server = createServer((request, response) => {
    this.asked++;
    this.answer(request, response);
  });

  async start(): Promise<this> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/** A store with a method `settled` that waits until all writes are done. */
class WatchedStore extends LarderCacheStore {
  #writes: Promise<unknown>[] = [];

  override createWriteStream(...args: Parameters<LarderCacheStore["createWriteStream"]>) {
    const stream = super.createWriteStream(...args)!;
    this.#writes.push(new Promise((resolve) => stream.once("close", resolve)));
    return stream;
  }
  override delete(key: Parameters<LarderCacheStore["delete"]>[0]): Promise<void> {
    const deleted = super.delete(key);
    this.#writes.push(deleted.catch(() => {}));
    return deleted;
  }
  async settled(): Promise<void> {
    await Promise.all(this.#writes.splice(0));
  }
}

const origin = await new Origin().start();
after(() => origin.stop());

function cached(store: WatchedStore) {
  const dispatcher = new Agent().compose(interceptors.cache({ store }));
  return async (path: string, options: { method?: Dispatcher.HttpMethod; headers?: Record<string, string> } = {}) => {
    const { statusCode, headers, body } = await request(`${origin.url}${path}`, { dispatcher, ...options });
    const bytes = Buffer.from(await body.arrayBuffer());
    await store.settled();
    return { statusCode, headers, bytes, text: bytes.toString() };
  };
}

function behaviours(clientOf: () => Promise<CacheClient>) {
  let asking: ReturnType<typeof cached>;
  let client: CacheClient;
  beforeEach(async () => {
    client ??= await clientOf();
    origin.asked = 0;
    await client.flushCache("cache");
    asking = cached(new WatchedStore({ client, cacheName: "cache", onError: assert.ifError }));
  });
  after(() => client.close());

  test("cached response is reused, including by other programs", async () => {
    origin.answer = (_, response) => {
      response.writeHead(203, "Fine", { "cache-control": "max-age=60", "x-own": ["a", "b"] });
      response.end(Buffer.from([0, 255, 10]));
    };
    const other = cached(new WatchedStore({ client, cacheName: "cache" }));
    const [first, again, theirs] = [await asking("/a?b=1"), await asking("/a?b=1"), await other("/a?b=1")];
    assert.equal(origin.asked, 1);
    for (const { statusCode, headers, bytes } of [first, again, theirs]) {
      assert.deepEqual([statusCode, headers["x-own"]], [203, ["a", "b"]]);
      assert.deepEqual([...bytes], [0, 255, 10]);
    }
    assert.equal(first.headers.age, undefined);
    assert.ok(again.headers.age !== undefined);
  });

  test("path, query and method identify a cached response", async () => {
    origin.answer = (_, response) => response.setHeader("cache-control", "max-age=60").end();
    for (let i = 0; i < 2; i++) {
      for (const path of ["/empty", "/empty?", "/other"]) assert.equal((await asking(path)).text, "");
      assert.equal((await asking("/empty", { method: "HEAD" })).statusCode, 200);
    }
    assert.equal(origin.asked, 4);
  });

  test("no-store response is not cached", async () => {
    origin.answer = (_, response) => response.setHeader("cache-control", "no-store").end("1");
    await asking("/");
    await asking("/");
    assert.equal(origin.asked, 2);
    assert.equal(await keysIn(client), 0);
  });

  test("caches one response per value of the vary headers", async () => {
    origin.answer = (request, response) => {
      response.setHeader("cache-control", "max-age=60").setHeader("vary", "accept-language, accept");
      response.end(`${request.headers["accept-language"]} ${request.headers.accept}`);
    };
    for (let i = 0; i < 2; i++) {
      for (const language of ["no", "de"])
        assert.equal((await asking("/v", { headers: { "accept-language": language } })).text, `${language} undefined`);
      assert.equal((await asking("/v", { headers: { "Accept-Language": "no", accept: "*/*" } })).text, "no */*");
      assert.equal((await asking("/v")).text, "undefined undefined");
    }
    assert.equal(origin.asked, 4);
  });

  test("separates responses whose vary headers differ", async () => {
    origin.answer = (request, response) => {
      response.setHeader("cache-control", "max-age=60").setHeader("vary", request.headers["x-a"] ? "x-a" : "x-b");
      response.end(`${request.headers["x-a"]} ${request.headers["x-b"]}`);
    };
    const requests = [{ "x-a": "1" }, { "x-b": "1" }, { "x-b": "2" }];
    for (let i = 0; i < 3; i++)
      for (const headers of requests) {
        const { "x-a": a, "x-b": b } = headers as Record<string, string>;
        assert.equal((await asking("/w", { headers })).text, `${a} ${b}`);
      }
    // The origin receives the first request twice. When its response was stored, the store did not know yet that other
    // responses of this path vary by a different header.
    assert.equal(origin.asked, 4);
  });

  test("revalidates a stale response and reuses it on 304", async () => {
    const statuses: number[] = [];
    origin.answer = (request, response) => {
      const isKnown = request.headers["if-none-match"] === '"1"';
      statuses.push(isKnown ? 304 : 200);
      response.writeHead(isKnown ? 304 : 200, { etag: '"1"', ...(isKnown ? {} : { "cache-control": "max-age=0" }) });
      response.end(isKnown ? undefined : "body");
    };
    for (let i = 0; i < 3; i++) {
      const { statusCode, text } = await asking("/r");
      assert.deepEqual([statusCode, text], [200, "body"]);
    }
    assert.deepEqual(statuses, [200, 304, 304]);
  });

  test("unsafe request invalidates all responses of its path", async () => {
    origin.answer = (request, response) => {
      response.setHeader("cache-control", "max-age=60");
      if (request.url === "/varied") response.setHeader("vary", "x-a");
      response.end();
    };
    for (const path of ["/plain", "/varied"]) {
      await asking(path);
      await asking(path, { headers: { "x-a": "1" } });
      await asking(path, { method: "HEAD" });
      const before = origin.asked;
      await asking(path, { method: "POST" });
      await asking(path);
      await asking(path, { method: "HEAD" });
      if (path === "/varied") await asking(path, { headers: { "x-a": "1" } });
      assert.equal(origin.asked, before + (path === "/varied" ? 4 : 3), path);
    }
  });

  test("caches only bodies of up to maxEntryBytes", async () => {
    const store = new WatchedStore({ client, cacheName: "cache", maxEntryBytes: 100_000 });
    const asking = cached(store);
    for (const [bytes, kept] of [
      [100_000, 1],
      [100_001, 0],
      [1_000_000, 0],
    ] as const) {
      origin.asked = 0;
      origin.answer = (_, response) => response.setHeader("cache-control", "max-age=60").end("x".repeat(bytes));
      for (let i = 0; i < 2; i++) assert.equal((await asking(`/${bytes}`)).bytes.length, bytes);
      assert.equal(origin.asked, 2 - kept, `${bytes}`);
    }
  });

  test("caches a body of five megabytes", async () => {
    origin.answer = (_, response) => response.setHeader("cache-control", "max-age=60").end(Buffer.alloc(4_990_000, 7));
    for (let i = 0; i < 2; i++) {
      const { bytes } = await asking("/large");
      assert.ok(bytes.equals(Buffer.alloc(4_990_000, 7)));
    }
    assert.equal(origin.asked, 1);
  });

  test("limits a one-year response to the maximum TTL", async () => {
    origin.answer = (_, response) => response.setHeader("cache-control", "max-age=31536000, immutable").end("1");
    await asking("/year");
    await asking("/year");
    assert.equal(origin.asked, 1);
    const scanned = await client.cache("cache").scanKeys();
    assert.ok(scanned.result === "success" && scanned.keys.every(({ remainingTtlMs }) => remainingTtlMs <= 86_400_000));
  });
}

describe("undici cache over the real server", { skip: skipWithoutServer }, () => {
  let server: ServerProcess;
  after(() => server.stop());
  behaviours(async () => {
    server = await startServer();
    return new CacheClient({
      credentials: CredentialProvider.local(server.endpoint),
      configuration: Configurations.Laptop.latest(),
      defaultTtlMs: 60_000,
    });
  });
});

describe("undici cache over the fake server", () => {
  behaviours(async () => new FakeServer().client());
});
