// Tests the connection of unary calls. The server sends raw HTTP/2 frames.
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, test } from "node:test";
import { ErrorResponse } from "../../src/client/responses.js";
import {
  FrameFlag,
  FrameType,
  frameOf,
  Setting,
  settingsFrame,
  windowUpdateFrame,
} from "../../src/http2/http2-frames.js";
import { frame, until } from "../support/fake-server.js";
import { FrameServer, miss, numbers, okHead, unaryClientOf } from "../support/frame-server.js";

describe("unary connection", () => {
  test("RETRY-3: refused stream is retried even for increments", async () => {
    await using server = await new FrameServer().start();
    server.onRequest = ({ stream }, peer) =>
      stream === 1 ? peer.reset(stream, 7) : peer.answer(stream, { message: frame(Buffer.from([8, 1])) });
    await using client = unaryClientOf(server, { maxRetries: 3 });
    assert.equal((await client.cache("cache").increment("n")).result, "success");
  });

  test("after GOAWAY, started calls complete and others are retried elsewhere", async () => {
    await using server = await new FrameServer().start();
    const one = frame(Buffer.from([8, 1]));
    const begun: number[] = [];
    server.onRequest = ({ stream }, peer) => {
      if (peer !== server.peers[0]) peer.answer(stream, { message: one });
      else if (begun.push(stream) === 2) {
        peer.goaway(1);
        peer.answer(1, { message: one });
      }
    };
    await using client = unaryClientOf(server, { maxRetries: 3 });
    const cache = client.cache("cache");
    const calls = await Promise.all([cache.increment("n"), cache.increment("n")]);
    assert.deepEqual(
      calls.map(({ result }) => result),
      ["success", "success"],
    );
    assert.equal(server.peers.length, 2);
    await until(() => server.peers[0]!.socket.destroyed);
  });

  test("LIM-6: concurrent streams never exceed the server's limit or 100", async () => {
    for (const [allowed, most] of [
      [3, 3],
      [1_000, 100],
    ] as const) {
      await using server = await new FrameServer().start();
      server.greeting = () => settingsFrame([[Setting.maxConcurrentStreams, allowed]]);
      let seen = 0;
      let open: (() => void)[] = [];
      server.onRequest = ({ stream }, peer) => {
        seen = Math.max(
          seen,
          open.push(() => peer.answer(stream)),
        );
        if (open.length !== most) return;
        // Wait for one turn of the event loop before answering. Calls beyond the limit would have arrived by then.
        setImmediate(() => {
          const answers = open;
          open = [];
          for (const answer of answers) answer();
        });
      };
      await using client = unaryClientOf(server, { maxInFlightUnary: 100 });
      const calls = Array.from({ length: most * 5 }, () => client.cache("cache").get("key"));
      for (const { result } of await Promise.all(calls)) assert.equal(result, "miss");
      assert.equal(seen, most);
    }
  });

  test("large value waits for flow control while small calls continue", async () => {
    await using server = await new FrameServer().start();
    const stored = frame(Buffer.from([8, 1]));
    let received = 0;
    server.onRequest = ({ stream, message }, peer) => {
      received = Math.max(received, message.length);
      peer.answer(stream, { message: message.length > 100_000 ? stored : miss });
    };
    server.greeting = () => Buffer.concat([settingsFrame([]), windowUpdateFrame(0, 10_000_000)]);
    await using client = unaryClientOf(server);
    const cache = client.cache("cache");
    const set = cache.set("key", Buffer.alloc(1_000_000));
    await until(() => server.peers[0]?.dataBytes.get(1) === 65_535);
    assert.equal((await cache.get("key")).result, "miss");
    assert.equal(server.peers[0]!.dataBytes.get(1), 65_535);
    const [peer] = server.peers;
    peer!.send(settingsFrame([[Setting.initialWindowSize, 100_000]]));
    await until(() => peer!.dataBytes.get(1) === 100_000);
    peer!.send(windowUpdateFrame(1, 1_000_000));
    assert.equal((await set).result, "success");
    assert.ok(received > 1_000_000);
  });

  test("aborted call resets its stream and stops sending", async () => {
    await using server = await new FrameServer().start();
    await using client = unaryClientOf(server);
    const cache = client.cache("cache");
    const controller = new AbortController();
    const set = cache.set("key", Buffer.alloc(1_000_000), { signal: controller.signal });
    await until(() => server.peers[0]?.dataBytes.get(1) === 65_535);
    controller.abort();
    const response = await set;
    assert.equal(response instanceof ErrorResponse && response.error.code, "Cancelled");
    const reset = numbers(FrameType.rstStream, 1, 8).subarray(9);
    await until(() => server.peers[0]!.frames.some(({ type, payload }) => type === 3 && payload.equals(reset)));
    server.peers[0]!.send(windowUpdateFrame(0, 1_000_000));
    assert.equal((await cache.get("key")).result, "miss");
    assert.equal(server.peers[0]!.dataBytes.get(1), 65_535);
  });

  test("client stops sending a request after an early response", async () => {
    await using server = await new FrameServer().start();
    await using client = unaryClientOf(server);
    const set = client.cache("cache").set("key", Buffer.alloc(1_000_000));
    await until(() => server.peers[0]?.dataBytes.get(1) === 65_535);
    server.peers[0]!.headers(1, { ...okHead, "grpc-status": "8", "grpc-message": "too large" }, true);
    const response = await set;
    assert.equal(response instanceof ErrorResponse && response.error.code, "LimitExceeded");
    await until(() => server.peers[0]!.frames.some(({ type }) => type === FrameType.rstStream));
  });

  test("every call sends all headers and compresses repeated ones", async () => {
    await using server = await new FrameServer().start();
    const came: Readonly<Record<string, string>>[] = [];
    server.onRequest = ({ stream, headers }, peer) => {
      came.push(headers);
      peer.answer(stream);
    };
    await using client = unaryClientOf(server, { headers: { "x-long": "v".repeat(200) } });
    for (const cache of ["one", "two", "one", "one", "one"]) await client.cache(cache).get("key");
    const [, second] = came;
    assert.equal(second!.cache, "two");
    assert.equal(second![":path"], "/cache_client.Scs/Get");
    assert.equal(second![":authority"], server.endpoint);
    assert.equal(second!.te, "trailers");
    assert.match(second!["grpc-timeout"]!, /^(30000|2\d{4})m$/);
    assert.deepEqual(
      came.map((headers) => headers["x-long"]),
      Array(5).fill("v".repeat(200)),
    );
    const blocks = server.peers[0]!.frames.filter(({ type }) => type === FrameType.headers);
    assert.ok(blocks[0]!.payload.length > 300);
    assert.ok(blocks[4]!.payload.length < 30, `${blocks[4]!.payload.length} bytes`);
  });

  test("requests respect a header table size reduced by the server", async () => {
    await using server = await new FrameServer().start();
    server.greeting = () => settingsFrame([[Setting.headerTableSize, 100]]);
    const caches: string[] = [];
    server.onRequest = ({ stream, headers }, peer) => {
      caches.push(headers.cache!);
      if (caches.length === 2) peer.send(settingsFrame([[Setting.headerTableSize, 0]]));
      peer.answer(stream);
    };
    await using client = unaryClientOf(server);
    for (let i = 0; i < 4; i++) await client.cache("cache").get("key");
    assert.deepEqual(caches, Array(4).fill("cache"));
  });

  test("headers larger than a frame are split", async () => {
    await using server = await new FrameServer().start();
    await using client = unaryClientOf(server, { headers: { "x-long": "v".repeat(20_000) } });
    assert.equal((await client.cache("cache").get("key")).result, "miss");
    const [first, second] = server.peers[0]!.frames.filter(({ stream }) => stream === 1);
    assert.equal(first!.payload.length, 16_384);
    assert.equal(first!.flags & FrameFlag.endHeaders, 0);
    assert.equal(second!.flags & FrameFlag.endHeaders, FrameFlag.endHeaders);
  });

  for (const [what, frames] of [
    ["frame of an unopened stream", [frameOf(FrameType.headers, 4, 9_999, Buffer.alloc(0))]],
    ["window overflow", [windowUpdateFrame(0, 2 ** 31 - 1)]],
    ["server push", [frameOf(FrameType.pushPromise, 4, 1, Buffer.alloc(4))]],
    ["invalid ping", [frameOf(FrameType.ping, 0, 0, Buffer.alloc(7))]],
    ["endless headers", Array(20).fill(frameOf(FrameType.headers, 0, 1, Buffer.alloc(10_000)))],
    [
      "endless continuations",
      [
        frameOf(FrameType.headers, 0, 1, Buffer.alloc(10_000)),
        ...Array(20).fill(frameOf(FrameType.continuation, 0, 1, Buffer.alloc(10_000))),
      ],
    ],
  ] as readonly (readonly [string, readonly Buffer[]])[])
    test(`${what} closes the connection; later calls use a new one`, async () => {
      await using server = await new FrameServer().start();
      server.onRequest = ({ stream }, peer) => (peer === server.peers[0] ? peer.send(...frames) : peer.answer(stream));
      await using client = unaryClientOf(server);
      const cache = client.cache("cache");
      const response = await cache.get("key");
      assert.equal(response instanceof ErrorResponse && response.error.code, "Unavailable");
      assert.match(response instanceof ErrorResponse ? response.error.message : "", /HTTP\/2 protocol error/);
      assert.equal((await cache.get("key")).result, "miss");
      assert.equal(server.peers.length, 2);
    });

  test("idle unclosed client does not keep the process alive", async () => {
    await using server = await new FrameServer().start();
    const client = JSON.stringify(new URL("../../src/index.js", import.meta.url).href);
    const program = `
      const { CacheClient, Configurations, CredentialProvider, withSettings } = await import(${client});
      const credentials = CredentialProvider.local("${server.endpoint}");
      const settings = { transport: "unary", requestTimeoutMs: 300 };
      const configuration = withSettings(Configurations.Laptop.latest(), settings);
      const client = new CacheClient({ credentials, configuration, defaultTtlMs: 1_000 });
      await client.cache("cache").get("key");
    `;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: "inherit" });
    const [code] = await once(child, "exit");
    assert.equal(code, 0);
    assert.equal(server.peers.length, 1);
  });

  test("server that sends endless pings without reading is disconnected", async () => {
    await using server = await new FrameServer().start();
    const pings = Buffer.concat(Array(100_000).fill(frameOf(FrameType.ping, 0, 0, Buffer.alloc(8))));
    server.onRequest = (_, peer) => {
      peer.socket.pause();
      const flood = () => {
        if (!peer.socket.destroyed) peer.socket.write(pings, () => setImmediate(flood));
      };
      flood();
    };
    await using client = unaryClientOf(server, { keepaliveIntervalMs: "off" });
    const response = await client.cache("cache").get("key");
    assert.match(response instanceof ErrorResponse ? response.error.message : "", /does not read|connection was/);
  });
});
