import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { EventBuffer } from "../../src/topics/event-buffer.js";

const never = () => {};

describe("EventBuffer", () => {
  test("buffer is full at 256 events or 4 MiB", () => {
    const buffer = new EventBuffer<number>(never);
    for (let i = 0; i < 255; i++) buffer.push(i, 1);
    assert.ok(!buffer.isFull);
    buffer.push(255, 1);
    assert.ok(buffer.isFull);
    const large = new EventBuffer<number>(never);
    large.push(0, (4 << 20) - 1);
    assert.ok(!large.isFull);
    large.push(1, 1);
    assert.ok(large.isFull);
  });

  test("buffer requests more events when it is half empty", async () => {
    let asked = 0;
    const buffer = new EventBuffer<number>(() => asked++);
    for (let i = 0; i < 256; i++) buffer.push(i, 1);
    for (let i = 0; i < 127; i++) await buffer.next();
    assert.equal(asked, 0);
    await buffer.next();
    assert.equal(asked, 1);
    const large = new EventBuffer<number>(() => asked++);
    large.push(0, 1 << 20);
    large.push(1, 3 << 20);
    await large.next();
    assert.equal(asked, 1);
    await large.next();
    assert.equal(asked, 2);
  });

  test("concurrent readers receive events in order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 100 }), async (isPush) => {
        const buffer = new EventBuffer<number>(never);
        const read: Promise<IteratorResult<number, undefined>>[] = [];
        let pushed = 0;
        for (const push of isPush) {
          if (push) buffer.push(pushed++, 1);
          else read.push(buffer.next());
        }
        buffer.end();
        const values = (await Promise.all(read)).map(({ value }) => value);
        assert.deepEqual(
          values,
          [...values.keys()].map((i) => (i < pushed ? i : undefined)),
        );
        assert.equal(buffer.length, Math.max(0, pushed - read.length));
      }),
    );
  });

  test("end() keeps buffered events; discard() removes them", async () => {
    const buffer = new EventBuffer<number>(never);
    buffer.push(1, 1);
    buffer.end();
    buffer.push(2, 1);
    assert.deepEqual(await buffer.next(), { done: false, value: 1 });
    assert.deepEqual(await buffer.next(), { done: true, value: undefined });
    const thrown = new EventBuffer<number>(never);
    thrown.push(1, 1);
    thrown.discard();
    assert.equal((await thrown.next()).done, true);
    assert.equal(thrown.length, 0);
  });
});
