import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkedSubscription, type SubscribeOptions } from "../../src/topics/subscribe-options.js";

const checked = (options: object, topic = "topic", cacheName = "cache") =>
  checkedSubscription(cacheName, topic, options as SubscribeOptions);
const refusalOf = (...given: Parameters<typeof checked>) => checked(...given).refusal?.error;

describe("subscribe options", () => {
  test("undefined options use the defaults", () => {
    const { start, heartbeats, signal, refusal } = checked({ resumeAt: undefined, page: undefined, from: undefined });
    assert.deepEqual(start, { resumeAt: 0n, page: 0n, from: "newest" });
    assert.deepEqual([heartbeats, signal, refusal], [false, undefined, null]);
  });

  test("accepts unsigned 64-bit integers only", () => {
    for (const value of [1, 2 ** 53 - 1, 1n, 2n ** 53n, 2n ** 64n - 1n])
      for (const name of ["resumeAt", "page"]) {
        const { start, refusal } = checked({ resumeAt: 1, [name]: value });
        assert.equal(start[name as "page"], BigInt(value));
        assert.equal(refusal, null);
      }
    for (const value of [-1, -1n, 0.5, Number.NaN, Infinity, -Infinity, 2 ** 53, 2 ** 64, 2n ** 64n, 10n ** 30n])
      for (const name of ["resumeAt", "page"]) {
        assert.equal(refusalOf({ resumeAt: 1, [name]: value })?.code, "InvalidArgument", `${name} ${value}`);
        assert.match(refusalOf({ resumeAt: 1, [name]: value })!.message, new RegExp(name));
      }
  });

  test("rejects contradictory options", () => {
    assert.match(refusalOf({ page: 7 })!.message, /page needs resumeAt/);
    assert.match(refusalOf({ resumeAt: 7, from: "now" })!.message, /resumeAt and from are mutually exclusive/);
    assert.equal(refusalOf({ resumeAt: 0, from: "now" }), undefined);
  });

  test("TypeError contains the name of the invalid argument", () => {
    const wrong: readonly unknown[] = [null, "1", true, {}, [], Symbol("s"), () => 1, new Date()];
    for (const value of wrong) {
      assert.throws(() => checked({ resumeAt: value }), /TypeError.*resumeAt/);
      assert.throws(() => checked({ resumeAt: 1, page: value }), /TypeError.*page/);
      assert.throws(() => checked({ from: value }), /TypeError.*from/);
      if (value !== true) assert.throws(() => checked({ heartbeats: value }), /TypeError.*heartbeats/);
      assert.throws(() => checked({ signal: value }), /TypeError.*signal/);
      if (value !== "1") assert.throws(() => checked({}, value as string), /TypeError.*topic/);
      if (value !== "1") assert.throws(() => checked({}, "topic", value as string), /TypeError.*cache name/);
    }
    assert.throws(() => checked({ from: "oldest" }), /TypeError.*'newest' or 'now'/);
    assert.throws(() => checked({ signal: new AbortController() }), /TypeError.*controller\.signal/);
    assert.throws(() => checked({ resume: 1 }), /TypeError.*'resume'.*resumeAt/);
    assert.throws(() => checked(null as never), TypeError);
    assert.throws(() => checked(7 as never), TypeError);
  });

  test("rethrows an exception from an option's getter", () => {
    const thrown = new Error("mine");
    const options = {
      get resumeAt(): never {
        throw thrown;
      },
    };
    assert.throws(() => checked(options), thrown);
  });

  test("rejects invalid topic and cache names", () => {
    assert.equal(refusalOf({}, "")?.code, "InvalidArgument");
    assert.equal(refusalOf({}, "\ud800")?.code, "InvalidArgument");
    assert.equal(refusalOf({}, "topic", " ")?.code, "InvalidArgument");
    assert.equal(refusalOf({}, "topic", "x".repeat(256))?.code, "InvalidArgument");
    assert.equal(refusalOf({}, "größe 🦀 \0"), undefined);
  });
});
