// What a unary call makes of each thing that a server may send: a server of bare frames plays it.
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import { deflateSync, gzipSync } from "node:zlib";
import { CacheClient } from "../src/client.js";
import { type Configuration, withSettings } from "../src/configuration.js";
import { Configurations } from "../src/configurations.js";
import { CredentialProvider } from "../src/credential-provider.js";
import { FrameFlag, FrameType, frameOf, Setting, settingsFrame } from "../src/http2-frames.js";
import { ErrorResponse } from "../src/responses.js";
import { frame, until } from "./fake-server.js";
import { type FramePeer, FrameServer, miss, numbers, okHead, windowUpdateFrame } from "./frame-server.js";

function clientOf({ endpoint }: FrameServer, changes: Partial<Configuration> = {}): CacheClient {
  return new CacheClient({
    credentials: CredentialProvider.local(endpoint),
    configuration: withSettings(Configurations.Laptop.latest(), {
      transport: "unary",
      requestTimeoutMs: 30_000,
      channels: 1,
      maxRetries: 0,
      ...changes,
    }),
    defaultTtlMs: 60_000,
  });
}

/** How a get ends that is answered so. */
async function ending(answer: (stream: number, peer: FramePeer) => void) {
  await using server = await new FrameServer().start();
  server.onRequest = ({ stream }, peer) => answer(stream, peer);
  await using client = clientOf(server);
  const response = await client.get("cache", "key");
  if (!(response instanceof ErrorResponse)) return { code: response.result, message: "", cause: undefined };
  return response.error;
}

const resets: readonly (readonly [name: string, http2Code: number, code: string])[] = [
  ["NO_ERROR", 0, "Internal"],
  ["PROTOCOL_ERROR", 1, "Internal"],
  ["INTERNAL_ERROR", 2, "Internal"],
  ["REFUSED_STREAM", 7, "Unavailable"],
  ["CANCEL", 8, "Cancelled"],
  ["ENHANCE_YOUR_CALM", 11, "LimitExceeded"],
  ["INADEQUATE_SECURITY", 12, "PermissionDenied"],
];

