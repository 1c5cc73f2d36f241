// CODEC-5 and CODEC-10: small stored values that would decode to large objects.
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { spawnSync } from "node:child_process";
import { describe, test } from "node:test";
import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { CacheError } from "../../src/client/errors.js";
import { bytesCodec, type Codec, jsonCodec } from "../../src/codecs/codec.js";
import type { DecodeLimits } from "../../src/codecs/decode-limits.js";
import { exceededJsonLimit } from "../../src/codecs/json-limits.js";
import { messagePackCodec } from "../../src/codecs/messagepack.js";
import { messagePackError } from "../../src/codecs/messagepack-validator.js";
import { TypedValues } from "../../src/codecs/typed-values.js";

const largestBytes = 8_388_608;
const largestElements = 1_000_000;

function compressed(content: number, payload: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(payload.length);
  return Buffer.concat([Buffer.from([0xc1, 0x4c, 1, content, 1]), length, deflateSync(payload, { level: 9 })]);
}

function packed(item: number, elements: number): Buffer {
  const payload = Buffer.alloc(elements + 4, item);
  payload[0] = 0xdd;
  payload.writeUInt32BE(elements - 1, 1);
  return payload;
}

function json(item: string, elements: number): Buffer {
  return Buffer.from(`[${`${item},`.repeat(elements - 2)}${item}]`);
}

function assertRefused<T>(codec: Codec<T>, stored: Buffer, reason: RegExp): void {
  assert.throws(
    () => new TypedValues(codec).decode(stored),
    (error) => error instanceof CacheError && error.code === "DecodingFailed" && reason.test(error.message),
  );
}

describe("decode limits", () => {
  test("decompresses values of up to 8 MiB", () => {
    const values = new TypedValues(bytesCodec);
    assert.equal(values.decode(compressed(1, Buffer.alloc(largestBytes)))?.length, largestBytes);
    for (const length of [largestBytes + 1, largestBytes * 10])
      assertRefused(bytesCodec, compressed(1, Buffer.alloc(length)), new RegExp(`${length} bytes.* 8388608 `));
  });

  test("decodes MessagePack of up to 1,000,000 elements", () => {
    const codec = messagePackCodec<unknown[]>();
    for (const item of [0x90, 0x80, 0x01]) {
      const read = new TypedValues(codec).decode(compressed(4, packed(item, largestElements)));
      assert.equal(read?.length, largestElements - 1);
      for (const elements of [largestElements + 1, largestBytes - 4])
        assertRefused(codec, compressed(4, packed(item, elements)), /more than 1000000 elements \(maxElements\)/);
      assert.throws(() => codec.decode(packed(item, largestElements * 10)), /maxElements/);
    }
    const raised = messagePackCodec<unknown[]>(undefined, { maxElements: largestElements * 10 });
    assert.equal(raised.decode(packed(1, largestElements * 10))?.length, largestElements * 10 - 1);
  });

  test("counts elements of nested arrays together", () => {
    const thousand = Buffer.concat([Buffer.from([0xdc, 0x03, 0xe8]), Buffer.alloc(1_000, 1)]);
    const payload = Buffer.concat([Buffer.from([0xdc, 0x03, 0xe9]), ...Array<Buffer>(1_001).fill(thousand)]);
    assertRefused(messagePackCodec(), compressed(4, payload), /maxElements/);
  });

  test("decodes JSON of up to 1,000,000 elements", () => {
    const codec = jsonCodec<unknown[]>();
    for (const item of ["[]", "{}", "0", '""', '",[:"']) {
      const read = new TypedValues(codec).decode(compressed(3, json(item, largestElements)));
      assert.equal(read?.length, largestElements - 1);
      assertRefused(
        codec,
        compressed(3, json(item, largestElements + 1)),
        /more than 1000000 elements \(maxElements\)/,
      );
      assert.throws(() => codec.decode(json(item, largestElements * 10)), /maxElements/);
    }
  });

  test("decodes JSON and MessagePack of up to 512 levels", () => {
    const deep = (depth: number) => Buffer.from("[".repeat(depth) + "]".repeat(depth));
    const deepPacked = (depth: number) => Buffer.concat([Buffer.alloc(depth, 0x91), Buffer.from([0xc0])]);
    assert.ok(new TypedValues(jsonCodec()).decode(compressed(3, deep(512))));
    assert.ok(new TypedValues(messagePackCodec()).decode(compressed(4, deepPacked(512))));
    const reason = /nested more than 512 levels deep \(maxDepth\)/;
    for (const depth of [513, 5_120, largestBytes / 2]) {
      assertRefused(jsonCodec(), compressed(3, deep(depth)), reason);
      assertRefused(messagePackCodec(), compressed(4, deepPacked(depth)), reason);
    }
    assertRefused(jsonCodec(), compressed(3, Buffer.alloc(largestBytes, "[")), reason);
  });

  test("encodes only values of up to 512 levels", () => {
    let value: unknown = 1;
    for (let i = 0; i < 512; i++) value = [value];
    for (const codec of [jsonCodec(), messagePackCodec()]) {
      assert.deepEqual(codec.decode(codec.encode(value)), value);
      assert.throws(() => codec.encode([value]));
    }
  });

  test("counts JSON elements and levels exactly", () => {
    const text = fc.string({ unit: fc.constantFrom(...'[]{},:"\\ a\n') });
    const value = fc.jsonValue({ maxDepth: 4 }).chain((one) => fc.dictionary(text, text).map((map) => [one, map]));
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 1), (given, space) => {
        const { elements, depth } = counted(given);
        const forms = [
          Buffer.from(JSON.stringify(given, null, space)),
          messagePackCodec().encode(JSON.parse(JSON.stringify(given))),
        ];
        const excess = (limits: Required<DecodeLimits>) => [
          exceededJsonLimit(forms[0]!, limits as never),
          messagePackError(forms[1]!, limits as never),
        ];
        assert.deepEqual(excess({ maxElements: elements, maxDepth: depth }), [null, null]);
        for (const limits of [
          { maxElements: elements - 1, maxDepth: 1_024 },
          { maxElements: elements, maxDepth: depth - 1 },
        ])
          for (const reason of excess(limits)) assert.match(reason ?? "", /more than/);
      }),
      { numRuns: 500 },
    );
  });

  test("rejects limits that are out of range", () => {
    const wrong: readonly [unknown, ErrorConstructor][] = [
      [{ maxElements: 0 }, RangeError],
      [{ maxElements: 1.5 }, RangeError],
      [{ maxElements: 2 ** 31 }, RangeError],
      [{ maxElements: "1" }, TypeError],
      [{ maxDepth: 0 }, RangeError],
      [{ maxDepth: 1_025 }, RangeError],
      [{ depth: 1 }, TypeError],
    ];
    for (const [limits, error] of wrong) {
      assert.throws(() => jsonCodec(undefined, limits as DecodeLimits), error);
      assert.throws(() => messagePackCodec(undefined, limits as DecodeLimits), error);
    }
  });

  test("decodes the largest values stored by earlier clients", () => {
    const texts = Array<string>(600_000).fill("value");
    for (const codec of [jsonCodec<string[]>(), messagePackCodec<string[]>()]) {
      const stored = Buffer.concat([Buffer.from([0xc1, 0x4c, 1, codec.content, 0]), codec.encode(texts)]);
      assert.equal(new TypedValues(codec).decode(stored)?.length, texts.length);
    }
    const stored = Buffer.concat([Buffer.from([0xc1, 0x4c, 1, 1, 0]), Buffer.alloc(5_000_186)]);
    assert.equal(new TypedValues(bytesCodec).decode(stored)?.length, 5_000_186);
  });

  test("decodes numbers with millions of digits", () => {
    const digits = Buffer.from(`[1${"0".repeat(4_000_000)}, 1e-${"9".repeat(1_000_000)}]`);
    assert.deepEqual(jsonCodec().decode(digits), [Infinity, 0]);
  });
});

