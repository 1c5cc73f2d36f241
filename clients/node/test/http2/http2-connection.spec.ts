import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import type { Failure } from "../../src/client/errors.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { CredentialProvider } from "../../src/configuration/credential-provider.js";
import { Http2Connection } from "../../src/http2/http2-connection.js";
import { Http2Stream } from "../../src/http2/http2-stream.js";
import { until } from "../support/fake-server.js";
import { FrameServer, miss } from "../support/frame-server.js";

/** A stream that records its events. */
class WrittenStream extends Http2Stream {
  readonly told: string[] = [];

  headersReceived(): null {
    this.told.push("headers");
    return null;
  }
  dataReceived(bytes: Buffer): null {
    this.told.push(`${bytes.length} bytes`);
    return null;
  }
  completed(): void {
    this.told.push("whole");
  }
  failed({ notExecuted }: Failure): void {
    this.told.push(notExecuted ? "not executed" : "failed");
  }
}

/** Connects to a server. Returns the connection and its events. */
async function connected(server: FrameServer, firstId?: number) {
  const told: string[] = [];
  const connection = new Http2Connection(
    CredentialProvider.local(server.endpoint),
    Configurations.Laptop.latest(),
    {
      opened: () => told.push("opened"),
      capacityAvailable: () => {},
      draining: () => told.push("draining"),
      ended: () => told.push("ended"),
    },
    firstId,
  );
  await until(() => connection.isOpen);
  const begin = () => {
    const stream = new WrittenStream();
    connection.start(stream, { path: "/a", metadata: [], timeoutMs: 1_000, message: Buffer.alloc(5) });
    return stream;
  };
  return { connection, told, begin };
}

describe("Http2Connection", () => {
  test("stream receives headers, data and end in order", async () => {
    await using server = await new FrameServer().start();
    const { connection, begin } = await connected(server);
    const { told } = begin();
    await until(() => told.includes("whole"));
    assert.deepEqual(told, ["headers", `${miss.length} bytes`, "headers", "whole"]);
    connection.close();
  });

  test("connection drains when its stream ids are exhausted", async () => {
    await using server = await new FrameServer().start();
    const { connection, told, begin } = await connected(server, 2 ** 31 - 3);
    begin();
    assert.equal(connection.hasCapacity, true);
    const last = begin();
    assert.equal(connection.hasCapacity, false);
    await until(() => told.includes("ended"));
    assert.deepEqual(told, ["opened", "draining", "ended"]);
    assert.equal(last.told.at(-1), "whole");
  });

  test("close marks only unsent streams as not executed", async () => {
    await using server = await new FrameServer().start();
    server.onRequest = () => {};
    const { connection, begin } = await connected(server);
    const sent = begin();
    await until(() => server.peers[0]!.dataBytes.size === 1);
    const unsent = begin();
    connection.close();
    assert.deepEqual(sent.told, ["failed"]);
    assert.deepEqual(unsent.told, ["not executed"]);
  });

  test("cancelled stream receives no further events", async () => {
    await using server = await new FrameServer().start();
    const { connection, begin } = await connected(server);
    const given = begin();
    connection.cancel(given);
    const next = begin();
    await until(() => next.told.includes("whole"));
    assert.deepEqual(given.told, []);
    connection.close();
  });
});
