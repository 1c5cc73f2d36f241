import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { Socket } from "node:net";
import { describe, test } from "node:test";
import { FrameType } from "../../src/http2/http2-frames.js";
import { Http2Output } from "../../src/http2/http2-output.js";

/** A socket that records the written data and completes a write when the test requests it. */
class WaitingSocket {
  readonly given: Buffer[] = [];
  readonly #taken: (() => void)[] = [];
  write(bytes: Buffer, done: () => void): boolean {
    this.given.push(Buffer.from(bytes));
    this.#taken.push(done);
    return true;
  }
  taken(): void {
    this.#taken.shift()!();
  }
}

describe("Http2Output", () => {
  test("idle output allocates at most 16 KiB", () => {
    const before = process.memoryUsage().arrayBuffers;
    const outputs = Array.from({ length: 100 }, () => new Http2Output(new Socket(), () => {}));
    const grown = process.memoryUsage().arrayBuffers - before;
    assert.ok(grown <= 100 * 16_384, `${grown} bytes for ${outputs.length}`);
  });

  test("writes frames of one event loop turn in one call", async () => {
    const socket = new WaitingSocket();
    const output = new Http2Output(socket as unknown as Socket, () => {});
    const payload = Buffer.alloc(10_000, 7);
    for (let i = 0; i < 5; i++) output.frame(FrameType.data, 0, 1, payload);
    await new Promise(setImmediate);
    assert.deepEqual(
      socket.given.map(({ length }) => length),
      [5 * 10_009],
    );
    assert.ok(socket.given[0]!.subarray(9, 10_009).equals(payload));
    output.frame(FrameType.ping, 0, 0, Buffer.alloc(8));
    await new Promise(setImmediate);
    socket.taken();
    assert.equal(socket.given[1]!.length, 17);
  });
});
