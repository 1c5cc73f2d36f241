import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Configurations, withSettings } from "../../src/index.js";
import { FakeServer } from "../../src/testing/fake.js";
import type { FakeCode, FakeOperation } from "../../src/testing/fake-faults.js";
import { codeOf, textOf } from "../support/responses.js";

const laptop = Configurations.Laptop.latest();

describe("injected faults", () => {
  test("injected faults affect only the next calls of their operation", async () => {
    const fake = new FakeServer();
    const client = fake.client();
    const cache = client.cache("cache");
    fake.fail("get", "Unavailable", { times: 2 });
    fake.fail("get", "LimitExceeded");
    await cache.set("key", "value");
    const codes = [];
    for (let i = 0; i < 4; i++) codes.push(codeOf(await cache.get("key")));
    assert.deepEqual(codes, ["Unavailable", "Unavailable", "LimitExceeded", null]);
    assert.equal(fake.count("get"), 4);
  });

  const codes = [
    "InvalidArgument",
    "NotFound",
    "AlreadyExists",
    "PermissionDenied",
    "Unauthenticated",
    "LimitExceeded",
    "FailedPrecondition",
    "Timeout",
    "Cancelled",
    "Unavailable",
    "Internal",
    "Unknown",
  ] as const;
  for (const code of codes)
    test(`injected ${code} is returned without executing the call`, async () => {
      const fake = new FakeServer();
      const client = fake.client();
      const cache = client.cache("cache");
      fake.fail("set", code);
      assert.equal(codeOf(await cache.set("key", "value")), code);
      assert.equal(textOf(await cache.get("key")), "miss");
    });

  test("client retries after the back-off", async () => {
    const fake = new FakeServer();
    const client = fake.client({ configuration: withSettings(laptop, { maxRetries: 1 }) });
    fake.fail("get", "Unavailable");
    const answer = client.cache("cache").get("key");
    await fake.advance(laptop.initialBackOffMs);
    assert.equal(textOf(await answer), "miss");
    assert.equal(fake.count("get"), 2);
  });

  test("call delayed past its deadline times out without executing", async () => {
    const fake = new FakeServer();
    const client = fake.client();
    const cache = client.cache("cache");
    fake.delay("set", 100);
    const setting = cache.set("key", "value", { timeoutMs: 50 });
    await fake.advance(50);
    assert.equal(codeOf(await setting), "Timeout");
    await fake.advance(100);
    assert.equal(textOf(await cache.get("key")), "miss");
  });

  test("delayed call completes or fails after its delay", async () => {
    const fake = new FakeServer();
    const client = fake.client();
    const cache = client.cache("cache");
    fake.delay("set", 100);
    fake.delay("set", 100, { code: "Internal" });
    const both = [cache.set("one", "1"), cache.set("two", "2")];
    await fake.advance(99);
    assert.equal(textOf(await cache.get("one")), "miss");
    await fake.advance(1);
    assert.deepEqual((await Promise.all(both)).map(codeOf), [null, "Internal"]);
  });

  test("delayed call is not executed after abort or client close", async () => {
    const fake = new FakeServer();
    const client = fake.client();
    const cache = client.cache("cache");
    const controller = new AbortController();
    fake.delay("set", 100, { times: 2 });
    const given = cache.set("key", "value", { signal: controller.signal });
    const closed = cache.set("key", "value");
    controller.abort();
    await client.close();
    assert.deepEqual((await Promise.all([given, closed])).map(codeOf), ["Cancelled", "Cancelled"]);
    await fake.advance(100);
    assert.equal(textOf(await fake.client().cache("cache").get("key")), "miss");
  });

  test("clearFaults removes injected faults", async () => {
    const fake = new FakeServer();
    fake.fail("get", "Internal", { times: Infinity });
    const client = fake.client();
    const cache = client.cache("cache");
    assert.equal(codeOf(await cache.get("key")), "Internal");
    fake.clearFaults();
    assert.equal(codeOf(await cache.get("key")), null);
  });

  test("accepts 10,000 faults per operation and rejects more", () => {
    const fake = new FakeServer();
    for (let i = 0; i < 10_000; i++) fake.fail("get", "Internal");
    assert.throws(() => fake.fail("get", "Internal"), RangeError);
    fake.fail("set", "Internal", { times: 100_000 });
  });

  test("rejects invalid operations, codes, counts and delays", () => {
    const fake = new FakeServer();
    for (const operation of ["keyExists", "toString", "nothing", 7, null])
      assert.throws(() => fake.fail(operation as FakeOperation, "Internal"), RangeError);
    for (const code of ["ClientOverloaded", "ok", 13, undefined])
      assert.throws(() => fake.fail("get", code as FakeCode), RangeError);
    for (const times of [0, -1, 1.5, Number.NaN])
      assert.throws(() => fake.fail("get", "Internal", { times }), RangeError);
    assert.throws(() => fake.fail("get", "Internal", { time: 1 } as object), TypeError);
    for (const ms of [0, -1, Number.NaN, Infinity, 31_536_000_001])
      assert.throws(() => fake.delay("get", ms), RangeError);
    assert.throws(() => fake.delay("get", "1" as unknown as number), TypeError);
    assert.throws(() => fake.count("keyExists" as FakeOperation), RangeError);
  });

  test("stopped fake fails calls and keeps items until restarted", async () => {
    const fake = new FakeServer();
    const client = fake.client();
    const cache = client.cache("cache");
    await cache.set("key", "value");
    fake.stop();
    assert.equal(codeOf(await cache.get("key")), "Unavailable");
    assert.equal(codeOf(await client.ping()), "Unavailable");
    assert.equal(client.statistics().connections, 0);
    await assert.rejects(client.connect());
    fake.start();
    assert.equal(textOf(await cache.get("key")), "value");
    await client.connect();
  });
});
