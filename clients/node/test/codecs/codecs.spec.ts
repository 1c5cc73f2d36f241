// The cases of protocol/vectors/clients/codecs.json, which all clients run, and tests of invalid stored values.
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { CacheError } from "../../src/client/errors.js";
import { ErrorResponse } from "../../src/client/responses.js";
import { bytesCodec, type Codec, jsonCodec, textCodec } from "../../src/codecs/codec.js";
import { type DecodeLimits, defaultLimits } from "../../src/codecs/decode-limits.js";
import { messagePackCodec } from "../../src/codecs/messagepack.js";
import { messagePackError } from "../../src/codecs/messagepack-validator.js";
import { type TypedCacheOptions, TypedValues } from "../../src/codecs/typed-values.js";

interface Case extends TypedCacheOptions, DecodeLimits {
  readonly rule: string;
  readonly case: string;
  readonly codec: string;
  readonly decode?: string;
  readonly fill?: string;
  readonly times?: number;
  readonly end?: string;
  readonly encode?: {
    readonly value?: unknown;
    readonly valueHex?: string;
    readonly repeat?: string;
    readonly times?: number;
  };
  readonly then: Readonly<Record<string, unknown>>;
}

const path = new URL("../../../../../protocol/vectors/clients/codecs.json", import.meta.url);
const cases = JSON.parse(readFileSync(path, "utf8")) as readonly Case[];
const codecs: Readonly<Record<string, Codec<unknown>>> = {
  bytes: bytesCodec as Codec<unknown>,
  text: textCodec as Codec<unknown>,
  json: jsonCodec(),
  messagepack: messagePackCodec(),
};
const plain = (name: string, options?: TypedCacheOptions) => new TypedValues(codecs[name]!, options);
const envelope = (content: number, payload: Uint8Array) =>
  Buffer.concat([Buffer.from([0xc1, 0x4c, 1, content, 0]), payload]);
const isValidMessagePack = (bytes: Uint8Array) => messagePackError(bytes, defaultLimits) === null;
const isDecodingError = (error: unknown) => error instanceof CacheError && error.code === "DecodingFailed";

function valuesOf({ codec, compressAbove, maxDecodedBytes, maxElements, maxDepth }: Case): TypedValues<unknown> {
  const options = { compressAbove, maxDecodedBytes };
  if (codec === "json") return new TypedValues(jsonCodec(undefined, { maxElements, maxDepth }), options);
  if (codec === "messagepack") return new TypedValues(messagePackCodec(undefined, { maxElements, maxDepth }), options);
  return plain(codec, options);
}

function storedOf({ decode = "", fill = "", times = 0, end = "" }: Case): Buffer {
  const each = Buffer.from(fill, "hex");
  return Buffer.concat([Buffer.from(decode, "hex"), Buffer.alloc(each.length * times, each), Buffer.from(end, "hex")]);
}

function decoded(given: Case): object {
  try {
    const value = valuesOf(given).decode(storedOf(given));
    if (given.then.isRead === true) return { isRead: true };
    return value instanceof Uint8Array ? { valueHex: Buffer.from(value).toString("hex") } : { value };
  } catch (error) {
    return { error: (error as CacheError).code };
  }
}

function assertEncoded(each: Case): void {
  const { encode, then } = each;
  const { value, valueHex, repeat, times } = encode!;
  const given = repeat === undefined ? value : repeat.repeat(times!);
  const values = valuesOf(each);
  if (then.throws === true) {
    assert.throws(() => values.encode(given), /max(Elements|Depth)/);
    return;
  }
  const bytes = values.encode(valueHex === undefined ? given : Buffer.from(valueHex, "hex"));
  if (bytes instanceof ErrorResponse) {
    assert.deepEqual({ error: bytes.error.code }, then);
    return;
  }
  const hex = bytes.toString("hex");
  if (then.hex !== undefined) assert.equal(hex, then.hex);
  if (then.head !== undefined) assert.ok(hex.startsWith(then.head as string), hex.slice(0, 40));
  if (then.length !== undefined) assert.equal(bytes.length, then.length);
  if (then.atMost !== undefined) assert.ok(bytes.length <= (then.atMost as number));
  assert.equal(then.error, undefined);
  const back = values.decode(bytes);
  assert.deepEqual(
    back instanceof Uint8Array ? Buffer.from(back) : back,
    valueHex === undefined ? given : Buffer.from(valueHex, "hex"),
  );
}

