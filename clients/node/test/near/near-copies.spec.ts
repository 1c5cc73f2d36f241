import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import fc from "fast-check";
import { NearCopies } from "../../src/near/near-copies.js";
import { NearCopy } from "../../src/near/near-copy.js";

function copyOf(key: string, valueBytes = 0, ticket = 1, cacheName = "c"): NearCopy {
  const bytes = NearCopy.bytesOf(cacheName, key, valueBytes);
  return new NearCopy(cacheName, key, Buffer.alloc(0), valueBytes, ticket, 0, bytes);
}

function keysOf(copies: NearCopies): string[] {
  return [...copies].map(({ key }) => key);
}

/** Asserts the invariants that hold after each operation. */
function assertValid(copies: NearCopies, maxBytes: number): void {
  const all = [...copies];
  assert.equal(copies.count, all.length);
  assert.equal(
    copies.bytes,
    all.reduce((sum, { bytes }) => sum + bytes, 0),
  );
  assert.ok(copies.bytes <= maxBytes, `${copies.bytes} bytes of ${maxBytes}`);
  for (const copy of all) assert.equal(copies.find(copy.cacheName, copy.key), copy);
}

describe("NearCopies", () => {
  test("NEAR-27: copy size counts names, value and 128 bytes", () => {
    assert.equal(NearCopy.bytesOf("cache", "wörth", 10), 5 + 6 + 10 + 128);
  });

  test("NEAR-27: evicts the oldest copies that were not used recently", () => {
    const copies = new NearCopies(3 * 130);
    for (const key of ["a", "b", "d"]) copies.add(copyOf(key));
    copies.find("c", "a")!.used = true;
    copies.add(copyOf("e"));
    assert.deepEqual(keysOf(copies), ["a", "d", "e"]);
    copies.add(copyOf("f"));
    assert.deepEqual(keysOf(copies), ["a", "e", "f"]);
    assert.equal(copies.evictions, 2);
  });

  test("large copy evicts several smaller copies", () => {
    const copies = new NearCopies(4 * 130);
    for (const key of ["a", "b", "d", "e"]) copies.add(copyOf(key));
    copies.add(copyOf("f", 200));
    assert.deepEqual(keysOf(copies), ["d", "e", "f"].slice(1));
    assertValid(copies, 4 * 130);
  });

  test("eviction examines few copies when all were used recently", () => {
    const copies = new NearCopies(10_000 * 140);
    for (let i = 0; i < 10_000; i++) copies.add(copyOf(`key-${i}`));
    for (const copy of copies) copy.used = true;
    copies.add(copyOf("another"));
    const marked = [...copies].filter(({ used }) => used).length;
    assert.ok(marked > 9_000, `one eviction took the marks of ${10_000 - marked}`);
    assertValid(copies, 10_000 * 140);
  });

  test("NEAR-23: dropTicket removes all copies with the ticket", () => {
    const copies = new NearCopies(100_000);
    copies.add(copyOf("a", 0, 7));
    copies.add(copyOf("b", 0, 8));
    copies.add(copyOf("a", 0, 7, "d"));
    copies.add(copyOf("e", 0, 7));
    copies.drop("c", "e");
    assert.equal(copies.dropTicket(7), 2);
    assert.equal(copies.dropTicket(7), 0);
    assert.deepEqual(keysOf(copies), ["b"]);
    assertValid(copies, 100_000);
  });

  test("random operations keep the tables consistent and within the limit", () => {
    const maxBytes = 1_500;
    const key = fc.constantFrom(..."abcdefghijklmnop");
    const cacheName = fc.constantFrom("c", "d");
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.record({ add: key, cacheName, value: fc.nat(400), ticket: fc.nat(4) }) },
      fc.record({ use: key, cacheName }),
      fc.record({ drop: key, cacheName }),
      fc.record({ ticket: fc.nat(4) }),
      fc.record({ cache: cacheName }),
      { weight: 1, arbitrary: fc.constant({ clear: true }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const copies = new NearCopies(maxBytes);
        for (const each of steps) {
          if ("add" in each) {
            copies.drop(each.cacheName, each.add);
            copies.add(copyOf(each.add, each.value, each.ticket, each.cacheName));
            assert.ok(copies.find(each.cacheName, each.add), "what was added is there");
          } else if ("use" in each) {
            const copy = copies.find(each.cacheName, each.use);
            if (copy !== undefined) copy.used = true;
          } else if ("drop" in each) copies.drop(each.cacheName, each.drop);
          else if ("ticket" in each) {
            const expected = [...copies].filter(({ ticket }) => ticket === each.ticket).length;
            assert.equal(copies.dropTicket(each.ticket), expected);
          } else if ("cache" in each) {
            copies.dropCache(each.cache);
            assert.ok([...copies].every((copy) => copy.cacheName !== each.cache));
          } else copies.clear();
          assertValid(copies, maxBytes);
        }
      }),
    );
  });
});
