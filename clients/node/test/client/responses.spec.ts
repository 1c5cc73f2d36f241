import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import { inspect } from "node:util";
import { CacheError } from "../../src/client/errors.js";
import { ErrorResponse, Hit, miss } from "../../src/client/responses.js";

function hit(value: string | Buffer): Hit {
  const bytes = Buffer.concat([Buffer.from("before"), Buffer.from(value), Buffer.from("after")]);
  return new Hit(bytes, 6, bytes.length - 5);
}

describe("printed responses", () => {
  test("hit prints its value as text or as bytes", () => {
    assert.equal(inspect(hit("wörth")), "Hit { value: 'wörth' }");
    assert.equal(inspect(hit("")), "Hit { value: '' }");
    assert.equal(inspect(hit(Buffer.from([0xff, 1]))), "Hit { value: <Buffer ff 01> }");
  });

  test("prints a long value truncated, with its length", () => {
    assert.equal(inspect(hit("x".repeat(5_000))), `Hit { value: '${"x".repeat(200)}' … of 5000 bytes }`);
    assert.equal(inspect(hit(`x${"ö".repeat(200)}`)), `Hit { value: 'x${"ö".repeat(99)}' … of 401 bytes }`);
    assert.match(inspect(hit(Buffer.alloc(5_000, 0xff))), /^Hit \{ value: <Buffer (ff )+.*> … of 5000 bytes \}$/);
  });

  test("batch prints each response and errors without a stack", () => {
    const batch = { result: "success", responses: [hit("a"), miss] };
    assert.equal(inspect(batch), "{ result: 'success', responses: [ Hit { value: 'a' }, Miss {} ] }");
    const failed = new ErrorResponse(new CacheError("Timeout", "get failed: late"));
    assert.equal(inspect(failed), "Error { Timeout: get failed: late }");
  });
});

describe("serialized responses", () => {
  test("JSON contains length and up to 200 bytes of value", () => {
    assert.equal(JSON.stringify(hit("wörth")), '{"result":"hit","valueLengthBytes":6,"value":"wörth"}');
    assert.equal(
      JSON.stringify(hit(Buffer.from([0xff]))),
      '{"result":"hit","valueLengthBytes":1,"valueBase64":"/w=="}',
    );
    assert.equal(JSON.parse(JSON.stringify(hit("x".repeat(201)))).value.length, 200);
    const failed = new ErrorResponse(new CacheError("Timeout", "late", new Error("socket")));
    assert.equal(JSON.stringify(failed), '{"error":{"code":"Timeout","message":"late"},"result":"error"}');
  });

  test("structured clone of a hit contains no value bytes", () => {
    assert.deepEqual(structuredClone(hit("value")), { result: "hit", valueLengthBytes: 5 });
  });

  test("deep equality ignores a hit's buffer but not its length", () => {
    assert.notDeepStrictEqual(hit("value"), hit("value!"));
    assert.deepStrictEqual(hit("value"), new Hit(Buffer.from("value"), 0, 5));
  });
});
