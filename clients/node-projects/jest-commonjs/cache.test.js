const { CacheClient, Configurations, CredentialProvider, withSettings } = require("larder-cache");
const { FakeServer } = require("larder-cache/fake");
const { KeyvLarder } = require("larder-cache/keyv");
const { Keyv } = require("keyv");

test("require returns the client and the fake server", async () => {
  await closing(new FakeServer().client(), async (client) => {
    const cache = client.cache("cache");
    await cache.set("key", "value");
    expect(await cache.get("key")).toMatchObject({ result: "hit", value: "value" });
  });
});

test("a Keyv store works inside Jest's realm", async () => {
  await closing(new FakeServer().client(), async (client) => {
    const keyv = new Keyv({ store: new KeyvLarder({ client, cacheName: "cache" }) });
    await keyv.set("key", { bytes: [1, 2] });
    expect(await keyv.get("key")).toEqual({ bytes: [1, 2] });
  });
});

test("bytes of Jest's realm are accepted", async () => {
  await closing(new FakeServer().client(), async (client) => {
    const cache = client.cache("cache");
    await cache.set("key", new Uint8Array([104, 105]));
    expect(await cache.get("key")).toMatchObject({ value: "hi" });
  });
});

test("a call to an unreachable server fails under fake timers", async () => {
  jest.useFakeTimers();
  const configuration = withSettings(Configurations.Laptop.latest(), { requestTimeoutMs: 200 });
  const credentials = CredentialProvider.local("127.0.0.1:9");
  await closing(new CacheClient({ credentials, configuration, defaultTtlMs: 60_000 }), async (client) => {
    expect(await client.cache("cache").get("key")).toMatchObject({ result: "error" });
  });
  jest.useRealTimers();
});

async function closing(client, work) {
  await work(client);
  await client.close();
}
