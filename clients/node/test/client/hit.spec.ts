import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import { inspect } from "node:util";
import { copyOf, Hit } from "../../src/client/hit.js";

function received(value: string | Uint8Array): { readonly hit: Hit; readonly chunk: Buffer } {
  const chunk = Buffer.concat([Buffer.from("before"), Buffer.from(value), Buffer.from("after")]);
  return { hit: new Hit(chunk, 6, chunk.length - 5), chunk };
}

describe("copyOf", () => {
  for (const [name, value] of [
    ["empty value", Buffer.alloc(0)],
    ["short text", Buffer.from("value")],
    ["non-ASCII text", Buffer.from("wörth")],
    ["bytes", Buffer.from([0, 255, 128])],
    ["long text", Buffer.alloc(1_025, "x")],
    ["65,536 bytes", Buffer.alloc(65_536, 7)],
  ] as const)
    test(`NEAR-30: each caller gets separate bytes: ${name}`, () => {
      const { hit, chunk } = received(value);
      const kept = copyOf(hit);
      chunk.fill(1);
      const one = new Hit(kept, 0, hit.valueLengthBytes);
      const other = new Hit(kept, 0, hit.valueLengthBytes);
      assert.deepEqual(one.valueBytes, Buffer.from(value));
      assert.equal(one.valueBytes, one.valueBytes, "a hit copies them once");
      one.valueBytes.fill(1);
      assert.deepEqual(other.valueBytes, Buffer.from(value));
      assert.equal(new Hit(kept, 0, hit.valueLengthBytes).value, value.toString());
      assert.equal(one.value, one.valueBytes.toString(), "what it changes it sees");
    });

  test("copy prints and serializes like the original hit", () => {
    for (const value of ["value", "wörth", "x".repeat(700), "y".repeat(2_000)]) {
      const { hit } = received(value);
      const near = new Hit(copyOf(hit), 0, hit.valueLengthBytes);
      assert.equal(inspect(near), inspect(hit));
      assert.equal(JSON.stringify(near), JSON.stringify(hit));
      assert.deepStrictEqual(near, hit);
    }
  });
});
