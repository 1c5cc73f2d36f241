// Tests the near cache against the real server. Some tests check the server's invalidation messages. In others, the
// network or the server fails before the client receives a message.
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { after, before, describe, test } from "node:test";
import type { Cache } from "../../src/client/cache.js";
import type { CacheClient } from "../../src/client/client.js";
import { ErrorResponse, Hit } from "../../src/client/responses.js";
import type { ConnectionEvent } from "../../src/telemetry/metrics.js";
import { cacheName, keyedCalls, namedKey } from "../support/every-call.js";
import { until } from "../support/fake-server.js";
import { FaultyProxy } from "../support/faulty-proxy.js";
import { valueAt } from "../support/near-bench.js";
import { keepCopy, nearClientOf, sleeper, untilNear } from "../support/near-client.js";
import { type ServerProcess, skipWithoutServer, startServer } from "../support/server-process.js";

describe("near cache on the real server", { skip: skipWithoutServer }, () => {
  let server: ServerProcess;
  let client: CacheClient;
  let cache: Cache;
  let other: CacheClient;
  let otherCache: Cache;
  before(async () => {
    server = await startServer();
    client = nearClientOf(server.endpoint);
    cache = client.cache(cacheName);
    other = nearClientOf(server.endpoint);
    otherCache = other.cache(cacheName);
    await untilNear(client);
    await untilNear(other);
  });
  after(async () => {
    await client.close();
    await other.close();
    await server.stop();
  });

  const keep = (key: string | Uint8Array, value: string | Uint8Array = "1") => keepCopy(client, key, value);
  const gone = (key: string | Uint8Array) => until(() => cache.tryGetNear(key) === undefined);

  for (const [name, made] of keyedCalls)
    test(`NEAR-22: ${name} removes the client's own copy before returning`, async () => {
      await keep(namedKey);
      await made(cache, client);
      assert.equal(cache.tryGetNear(namedKey), undefined);
      await client.createCache(cacheName);
      await cache.delete(namedKey);
    });

  test("client reads its own writes", async () => {
    for (let i = 0; i < 500; i++) {
      await cache.set("own", `${i}`);
      assert.equal(await valueAt(client, "own"), `${i}`);
      assert.equal(await valueAt(client, "own"), `${i}`);
    }
  });

  test("writes of another client invalidate the copy", async () => {
    for (const write of [
      () => otherCache.set("k", "2"),
      () => otherCache.delete("k"),
      () => otherCache.increment("k"),
      () => otherCache.setIfPresent("k", "2"),
      () => otherCache.updateTtl("k", 5_000),
      () => otherCache.setBatch({ k: "2" }),
      async () => {
        await otherCache.delete("k");
        await otherCache.dictionarySet("k", { f: "v" });
      },
      () => other.flushCache(cacheName),
    ]) {
      await cache.delete("k");
      await keep("k");
      await write();
      await gone("k");
      const [here, there] = await Promise.all([cache.get("k"), otherCache.get("k")]);
      assert.equal(here.result, there.result);
      if (here instanceof Hit) assert.equal(here.value, (there as Hit).value);
    }
  });

  test("NEAR-3: conditional write that stores nothing sends no invalidation", async () => {
    await keep("k", "1");
    await otherCache.setIfAbsent("k", "2");
    await otherCache.set("told behind it", "1");
    await keep("another");
    assert.equal(cache.tryGetNear("k")?.value, "1");
  });

  test("supports keys and values of any bytes", async () => {
    const key = Buffer.from([0xff, 0x00, 0xc3]);
    await keep(key, Buffer.from([1, 0, 255]));
    assert.deepEqual(((await cache.get(key)) as Hit).valueBytes, Buffer.from([1, 0, 255]));
    await otherCache.set(key, "text");
    await gone(key);
    assert.equal(await valueAt(client, key), "text");
  });

  test("NEAR-25: copy does not outlive its item", async (context) => {
    const sleep = sleeper(context);
    const own = nearClientOf(server.endpoint, { maxAgeMs: 3_600_000 });
    const ownCache = own.cache(cacheName);
    await untilNear(own);
    for (const [key, ttlMs] of [
      ["short", 60_000],
      ["long", 600_000],
    ] as const) {
      await ownCache.set(key, "v", { ttlMs });
      await ownCache.get(key);
    }
    for (const [ms, served] of [
      [30_000, true],
      [30_000, false],
    ] as const) {
      sleep(ms);
      // The lease ended during the sleep. The client must renew it before it serves copies again.
      await until(() => ownCache.tryGetNear("long") !== undefined);
      assert.equal(ownCache.tryGetNear("short") !== undefined, served);
    }
    await own.close();
  });

  test("NEAR-24: only values of up to 65,536 bytes get copies", async () => {
    const value = Buffer.alloc(65_536, "x");
    await cache.set("large", value);
    assert.ok(((await cache.get("large")) as Hit).valueBytes.equals(value));
    assert.ok(cache.tryGetNear("large")?.valueBytes.equals(value));
    await cache.set("large", Buffer.alloc(65_537, "y"));
    assert.equal(((await cache.get("large")) as Hit).valueLengthBytes, 65_537);
    assert.equal(cache.tryGetNear("large"), undefined);
  });

  test("NEAR-1: client beyond the stream limit reads without near cache", async () => {
    const full = await startServer(["--max-near-streams", "2"]);
    const clients: CacheClient[] = [];
    const events: ConnectionEvent[] = [];
    const metrics = {
      connectionChanged: (event: ConnectionEvent) => void (event.kind === "nearCacheRefused" && events.push(event)),
    };
    try {
      for (let i = 0; i < 3; i++) {
        assert.equal(events.length, 0, `client ${i} of 2 has a near cache`);
        const own = nearClientOf(full.endpoint, {}, {}, { metrics });
        clients.push(own);
        await own.cache(cacheName).get("k");
      }
      assert.equal(events.length, 1);
      const last = clients.at(-1)!;
      await last.cache(cacheName).set("k", "v");
      for (let i = 0; i < 2; i++) assert.equal(await valueAt(last, "k"), "v");
      assert.equal(last.nearCache!.kept, 0);
    } finally {
      for (const each of clients) await each.close();
      await full.stop("SIGKILL");
    }
  });
});

