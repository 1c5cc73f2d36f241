import assert from "node:assert/strict";
import { test } from "node:test";
import { createContext, runInContext } from "node:vm";
import { KeyvLarder } from "../../src/integrations/keyv.js";
import { nextCacheHandler } from "../../src/integrations/next.js";
import { FakeServer } from "../../src/testing/fake.js";

// Values created in another realm, as some test runners and servers do: `instanceof` does not recognize them.
const realm = createContext({});
const made = <T>(code: string): T => runInContext(code, realm) as T;

test("Next handler stores bytes and maps from another realm", async () => {
  const client = new FakeServer().client();
  const errors: unknown[] = [];
  const Handler = nextCacheHandler({ client, cacheName: "cache", onError: (error) => errors.push(error) });
  const handler = new Handler({});
  const rscData = made<Uint8Array>("new Uint8Array([1, 2, 3])");
  const segmentData = made<Map<string, Uint8Array>>('new Map([["/a", new Uint8Array([4])], ["/b", new Uint8Array()]])');
  await handler.set("/x", { kind: "APP_PAGE", html: "<p>", rscData, segmentData });
  const value = (await handler.get("/x"))?.value as unknown as { rscData: Buffer; segmentData: Map<string, Buffer> };
  assert.deepEqual([...value.rscData], [1, 2, 3]);
  assert.deepEqual(
    [...value.segmentData].map(([key, bytes]) => [key, [...bytes]]),
    [
      ["/a", [4]],
      ["/b", []],
    ],
  );
  assert.deepEqual(errors, []);
  await client.close();
});

test("calls accept byte arrays from another realm", async () => {
  const client = new FakeServer().client();
  const cache = client.cache("cache");
  const bytes = made<Uint8Array>("new Uint8Array([97])");
  assert.equal((await cache.set(bytes, bytes)).result, "success");
  const got = await cache.get("a");
  assert.equal(got.result === "hit" ? got.value : got.result, "a");
  assert.equal((await cache.getBatch([bytes])).result, "success");
  assert.equal((await cache.setAddElements("s", [bytes])).result, "success");
  await assert.rejects(cache.getBatch(bytes as never), TypeError);
  await assert.rejects(cache.set(made<string>("({ length: 1 })"), "v"), TypeError);
  const keyv = new KeyvLarder({ client, cacheName: "cache" });
  await keyv.set("k", bytes);
  assert.equal(await keyv.get("k"), "a");
  await client.close();
});
