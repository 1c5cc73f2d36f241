// Tests how a unary call handles each response. The server sends raw HTTP/2 frames.
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import { deflateSync, gzipSync } from "node:zlib";
import { ErrorResponse } from "../../src/client/responses.js";
import { FrameType, frameOf } from "../../src/http2/http2-frames.js";
import { frame, until } from "../support/fake-server.js";
import { type FramePeer, FrameServer, miss, okHead, unaryClientOf } from "../support/frame-server.js";

/** Returns the outcome of a get that the server answers in this way. */
async function ending(answer: (stream: number, peer: FramePeer) => void) {
  await using server = await new FrameServer().start();
  server.onRequest = ({ stream }, peer) => answer(stream, peer);
  await using client = unaryClientOf(server);
  const response = await client.cache("cache").get("key");
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

describe("responses of a unary stream", () => {
  for (const [name, http2Code, expected] of resets)
    test(`reset with ${name} returns ${expected}`, async () => {
      const { code, message } = await ending((stream, peer) => peer.reset(stream, http2Code));
      assert.equal(code, expected);
      assert.match(message, new RegExp(name));
    });

  test("trailers-only response returns the status, decoded message and error cause", async () => {
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
    test(`HTTP ${http} without gRPC returns ${expected}`, async () => {
      const { code, message } = await ending((stream, peer) =>
        peer.headers(stream, { ":status": http, "content-type": "text/html" }, true),
      );
      assert.equal(code, expected);
      assert.match(message, new RegExp(`HTTP status ${http} with content type text/html`));
    });

  test("HTTP 200 with another content type returns Unknown", async () => {
    const { code } = await ending((stream, peer) =>
      peer.headers(stream, { ":status": "200", "content-type": "text/html" }, false),
    );
    assert.equal(code, "Unknown");
  });

  test("body that matches its content-length is accepted", async () => {
    const { code } = await ending((stream, peer) =>
      peer.answer(stream, { head: { "content-length": String(miss.length) } }),
    );
    assert.equal(code, "miss");
  });

  test("status-only response may declare content-length 0", async () => {
    const { code } = await ending((stream, peer) =>
      peer.headers(stream, { ...okHead, "content-length": "0", "grpc-status": "5" }, true),
    );
    assert.equal(code, "NotFound");
  });

  test("interim response is ignored", async () => {
    const { code } = await ending((stream, peer) => {
      peer.headers(stream, { ":status": "103" }, false);
      peer.answer(stream);
    });
    assert.equal(code, "miss");
  });

  for (const [what, answer] of [
    ["missing status", (stream, peer) => peer.send(frameOf(FrameType.headers, 5, stream, Buffer.alloc(0)))],
    ["data before headers", (stream, peer) => peer.data(stream, miss)],
    ["missing trailers", (stream, peer) => peer.headers(stream, okHead, true)],
    [
      "unexpected headers",
      (stream, peer) => {
        peer.headers(stream, okHead, false);
        peer.headers(stream, okHead, false);
      },
    ],
    ["body shorter than content-length", (stream, peer) => peer.answer(stream, { head: { "content-length": "8" } })],
    ["body longer than content-length", (stream, peer) => peer.answer(stream, { head: { "content-length": "6" } })],
    ["invalid content-length", (stream, peer) => peer.answer(stream, { head: { "content-length": "7x" } })],
    [
      "content-length without a body",
      (stream, peer) => peer.headers(stream, { ...okHead, "content-length": "7", "grpc-status": "0" }, true),
    ],
    ["missing message", (stream, peer) => peer.headers(stream, { ...okHead, "grpc-status": "0" }, true)],
    ["truncated message", (stream, peer) => peer.answer(stream, { message: miss.subarray(0, 6) })],
    ["two messages", (stream, peer) => peer.answer(stream, { message: Buffer.concat([miss, miss]) })],
    ["invalid message", (stream, peer) => peer.answer(stream, { message: frame(Buffer.from([255])) })],
    ["message with an unknown flag", (stream, peer) => peer.answer(stream, { message: Buffer.alloc(5, 2) })],
  ] as readonly (readonly [string, (stream: number, peer: FramePeer) => void])[])
    test(`${what} returns Internal and keeps the connection`, async () => {
      await using server = await new FrameServer().start();
      server.onRequest = ({ stream }, peer) => (stream === 1 ? answer(stream, peer) : peer.answer(stream));
      await using client = unaryClientOf(server);
      const cache = client.cache("cache");
      const response = await cache.get("key");
      assert.equal(response instanceof ErrorResponse && response.error.code, "Internal");
      assert.equal((await cache.get("key")).result, "miss");
      assert.equal(server.peers.length, 1);
    });

  test("stream is reset when the header announces an oversized message", async () => {
    const header = Buffer.alloc(5);
    header.writeUInt32BE(11_010_049, 1);
    await using server = await new FrameServer().start();
    server.onRequest = ({ stream }, peer) => {
      peer.headers(stream, okHead, false);
      peer.data(stream, header);
    };
    await using client = unaryClientOf(server);
    const response = await client.cache("cache").get("key");
    assert.equal(response instanceof ErrorResponse && response.error.code, "LimitExceeded");
    await until(() => server.peers[0]!.frames.some(({ type }) => type === FrameType.rstStream));
  });

  test("response that arrives in single bytes is read", async () => {
    const { code } = await ending((stream, peer) => {
      peer.headers(stream, okHead, false);
      for (const byte of miss) peer.data(stream, Buffer.from([byte]));
      peer.headers(stream, { "grpc-status": "0" }, true);
    });
    assert.equal(code, "miss");
  });
});

describe("compressed responses", () => {
  const compressed = (bytes: Buffer) => {
    const message = frame(bytes);
    message[0] = 1;
    return message;
  };
  for (const [encoding, compress] of [
    ["gzip", gzipSync],
    ["deflate", deflateSync],
  ] as const) {
    test(`${encoding} response is decompressed`, async () => {
      const message = compressed(compress(Buffer.from([8, 3])));
      const { code } = await ending((stream, peer) =>
        peer.answer(stream, { message, head: { "grpc-encoding": encoding } }),
      );
      assert.equal(code, "miss");
    });

    test(`LIM-5: ${encoding} response beyond the size limit returns LimitExceeded`, async () => {
      const message = compressed(compress(Buffer.alloc(12_000_000)));
      const { code } = await ending((stream, peer) =>
        peer.answer(stream, { message, head: { "grpc-encoding": encoding } }),
      );
      assert.equal(code, "LimitExceeded");
    });

    test(`invalid ${encoding} response returns Internal`, async () => {
      const { code } = await ending((stream, peer) =>
        peer.answer(stream, { message: compressed(miss), head: { "grpc-encoding": encoding } }),
      );
      assert.equal(code, "Internal");
    });
  }

  test("response with an unaccepted encoding returns Internal", async () => {
    const { code } = await ending((stream, peer) =>
      peer.answer(stream, { message: compressed(miss), head: { "grpc-encoding": "snappy" } }),
    );
    assert.equal(code, "Internal");
  });
});