describe("near cache on a failing network", { skip: skipWithoutServer }, () => {
  async function behindProxy() {
    const server = await startServer();
    const proxy = await FaultyProxy.before(server.port);
    const keepalive = { keepaliveIntervalMs: 1_000, keepaliveTimeoutMs: 1_000 } as const;
    const client = nearClientOf(proxy.endpoint, {}, keepalive);
    const cache = client.cache(cacheName);
    const other = nearClientOf(server.endpoint);
    await untilNear(client);
    await cache.set("k", "old");
    await cache.get("k");
    return {
      server,
      proxy,
      client,
      other,
      async [Symbol.asyncDispose]() {
        await client.close();
        await other.close();
        proxy.stop();
        await server.stop("SIGKILL");
      },
    };
  }

  test("NEAR-21: copies on silent connections are served until lease ends", async (context) => {
    const sleep = sleeper(context);
    await using bench = await behindProxy();
    const { proxy, client, other } = bench;
    const cache = client.cache(cacheName);
    assert.ok(cache.tryGetNear("k"));
    proxy.silence();
    await other.cache(cacheName).set("k", "new");
    assert.equal(cache.tryGetNear("k")?.value, "old");
    sleep(3_000);
    assert.equal(cache.tryGetNear("k"), undefined);
    assert.equal(await valueAt(client, "k"), "new", "over another connection, once this one is found dead");
  });

  test("NEAR-20: lost connection removes copies; next connection stores new ones", async () => {
    await using bench = await behindProxy();
    const { proxy, client, other } = bench;
    const cache = client.cache(cacheName);
    proxy.reset();
    await other.cache(cacheName).set("k", "new");
    await until(() => cache.tryGetNear("k") === undefined);
    await untilNear(client);
    assert.equal(await valueAt(client, "k"), "new");
    assert.equal(cache.tryGetNear("k")?.value, "new");
  });

  test("restarted server invalidates all copies", async () => {
    await using bench = await behindProxy();
    const { server, proxy, client } = bench;
    await server.stop("SIGKILL");
    await until(() => client.cache(cacheName).tryGetNear("k") === undefined);
    const second = await startServer();
    proxy.targetPort = second.port;
    await untilNear(client);
    assert.equal(await valueAt(client, "k"), "miss");
    await client.close();
    await second.stop("SIGKILL");
  });
});

describe("near cache with many readers and writers", { skip: skipWithoutServer }, () => {
  const keys = 40;
  const writes = 250;
  const readers = 60;

  /** Records the highest number that one client has read for each key. A later read must not return a lower number. */
  class Watcher {
    readonly seen = new Array<number>(keys).fill(0);
    reads = 0;

    constructor(readonly client: CacheClient) {}

    async read(key: number): Promise<void> {
      const floor = this.seen[key]!;
      this.#check(key, floor, await this.client.cache(cacheName).get(`numbered-${key}`));
      const near = this.client.cache(cacheName).tryGetNear(`numbered-${key}`);
      if (near !== undefined) this.#check(key, this.seen[key]!, near);
    }

    #check(key: number, floor: number, response: { readonly result: string }): void {
      this.reads++;
      assert.ok(response instanceof Hit, response instanceof ErrorResponse ? response.error.message : response.result);
      const found = Number(response.value);
      assert.ok(found >= floor, `key ${key} went back from ${floor} to ${found}`);
      this.seen[key] = Math.max(this.seen[key]!, found);
    }
  }

  test("versions read never decrease and converge on the last write", async () => {
    const server = await startServer();
    const watchers = Array.from({ length: 3 }, () => new Watcher(nearClientOf(server.endpoint)));
    for (const { client } of watchers) await untilNear(client);
    const all = Array.from({ length: keys }, (_, key) => key);
    for (const key of all) await watchers[0]!.client.cache(cacheName).set(`numbered-${key}`, "0");
    let writing = true;
    // Each key has only one writer. Therefore the number that the server stores for a key never decreases.
    const written = Promise.all(
      all.map(async (key) => {
        const watcher = watchers[key % watchers.length]!;
        for (let number = 1; number <= writes; number++) {
          const set = await watcher.client.cache(cacheName).set(`numbered-${key}`, `${number}`);
          assert.equal(set.result, "success");
          watcher.seen[key] = number;
          await watcher.read(key);
        }
      }),
    ).finally(() => {
      writing = false;
    });
    const read = watchers.flatMap((watcher, w) =>
      Array.from({ length: readers }, async (_, reader) => {
        for (let i = reader + w; writing; i++) await watcher.read((i * i) % keys);
      }),
    );
    await Promise.all([written, ...read]);
    for (const { client } of watchers)
      for (const key of all)
        while ((await valueAt(client, `numbered-${key}`)) !== `${writes}`)
          await client.cache(cacheName).get("not there");
    const reads = watchers.reduce((sum, each) => sum + each.reads, 0);
    const hits = watchers.reduce((sum, { client }) => sum + client.nearCache!.hits, 0);
    assert.ok(reads > 10_000 && hits > 1_000, `${reads} reads, ${hits} of copies`);
    for (const { client } of watchers) await client.close();
    await server.stop();
  });
});