describe("hostile value in a process with 64 MiB heap", () => {
  const child = `
    import { readFileSync } from "node:fs";
    const [kind] = process.argv.slice(1);
    const { TypedValues } = await import(new URL("../../src/codecs/typed-values.js", process.env.BASE).href);
    const { jsonCodec } = await import(new URL("../../src/codecs/codec.js", process.env.BASE).href);
    const { messagePackCodec } = await import(new URL("../../src/codecs/messagepack.js", process.env.BASE).href);
    try {
      new TypedValues(kind === "4" ? messagePackCodec() : jsonCodec()).decode(readFileSync(0));
    } catch (error) {
      console.log("refused:", error.message, process.resourceUsage().maxRSS);
    }`;
  const values: readonly (readonly [name: string, content: number, payload: () => Buffer])[] = [
    ["64 MiB of arrays", 4, () => packed(0x90, 67_108_800)],
    ["64 MiB of maps", 4, () => packed(0x80, 67_108_800)],
    ["8 MiB of arrays", 4, () => packed(0x90, largestBytes - 4)],
    ["8 MiB of maps", 4, () => packed(0x80, largestBytes - 4)],
    ["8 MiB of JSON arrays", 3, () => json("[]", largestBytes / 4)],
    ["8 MiB of JSON objects", 3, () => json("{}", largestBytes / 4)],
    ["8 MiB of JSON levels", 3, () => Buffer.from("[".repeat(largestBytes / 2) + "]".repeat(largestBytes / 2))],
  ];
  for (const [name, content, payload] of values)
    test(`rejects a compressed value of ${name}`, () => {
      const { stdout, stderr, status } = spawnSync(
        process.execPath,
        ["--max-old-space-size=64", "--input-type=module", "-e", child, String(content)],
        { input: compressed(content, payload()), encoding: "utf8", env: { ...process.env, BASE: import.meta.url } },
      );
      assert.equal(status, 0, stderr);
      assert.match(stdout, /^refused: the stored value cannot be decoded: the (decoded )?value (has|is nested) /);
      const maxRssKilobytes = Number(stdout.trim().split(" ").at(-1));
      assert.ok(maxRssKilobytes < 200 << 10, stdout);
    });
});

function counted(value: unknown): { readonly elements: number; readonly depth: number } {
  if (typeof value !== "object" || value === null) return { elements: 1, depth: 0 };
  const keys = Array.isArray(value) ? [] : Object.keys(value);
  const counts = [...keys, ...Object.values(value)].map(counted);
  return {
    elements: 1 + counts.reduce((sum, { elements }) => sum + elements, 0),
    depth: 1 + Math.max(0, ...counts.map(({ depth }) => depth)),
  };
}
