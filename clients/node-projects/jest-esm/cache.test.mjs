import { Keyv } from "keyv";
import { FakeServer } from "larder-cache/fake";
import { KeyvLarder } from "larder-cache/keyv";

test("import returns the fake server and a Keyv store", async () => {
  const client = new FakeServer().client();
  const cache = client.cache("cache");
  await cache.set("key", "value");
  expect(await cache.get("key")).toMatchObject({ result: "hit", value: "value" });
  const keyv = new Keyv({ store: new KeyvLarder({ client, cacheName: "cache" }) });
  await keyv.set("key", { bytes: [1, 2] });
  expect(await keyv.get("key")).toEqual({ bytes: [1, 2] });
  await client.close();
});