describe("codecs", () => {
  for (const each of cases)
    test(`${each.rule}: ${each.case}`, () => {
      if (each.encode === undefined) assert.deepEqual(decoded(each), each.then);
      else assertEncoded(each);
    });
});

describe("decoding untrusted bytes", () => {
  const all = Object.keys(codecs);

  test("CODEC-6: random bytes decode or fail with a decoding error", () => {
    const head = fc.constantFrom(0xc1, 0x4c, 0, 1, 2, 3, 4, 5, 255);
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 64 }),
      fc.tuple(head, fc.uint8Array({ maxLength: 256 })).map(([first, rest]) => Uint8Array.from([first, ...rest])),
    );
    const inEnvelope = fc
      .tuple(fc.nat(5), fc.nat(2), bytes)
      .map(([content, compression, rest]) => Buffer.from([0xc1, 0x4c, 1, content, compression, ...rest]));
    const compressed = fc.tuple(fc.nat(4), fc.integer({ min: -1, max: 1 }), bytes).map(([content, off, rest]) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(Math.max(0, rest.length + off));
      return Buffer.concat([Buffer.from([0xc1, 0x4c, 1, content, 1]), length, deflateSync(rest)]);
    });
    const any = fc.oneof(
      bytes.map((given) => Buffer.from(given)),
      inEnvelope,
      compressed,
    );
    fc.assert(
      fc.property(any, fc.constantFrom(...all), (given, name) => {
        try {
          assert.notEqual(plain(name).decode(given), undefined);
        } catch (error) {
          assert.ok(isDecodingError(error), String(error));
          assert.equal((error as CacheError).cause, undefined);
        }
      }),
      { numRuns: 5_000 },
    );
  });

  test("CODEC-6: corrupted or truncated bytes decode or throw DecodingError", () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom("json", "messagepack"), fc.nat(), fc.nat(255), (json, name, at, to) => {
        const values = plain(name, { compressAbove: 20 });
        const bytes = values.encode(JSON.parse(json));
        assert.ok(bytes instanceof Buffer);
        const changed = Buffer.from(bytes);
        changed[at % bytes.length] = to;
        for (const given of [changed, bytes.subarray(0, at % bytes.length)])
          try {
            values.decode(given);
          } catch (error) {
            assert.ok(isDecodingError(error));
          }
      }),
      { numRuns: 2_000 },
    );
  });

  test("values round-trip with and without compression", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom("json", "messagepack"), fc.boolean(), (value, name, compress) => {
        const values = plain(name, compress ? { compressAbove: 0 } : {});
        const plainValue = JSON.parse(JSON.stringify(value)) as unknown;
        // The MessagePack library writes a "__proto__" key but does not read it.
        fc.pre(name === "json" || !JSON.stringify(value).includes('"__proto__"'));
        assert.deepEqual(values.decode(values.encode(plainValue) as Buffer), plainValue);
      }),
      { numRuns: 2_000 },
    );
  });

  test("CODEC-5: decoder does not allocate the claimed length", () => {
    const claims: readonly (readonly [name: string, bytes: Buffer])[] = [
      ["text", Buffer.from("c14c010201ffffffff789c4b4ca43d00007a4725e5", "hex")],
      // The largest allowed length, followed by a compressed stream that ends immediately.
      ["text", Buffer.from("c14c01020100800000789c030000000001", "hex")],
      ["messagepack", envelope(4, Buffer.from("ddffffffff", "hex"))],
      ["messagepack", envelope(4, Buffer.from("dfffffffff", "hex"))],
      ["messagepack", envelope(4, Buffer.from("c6ffffffff", "hex"))],
      ["messagepack", envelope(4, Buffer.from("dbffffffff", "hex"))],
      ["messagepack", envelope(4, Buffer.from("c9ffffffff01", "hex"))],
      // Nested arrays. In the first two values, each array claims as many elements as there are arrays, so the total
      // claim is the square of that number. In the third value, each array claims one element.
      ["messagepack", envelope(4, Buffer.from("dc8000".repeat(32_768), "hex"))],
      ["messagepack", envelope(4, Buffer.from("dd00010000".repeat(65_536), "hex"))],
      ["messagepack", envelope(4, Buffer.alloc(1 << 20, 0x91))],
    ];
    const before = process.memoryUsage();
    const began = process.resourceUsage().maxRSS;
    for (const [name, bytes] of claims) assert.throws(() => plain(name).decode(bytes), isDecodingError);
    const { arrayBuffers, heapUsed } = process.memoryUsage();
    assert.ok(arrayBuffers - before.arrayBuffers < 32 << 20, `${arrayBuffers - before.arrayBuffers} bytes of buffers`);
    assert.ok(heapUsed - before.heapUsed < 64 << 20, `${heapUsed - before.heapUsed} bytes of heap`);
    // `maxRSS` is in kilobytes.
    assert.ok(process.resourceUsage().maxRSS - began < 128 << 10);
  });

  test("CODEC-5: decompression stops at the claimed length", () => {
    const bomb = deflateSync(Buffer.alloc(48 << 20), { level: 1 });
    const began = process.resourceUsage().maxRSS;
    const bytes = Buffer.concat([Buffer.from([0xc1, 0x4c, 1, 1, 1, 0, 0, 0, 100]), bomb]);
    assert.throws(() => plain("bytes").decode(bytes), isDecodingError);
    assert.ok(process.resourceUsage().maxRSS - began < 32 << 10);
  });

  test("CODEC-6: deeply nested JSON decodes or throws a decoding error", () => {
    for (const depth of [1_000, 1_000_000]) {
      const deep = Buffer.from("[".repeat(depth) + "]".repeat(depth));
      try {
        plain("json").decode(envelope(3, deep));
      } catch (error) {
        assert.ok(isDecodingError(error));
      }
    }
  });

  test("CODEC-6: decoded property names cannot change the prototype", () => {
    const json = envelope(3, Buffer.from('{"__proto__":{"admin":true},"constructor":1,"toJSON":"x"}'));
    const value = plain("json").decode(json) as Record<string, unknown>;
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.equal(value.admin, undefined);
    const pack = Buffer.from("81a95f5f70726f746f5f5f81a561646d696ec3", "hex");
    assert.throws(() => plain("messagepack").decode(envelope(4, pack)), isDecodingError);
    assert.equal(({} as { admin?: unknown }).admin, undefined);
  });

  test("CODEC-7: decoding error describes the fault without the value", () => {
    const secret = "c0ffee-secret";
    for (const bytes of [envelope(3, Buffer.from(secret)), envelope(2, Buffer.from(secret)), Buffer.from(secret)])
      assert.throws(
        () => plain("json").decode(bytes),
        (error) => {
          assert.ok(isDecodingError(error));
          const said = `${(error as CacheError).message} ${(error as CacheError).stack} ${JSON.stringify(error)}`;
          return !said.includes("c0ffee");
        },
      );
  });
});

