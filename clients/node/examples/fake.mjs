// A service and its test without a server: run it with `node --test`.
import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeServer } from "larder-cache/fake";

/** The code under test. It caches each price for a minute. While the cache fails, each call looks the price up. */
function priceOf(cache, name, lookUp) {
  return cache.getOrSet(`price:${name}`, () => lookUp(name), { ttlMs: 60_000 });
}

test("loads a price once a minute", async () => {
  const fake = new FakeServer();
  const client = fake.client();
  const cache = client.cache("cache");
  let looked = 0;
  const lookUp = () => `${++looked}.00`;

  assert.equal(String(await priceOf(cache, "pencil", lookUp)), "1.00");
  await fake.advance(59_999);
  assert.equal(String(await priceOf(cache, "pencil", lookUp)), "1.00");
  await fake.advance(1);
  assert.equal(String(await priceOf(cache, "pencil", lookUp)), "2.00");
  await client.close();
});

test("works without the cache if the cache fails", async () => {
  const fake = new FakeServer();
  const client = fake.client();
  const cache = client.cache("cache");
  fake.fail("get", "Unavailable");
  assert.equal(String(await priceOf(cache, "pencil", () => "3.00")), "3.00");
  assert.equal(fake.count("set"), 0);
  await client.close();
});