describe("how a stream ends", () => {
  for (const [name, http2Code, expected] of resets)
    test(`a reset with ${name} is ${expected}`, async () => {
      const { code, message } = await ending((stream, peer) => peer.reset(stream, http2Code));
      assert.equal(code, expected);
      assert.match(message, new RegExp(name));
    });

  test("a status in the only headers, with a message of any characters and a cause", async () => {
    const { code, message, cause } = await ending((stream, peer) =>
      peer.headers(stream, { ...okHead, "grpc-status": "5", "grpc-message": "no caf%C3%A9, 100%25", err: "why" }, true),
    );
    assert.equal(code, "NotFound");
    assert.match(message, /no café, 100%/);
    assert.equal(cause, "why");
  });

  for (const [http, expected] of [
    ["401", "Unauthenticated"],
    ["404", "Unknown"],
    ["503", "Unavailable"],
    ["302", "Unknown"],
  ] as const)
    test(`an answer that is HTTP ${http} and no gRPC is ${expected}`, async () => {
      const { code, message } = await ending((stream, peer) =>
        peer.headers(stream, { ":status": http, "content-type": "text/html" }, true),
      );
      assert.equal(code, expected);
      assert.match(message, new RegExp(`HTTP ${http} with content type text/html`));
    });

  test("another content type is no gRPC, though it is HTTP 200", async () => {
    const { code } = await ending((stream, peer) =>
      peer.headers(stream, { ":status": "200", "content-type": "text/html" }, false),
    );
    assert.equal(code, "Unknown");
  });

  test("an interim answer is passed over", async () => {
    const { code } = await ending((stream, peer) => {
      peer.headers(stream, { ":status": "103" }, false);
      peer.answer(stream);
    });
    assert.equal(code, "miss");
  });

  for (const [what, answer] of [
    ["no status", (stream, peer) => peer.send(frameOf(FrameType.headers, 5, stream, Buffer.alloc(0)))],
    ["data before headers", (stream, peer) => peer.data(stream, miss)],
    ["no trailers", (stream, peer) => peer.headers(stream, okHead, true)],
    [
      "headers where none may come",
      (stream, peer) => {
        peer.headers(stream, okHead, false);
        peer.headers(stream, okHead, false);
      },
    ],
    ["no message", (stream, peer) => peer.headers(stream, { ...okHead, "grpc-status": "0" }, true)],
    ["a message that is cut short", (stream, peer) => peer.answer(stream, { message: miss.subarray(0, 6) })],
    ["two messages", (stream, peer) => peer.answer(stream, { message: Buffer.concat([miss, miss]) })],
    ["bytes that are no message", (stream, peer) => peer.answer(stream, { message: frame(Buffer.from([255])) })],
    ["a message with an unknown flag", (stream, peer) => peer.answer(stream, { message: Buffer.alloc(5, 2) })],
  ] as readonly (readonly [string, (stream: number, peer: FramePeer) => void])[])
    test(`${what}: Internal, and the connection goes on`, async () => {
      await using server = await new FrameServer().start();
      server.onRequest = ({ stream }, peer) => (stream === 1 ? answer(stream, peer) : peer.answer(stream));
      await using client = clientOf(server);
      const response = await client.get("cache", "key");
      assert.equal(response instanceof ErrorResponse && response.error.code, "Internal");
      assert.equal((await client.get("cache", "key")).result, "miss");
      assert.equal(server.peers.length, 1);
    });

  test("a message of one byte too many is refused at its header, and its stream ended", async () => {
    const header = Buffer.alloc(5);
    header.writeUInt32BE(11_010_049, 1);
    await using server = await new FrameServer().start();
    server.onRequest = ({ stream }, peer) => {
      peer.headers(stream, okHead, false);
      peer.data(stream, header);
    };
    await using client = clientOf(server);
    const response = await client.get("cache", "key");
    assert.equal(response instanceof ErrorResponse && response.error.code, "LimitExceeded");
    await until(() => server.peers[0]!.frames.some(({ type }) => type === FrameType.rstStream));
  });

  test("an answer in pieces is read as one in one", async () => {
    const { code } = await ending((stream, peer) => {
      peer.headers(stream, okHead, false);
      for (const byte of miss) peer.data(stream, Buffer.from([byte]));
      peer.headers(stream, { "grpc-status": "0" }, true);
    });
    assert.equal(code, "miss");
  });
});

describe("compressed answers", () => {
  const compressed = (bytes: Buffer) => {
    const message = frame(bytes);
    message[0] = 1;
    return message;
  };
  for (const [encoding, compress] of [
    ["gzip", gzipSync],
    ["deflate", deflateSync],
  ] as const) {
    test(`${encoding} is read`, async () => {
      const message = compressed(compress(Buffer.from([8, 3])));
      const { code } = await ending((stream, peer) =>
        peer.answer(stream, { message, head: { "grpc-encoding": encoding } }),
      );
      assert.equal(code, "miss");
    });

    test(`LIM-5: ${encoding} that inflates past the limit is LimitExceeded`, async () => {
      const message = compressed(compress(Buffer.alloc(12_000_000)));
      const { code } = await ending((stream, peer) =>
        peer.answer(stream, { message, head: { "grpc-encoding": encoding } }),
      );
      assert.equal(code, "LimitExceeded");
    });

    test(`what says ${encoding} and is none is Internal`, async () => {
      const { code } = await ending((stream, peer) =>
        peer.answer(stream, { message: compressed(miss), head: { "grpc-encoding": encoding } }),
      );
      assert.equal(code, "Internal");
    });
  }

  test("an encoding that was never accepted is Internal", async () => {
    const { code } = await ending((stream, peer) =>
      peer.answer(stream, { message: compressed(miss), head: { "grpc-encoding": "snappy" } }),
    );
    assert.equal(code, "Internal");
  });
});