describe("messagePackError", () => {
  const { encode } = codecs.messagepack!;

  test("accepts every encoded value and rejects truncated ones", () => {
    fc.assert(
      fc.property(fc.anything({ withDate: true, withTypedArray: false, maxDepth: 6 }), (value) => {
        let bytes: Uint8Array;
        try {
          bytes = encode(value);
        } catch {
          return;
        }
        assert.ok(isValidMessagePack(bytes));
        assert.ok(!isValidMessagePack(bytes.subarray(0, bytes.length - 1)));
        assert.ok(!isValidMessagePack(Buffer.concat([bytes, Buffer.from([0])])));
      }),
      { numRuns: 2_000 },
    );
    for (const length of [0, 31, 32, 255, 256, 65_535, 65_536])
      for (const value of ["x".repeat(length), Buffer.alloc(length), Array(length).fill(1), [[]], { a: { b: {} } }])
        assert.ok(isValidMessagePack(encode(value)));
  });

  test("accepts at most 512 nested arrays", () => {
    const nested = (depth: number) => Buffer.from([...Array<number>(depth).fill(0x91), 1]);
    assert.ok(isValidMessagePack(nested(512)));
    assert.ok(!isValidMessagePack(nested(513)));
    assert.ok(!isValidMessagePack(nested(5_120)));
    assert.ok(isValidMessagePack(Buffer.from([0x92, ...Array<number>(511).fill(0x91), 0xc0, 0x90])));
  });
});
