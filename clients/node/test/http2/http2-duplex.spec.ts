import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, test } from "node:test";
import type { Configuration } from "../../src/configuration/configuration.js";
import { withSettings } from "../../src/configuration/configuration-check.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { CredentialProvider } from "../../src/configuration/credential-provider.js";
import { encodeHeaders } from "../../src/http2/hpack.js";
import { Http2Duplex } from "../../src/http2/http2-duplex.js";
import { FrameFlag, FrameType, frameOf, settingsFrame } from "../../src/http2/http2-frames.js";
import { FrameServer, okHead } from "../support/frame-server.js";

/** Connects with the credentials that `text` contains. Returns the error message when the connection fails. */
function endOf(text: string, changes: Partial<Configuration> = {}): Promise<string> {
  const settings = withSettings(Configurations.Laptop.latest(), changes);
  return new Promise((resolve) => {
    new Http2Duplex(CredentialProvider.fromString(text), "/path", {}, settings, {
      opened: () => {},
      data: () => {},
      ended: (failure) => resolve(failure.message),
    });
  });
}

describe("failed Http2Duplex connections", () => {
  test("connection to a silent server fails after connectTimeoutMs", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    assert.match(await endOf(`http://127.0.0.1:${port}`, { connectTimeoutMs: 20 }), /no connection within 20 ms/);
    server.close();
  });

  test("connection error is reported and hints at missing TLS", async () => {
    // A server without TLS closes the connection if it receives unknown input. This server closes it on any input.
    const server = createServer((socket) => socket.once("data", () => socket.destroy())).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    assert.match(await endOf(`https://127.0.0.1:${port}`), /^cannot connect: .*if the server does not use TLS/);
    server.close();
    await once(server, "close");
    const refused = await endOf(`https://127.0.0.1:${port}`);
    assert.match(refused, /^cannot connect: connect ECONNREFUSED/);
    assert.doesNotMatch(refused, /TLS/);
  });
});

describe("content-length of a response", () => {
  const headers = (fields: readonly (readonly [string, string])[], flags: number) =>
    frameOf(FrameType.headers, FrameFlag.endHeaders | flags, 1, encodeHeaders(fields));

  for (const [what, told, expected] of [
    ["longer than its content-length fails", ["1"], /differs from its content-length/],
    ["shorter than its content-length fails", ["3"], /differs from its content-length/],
    ["as long as its content-length is accepted", ["2"], /^the stream is over$/],
    ["as long as two equal content-lengths is accepted", ["2", "2"], /^the stream is over$/],
    ["as long as only the last of two content-lengths fails", ["3", "2"], /differs from its content-length/],
    ["as long as only two of three content-lengths fails", ["2", "3", "2"], /differs from its content-length/],
  ] as const)
    test(`response body ${what}`, async () => {
      await using server = await new FrameServer().start();
      server.greeting = () =>
        Buffer.concat([
          settingsFrame([]),
          headers([...Object.entries(okHead), ...told.map((length) => ["content-length", length] as const)], 0),
          frameOf(FrameType.data, 0, 1, Buffer.from("ab")),
          headers(
            [
              ["grpc-status", "14"],
              ["grpc-message", "the stream is over"],
            ],
            FrameFlag.endStream,
          ),
        ]);
      assert.match(await endOf(`http://${server.endpoint}`), expected);
    });
});