describe("a connection of unary calls", () => {
  test("RETRY-3: a refused stream never ran, so that what may not run twice is sent again", async () => {
    await using server = await new FrameServer().start();
    server.onRequest = ({ stream }, peer) =>
      stream === 1 ? peer.reset(stream, 7) : peer.answer(stream, { message: frame(Buffer.from([8, 1])) });
    await using client = clientOf(server, { maxRetries: 3 });
    assert.equal((await client.increment("cache", "n")).result, "success");
  });

  test("GOAWAY: what it says was not begun is sent again elsewhere, what was begun is answered there", async () => {
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
    await using client = clientOf(server, { maxRetries: 3 });
    const calls = await Promise.all([client.increment("cache", "n"), client.increment("cache", "n")]);
    assert.deepEqual(
      calls.map(({ result }) => result),
      ["success", "success"],
    );
    assert.equal(server.peers.length, 2);
    await until(() => server.peers[0]!.socket.destroyed);
  });

  test("LIM-6: no more streams at once than the server allows, and never over 100", async () => {
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
        // Those that are too many would have come with them.
        setImmediate(() => {
          const answers = open;
          open = [];
          for (const answer of answers) answer();
        });
      };
      await using client = clientOf(server, { maxInFlightUnary: 100 });
      const calls = Array.from({ length: most * 5 }, () => client.get("cache", "key"));
      for (const { result } of await Promise.all(calls)) assert.equal(result, "miss");
      assert.equal(seen, most);
    }
  });

  test("a value waits for the server's windows, and what is small goes past it", async () => {
    await using server = await new FrameServer().start();
    const stored = frame(Buffer.from([8, 1]));
    let received = 0;
    server.onRequest = ({ stream, message }, peer) => {
      received = Math.max(received, message.length);
      peer.answer(stream, { message: message.length > 100_000 ? stored : miss });
    };
    server.greeting = () => Buffer.concat([settingsFrame([]), windowUpdateFrame(0, 10_000_000)]);
    await using client = clientOf(server);
    const set = client.set("cache", "key", Buffer.alloc(1_000_000));
    await until(() => server.peers[0]?.dataBytes.get(1) === 65_535);
    assert.equal((await client.get("cache", "key")).result, "miss");
    assert.equal(server.peers[0]!.dataBytes.get(1), 65_535);
    const [peer] = server.peers;
    peer!.send(settingsFrame([[Setting.initialWindowSize, 100_000]]));
    await until(() => peer!.dataBytes.get(1) === 100_000);
    peer!.send(windowUpdateFrame(1, 1_000_000));
    assert.equal((await set).result, "success");
    assert.ok(received > 1_000_000);
  });

  test("a call that its caller gives up is reset, and the rest of its value is not sent", async () => {
    await using server = await new FrameServer().start();
    await using client = clientOf(server);
    const controller = new AbortController();
    const set = client.set("cache", "key", Buffer.alloc(1_000_000), { signal: controller.signal });
    await until(() => server.peers[0]?.dataBytes.get(1) === 65_535);
    controller.abort();
    const response = await set;
    assert.equal(response instanceof ErrorResponse && response.error.code, "Cancelled");
    const reset = numbers(FrameType.rstStream, 1, 8).subarray(9);
    await until(() => server.peers[0]!.frames.some(({ type, payload }) => type === 3 && payload.equals(reset)));
    server.peers[0]!.send(windowUpdateFrame(0, 1_000_000));
    assert.equal((await client.get("cache", "key")).result, "miss");
    assert.equal(server.peers[0]!.dataBytes.get(1), 65_535);
  });

  test("an answer before the end of its request ends it: the rest is not sent", async () => {
    await using server = await new FrameServer().start();
    await using client = clientOf(server);
    const set = client.set("cache", "key", Buffer.alloc(1_000_000));
    await until(() => server.peers[0]?.dataBytes.get(1) === 65_535);
    server.peers[0]!.headers(1, { ...okHead, "grpc-status": "8", "grpc-message": "too large" }, true);
    const response = await set;
    assert.equal(response instanceof ErrorResponse && response.error.code, "LimitExceeded");
    await until(() => server.peers[0]!.frames.some(({ type }) => type === FrameType.rstStream));
  });

  test("each call has its deadline, its cache and its path; what repeats is sent once", async () => {
    await using server = await new FrameServer().start();
    const came: Readonly<Record<string, string>>[] = [];
    server.onRequest = ({ stream, headers }, peer) => {
      came.push(headers);
      peer.answer(stream);
    };
    await using client = clientOf(server, { headers: { "x-long": "v".repeat(200) } });
    for (const cache of ["one", "two", "one", "one", "one"]) await client.get(cache, "key");
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

  test("a server whose header table is smaller, or is made smaller, reads every call", async () => {
    await using server = await new FrameServer().start();
    server.greeting = () => settingsFrame([[Setting.headerTableSize, 100]]);
    const caches: string[] = [];
    server.onRequest = ({ stream, headers }, peer) => {
      caches.push(headers.cache!);
      if (caches.length === 2) peer.send(settingsFrame([[Setting.headerTableSize, 0]]));
      peer.answer(stream);
    };
    await using client = clientOf(server);
    for (let i = 0; i < 4; i++) await client.get("cache", "key");
    assert.deepEqual(caches, Array(4).fill("cache"));
  });

  test("headers of more than a frame are sent in several", async () => {
    await using server = await new FrameServer().start();
    await using client = clientOf(server, { headers: { "x-long": "v".repeat(20_000) } });
    assert.equal((await client.get("cache", "key")).result, "miss");
    const [first, second] = server.peers[0]!.frames.filter(({ stream }) => stream === 1);
    assert.equal(first!.payload.length, 16_384);
    assert.equal(first!.flags & FrameFlag.endHeaders, 0);
    assert.equal(second!.flags & FrameFlag.endHeaders, FrameFlag.endHeaders);
  });

  for (const [what, frames] of [
    ["a frame of a stream that was never opened", [frameOf(FrameType.headers, 4, 9_999, Buffer.alloc(0))]],
    ["a window past its bound", [windowUpdateFrame(0, 2 ** 31 - 1)]],
    ["a push", [frameOf(FrameType.pushPromise, 4, 1, Buffer.alloc(4))]],
    ["a broken ping", [frameOf(FrameType.ping, 0, 0, Buffer.alloc(7))]],
    ["headers without an end", Array(20).fill(frameOf(FrameType.headers, 0, 1, Buffer.alloc(10_000)))],
    [
      "endless continuations",
      [
        frameOf(FrameType.headers, 0, 1, Buffer.alloc(10_000)),
        ...Array(20).fill(frameOf(FrameType.continuation, 0, 1, Buffer.alloc(10_000))),
      ],
    ],
  ] as readonly (readonly [string, readonly Buffer[]])[])
    test(`${what} ends the connection, and calls go on over another`, async () => {
      await using server = await new FrameServer().start();
      server.onRequest = ({ stream }, peer) => (peer === server.peers[0] ? peer.send(...frames) : peer.answer(stream));
      await using client = clientOf(server);
      const response = await client.get("cache", "key");
      assert.equal(response instanceof ErrorResponse && response.error.code, "Unavailable");
      assert.match(response instanceof ErrorResponse ? response.error.message : "", /broke HTTP\/2/);
      assert.equal((await client.get("cache", "key")).result, "miss");
      assert.equal(server.peers.length, 2);
    });

  test("a server that asks for answers and reads none is given up", async () => {
    await using server = await new FrameServer().start();
    const pings = Buffer.concat(Array(100_000).fill(frameOf(FrameType.ping, 0, 0, Buffer.alloc(8))));
    server.onRequest = (_, peer) => {
      peer.socket.pause();
      const flood = () => {
        if (!peer.socket.destroyed) peer.socket.write(pings, () => setImmediate(flood));
      };
      flood();
    };
    await using client = clientOf(server, { keepaliveIntervalMs: "off" });
    const response = await client.get("cache", "key");
    assert.match(response instanceof ErrorResponse ? response.error.message : "", /does not read|connection was/);
  });
});
