import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { after, before, describe, test } from "node:test";
import type { Cache } from "../../src/client/cache.js";
import { CacheClient } from "../../src/client/client.js";
import type { CallOptions, SetOptions } from "../../src/client/client-options.js";
import { Status } from "../../src/client/errors.js";
import { ErrorResponse, Hit, Miss } from "../../src/client/responses.js";
import { withSettings } from "../../src/configuration/configuration-check.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { CredentialProvider } from "../../src/configuration/credential-provider.js";
import type { CallReport, ConnectionEvent } from "../../src/telemetry/metrics.js";
import { clientOf, FakeServer, until } from "../support/fake-server.js";

function codeOf(response: { readonly result: string }): string {
  assert.ok(response instanceof ErrorResponse, `expected an error, got ${response.result}`);
  return response.error.code;
}

for (const transport of ["unary", "pipeline", "auto"] as const)
  describe(`CacheClient, ${transport}`, () => {
    let server: FakeServer;
    let client: CacheClient;
    let cache: Cache;
    before(async () => {
      server = await new FakeServer().start();
      client = clientOf(server, transport);
      cache = client.cache("cache");
    });
    after(async () => {
      await client.close();
      await server.stop();
    });

    test("get returns stored text and bytes, or a miss", async () => {
      assert.equal((await cache.set("key", "wörth")).result, "success");
      const hit = await cache.get("key");
      assert.ok(hit instanceof Hit);
      assert.equal(hit.value, "wörth");
      assert.deepEqual(hit.valueBytes, Buffer.from("wörth"));
      const bytes = Buffer.from([0, 255, 1]);
      await cache.set(bytes, bytes);
      assert.deepEqual(((await cache.get(bytes)) as Hit).valueBytes, bytes);
      assert.equal((await cache.get("never")).result, "miss");
    });

    test("stores and returns a value of 300 KB", async () => {
      const large = Buffer.alloc(300_000, "larder");
      assert.equal((await cache.set("large", large)).result, "success");
      const hit = (await cache.get("large")) as Hit;
      assert.ok(hit.valueBytes.equals(large));
    });

    test("1,000 concurrent calls each get their own response", async () => {
      const keys = Array.from({ length: 1_000 }, (_, i) => `key-${i}`);
      await Promise.all(keys.map((key) => cache.set(key, `of ${key}`)));
      const responses = await Promise.all(keys.map((key) => cache.get(key)));
      assert.deepEqual(
        responses.map((response) => (response as Hit).value),
        keys.map((key) => `of ${key}`),
      );
      assert.equal(client.statistics().inFlight, 0);
    });

    test("increment and delete change the stored value", async () => {
      assert.deepEqual(await cache.increment("n", 2n ** 60n), { result: "success", value: 2n ** 60n });
      assert.deepEqual(await cache.increment("n", -1), { result: "success", value: 2n ** 60n - 1n });
      assert.equal((await cache.delete("n")).result, "success");
      assert.equal((await cache.get("n")).result, "miss");
    });

    test("maps a server status to its code and cause", async () => {
      server.onCall = (call) => call.fail(Status.resourceExhausted, "too large: 100 %", "request_size_limit_exceeded");
      const response = await cache.get("key");
      server.onCall = (call) => call.answer();
      assert.equal(codeOf(response), "LimitExceeded");
      const { error } = response as ErrorResponse;
      assert.equal(error.cause, "request_size_limit_exceeded");
      assert.match(error.message, /too large: 100 %/);
    });

    test("ERR-4: rejects invalid arguments without sending the call", async () => {
      const sent = server.calls.length;
      const refused = [
        await cache.get(""),
        await client.cache(" ").get("key"),
        await client.cache("").get("key"),
        await client.cache("x".repeat(256)).get("key"),
        await cache.set("key", "value", { ttlMs: 0 }),
        await cache.set("key", "value", { ttlMs: -1 }),
        await cache.set("key", "value", { ttlMs: 31_536_000_001 }),
        await cache.set("key", "value", { ttlMs: Number.NaN }),
        await cache.updateTtl("key", 0),
        await cache.keysExist(["key", ""]),
        await cache.setBatch([["", "value"]]),
        await client.createCache("\t"),
        await cache.get("key", { timeoutMs: 0 }),
        await cache.get("key", { timeoutMs: 3_600_001 }),
        await cache.get("key", { timeoutMs: 36_000_000 }),
        await cache.get("key", { timeoutMs: Number.NaN }),
        await cache.get("key", { timeoutMs: Number.POSITIVE_INFINITY }),
      ];
      assert.deepEqual(
        refused.map(codeOf),
        refused.map(() => "InvalidArgument"),
      );
      assert.equal(server.calls.length, sent);
    });

    test("DEADLINE-8: accepts timeouts from one microsecond to one hour", async () => {
      assert.equal((await cache.get("none", { timeoutMs: 3_600_000 })).result, "miss");
      const brief = await cache.get("none", { timeoutMs: 0.001 });
      assert.ok(brief.result === "miss" || codeOf(brief) === "Timeout");
    });

    test("ERR-8: wrong key or value types reject with TypeError", async () => {
      await assert.rejects(cache.get(7 as unknown as string), TypeError);
      await assert.rejects(cache.set("key", null as unknown as string), TypeError);
      await assert.rejects(cache.setBatch(7 as unknown as []), TypeError);
    });

    test("unknown option rejects with a TypeError that names it", async () => {
      const inSeconds = { ttl: 5 } as SetOptions;
      await assert.rejects(cache.set("key", "value", inSeconds), /unknown option 'ttl'.*ttlMs/);
      await assert.rejects(cache.setIfAbsent("key", "value", inSeconds), TypeError);
      await assert.rejects(
        cache.getOrSet("other", () => "value", inSeconds),
        TypeError,
      );
      await assert.rejects(client.ping({ timeout: 5 } as CallOptions), TypeError);
    });

    test("getOrSet runs the factory once for concurrent callers", async () => {
      let made = 0;
      const factory = async () => `made ${++made}`;
      const values = await Promise.all(Array.from({ length: 50 }, () => cache.getOrSet("made", factory)));
      assert.equal(made, 1);
      assert.ok(values.every((value) => value.toString() === "made 1"));
      assert.equal((await client.cache("cache").getOrSet("made", factory)).toString(), "made 1");
    });

    test("concurrent getOrSet callers receive separate buffers", async () => {
      for (const _ of ["made", "found"]) {
        const joint = [1, 2, 3].map(() => cache.getOrSet("joint", () => Buffer.from("value")));
        const [first, second, third] = (await Promise.all(joint)) as [Buffer, Buffer, Buffer];
        first.fill(0);
        assert.equal(second.toString(), "value");
        second.fill(0);
        assert.equal(third.toString(), "value");
      }
    });

    test("getOrSet rejects with factory's error; next call runs factory again", async () => {
      const failing = () => Promise.reject(new Error("no such row"));
      await assert.rejects(cache.getOrSet("failing", failing), /no such row/);
      assert.equal((await cache.getOrSet("failing", () => "now")).toString(), "now");
    });

    test("aborting a signal cancels the call on the server", async () => {
      server.onCall = () => {};
      const before = server.cancelled;
      const controller = new AbortController();
      const response = cache.get("key", { signal: controller.signal });
      await until(() => server.calls.at(-1) === "Get");
      controller.abort();
      assert.equal(codeOf(await response), "Cancelled");
      await until(() => server.cancelled > before);
      server.onCall = (call) => call.answer();
    });

    test("close and await using cancel all pending calls", async () => {
      const cap = withSettings(Configurations.Laptop.latest(), {
        transport,
        maxInFlightUnary: 2,
        maxInFlightPipeline: 2,
        requestTimeoutMs: 30_000,
      });
      let calls: Promise<{ readonly result: string }>[];
      server.onCall = () => {};
      {
        await using closing = clientOf(server, transport, { configuration: cap });
        calls = Array.from({ length: 10 }, () => closing.cache("cache").get("key"));
      }
      server.onCall = (call) => call.answer();
      for (const response of await Promise.all(calls)) assert.equal(codeOf(response), "Cancelled");
    });

    test("metrics report each call once with queue and wire time", async () => {
      const reports: CallReport[] = [];
      const metrics = { callEnded: (report: CallReport) => reports.push(report) };
      await using measured = clientOf(server, transport, { metrics });
      const handle = measured.cache("cache");
      await handle.set("key", "value");
      await handle.get("key");
      assert.deepEqual(
        reports.map(({ operation, result, attempts }) => [operation, result, attempts]),
        [
          ["set", "success", 1],
          ["get", "hit", 1],
        ],
      );
      for (const { durationMs, queueMs, wireMs } of reports) assert.ok(Math.abs(durationMs - queueMs - wireMs) < 1e-6);
      assert.deepEqual([measured.statistics().hits, measured.statistics().misses], [1, 0]);
    });
  });

/** Returns a client behind a proxy. The proxy accepts some connections but never sends anything on them. */
async function behindSilence(transport: "unary" | "pipeline", isSilent: (connections: number) => boolean) {
  const server = await new FakeServer().start();
  const sockets: Socket[] = [];
  const proxy = createServer((socket) => {
    sockets.push(socket.on("error", () => {}));
    if (isSilent(sockets.length)) return;
    socket.pipe(connect(server.port, "127.0.0.1").on("error", () => {})).pipe(socket);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const client = new CacheClient({
    credentials: CredentialProvider.local(`127.0.0.1:${(proxy.address() as AddressInfo).port}`),
    configuration: withSettings(Configurations.Laptop.latest(), {
      transport,
      channels: 1,
      connectTimeoutMs: 400,
      requestTimeoutMs: 60_000,
      keepaliveIntervalMs: "off",
    }),
    defaultTtlMs: 60_000,
  });
  const stop = async () => {
    await client.close();
    for (const socket of sockets) socket.destroy();
    proxy.close();
    await server.stop();
  };
  return { server, client, stop };
}

describe("CacheClient connections", () => {
  test("PIPE-15: falls back to unary calls without pipeline support", async () => {
    const server = await new FakeServer().start();
    server.pipelineSupported = false;
    const events: ConnectionEvent[] = [];
    const metrics = { connectionChanged: (event: ConnectionEvent) => events.push(event) };
    {
      await using client = clientOf(server, "auto", { metrics });
      const cache = client.cache("cache");
      const responses = await Promise.all([1, 2, 3].map(() => cache.set("key", "value")));
      assert.ok(responses.every(({ result }) => result === "success"));
      assert.equal((await cache.get("key")).result, "hit");
      assert.equal(client.statistics().inFlightLimit, 100);
    }
    assert.equal(events.filter(({ kind }) => kind === "pipelineUnsupported").length, 1);
    await server.stop();
  });

  test("accepts a URL as credentials", async () => {
    const server = await new FakeServer().start();
    const options = { configuration: Configurations.Laptop.latest(), defaultTtlMs: 60_000 };
    const client = new CacheClient({ ...options, credentials: `http://${server.endpoint}` });
    assert.ok((await client.cache("cache").get("k")) instanceof Miss);
    await client.close();
    await server.stop();
    for (const [credentials, message] of [
      ["ftp://127.0.0.1", /ftp/],
      ["", /address/],
      [7, /must be a URL or a CredentialProvider/],
    ] as const)
      assert.throws(() => new CacheClient({ ...options, credentials: credentials as string }), message);
  });

  test("error names the missing argument", async () => {
    const client = new CacheClient({
      ...{ configuration: Configurations.Laptop.latest(), defaultTtlMs: 60_000 },
      credentials: "http://127.0.0.1:1",
    });
    const cache = client.cache("cache");
    const calls = cache as unknown as Record<"set" | "get", (...given: unknown[]) => Promise<unknown>>;
    await assert.rejects(async () => calls.set("k"), /the value is missing/);
    await assert.rejects(async () => calls.get(), /the key is missing/);
    await assert.rejects(async () => calls.set("k", []), /must be a string or a Uint8Array, not an array/);
    await client.close();
  });

  test("connect rejects with ECONNREFUSED if no server listens", async () => {
    const server = await new FakeServer().start();
    const { endpoint } = server;
    await server.stop();
    const client = new CacheClient({
      credentials: CredentialProvider.local(endpoint),
      configuration: Configurations.Laptop.latest(),
      defaultTtlMs: 1_000,
    });
    await assert.rejects(client.connect(10_000), /ECONNREFUSED/);
    await client.close();
  });

  test("opens enough unary connections for the configured concurrency limit", async () => {
    for (const [channels, maxInFlightUnary, connections] of [
      [3, 100, 3],
      [0, 100, 1],
      [0, 101, 2],
      [2, 250, 3],
      [0, "off", 1],
    ] as const) {
      const server = await new FakeServer().start();
      const configuration = withSettings(Configurations.Laptop.latest(), { channels, maxInFlightUnary });
      await using client = clientOf(server, "unary", {
        configuration: withSettings(configuration, { transport: "unary" }),
      });
      await client.connect();
      assert.equal(server.connections, connections);
      await client.close();
      await server.stop();
    }
  });

  test("sends the configured headers with every call", async () => {
    for (const transport of ["unary", "pipeline"] as const) {
      const server = await new FakeServer().start();
      const configuration = withSettings(Configurations.Laptop.latest(), {
        transport,
        headers: { "x-tenant": "seven" },
      });
      {
        await using client = clientOf(server, transport, { configuration });
        assert.equal((await client.cache("cache").set("key", "value")).result, "success");
      }
      assert.ok(server.headers.length > 0);
      assert.ok(server.headers.every((headers) => headers["x-tenant"] === "seven"));
      await server.stop();
    }
  });

  for (const transport of ["unary", "pipeline"] as const) {
    test(`calls succeed after a silent connection attempt: ${transport}`, async () => {
      const { server, client, stop } = await behindSilence(transport, (connections) => connections === 1);
      const cache = client.cache("cache");
      const calls = [cache.set("key", "value"), cache.increment("n")];
      for (const { result } of await Promise.all(calls)) assert.equal(result, "success");
      assert.equal(server.calls.filter((rpc) => rpc === "Increment").length, 1);
      await stop();
    });

    test(`connect succeeds after a silent connection attempt: ${transport}`, async () => {
      const { client, stop } = await behindSilence(transport, (connections) => connections === 1);
      await client.connect(20_000);
      assert.equal(client.statistics().connections, 1);
      await stop();
    });

    test(`client reconnects when a silent server responds again: ${transport}`, async () => {
      let isSilent = true;
      const { client, stop } = await behindSilence(transport, () => isSilent);
      const cache = client.cache("cache");
      const code = async () => codeOf(await cache.get("key", { timeoutMs: 3_000 }));
      while ((await code()) !== "Unavailable");
      // Calls now fail immediately. One of them also starts an attempt to connect.
      for (let i = 0; i < 50; i++) {
        assert.equal(await code(), "Unavailable");
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      isSilent = false;
      let result = "error";
      for (let i = 0; i < 200 && result === "error"; i++) {
        ({ result } = await cache.get("key", { timeoutMs: 3_000 }));
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      assert.equal(result, "miss");
      await stop();
    });
  }
});
