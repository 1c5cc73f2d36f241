// cache-manager with Larder through its Keyv store: `npm install cache-manager keyv`.
import { createCache } from "cache-manager";
import { Keyv } from "keyv";
import { CacheClient, Configurations } from "larder-cache";
import { KeyvLarder } from "larder-cache/keyv";

const client = new CacheClient({
  credentials: process.env.LARDER_URL ?? "http://127.0.0.1:8080",
  configuration: Configurations.Laptop.latest(),
  defaultTtlMs: 60_000,
});
const store = new Keyv({ store: new KeyvLarder({ client, cacheName: "cache" }), namespace: "pages" });
store.on("error", (error) => console.error(error.code, error.message));
const cache = createCache({ stores: [store], ttl: 60_000 });

let loads = 0;
const load = async () => ({ title: "Bread", load: ++loads });
await Promise.all(Array.from({ length: 100 }, () => cache.wrap("bread", load)));
console.log(await cache.get("bread"));

await cache.mset([
  { key: "1", value: "Ada" },
  { key: "2", value: "Grace", ttl: 5_000 },
]);
console.log(await cache.mget(["1", "2", "3"]));

await cache.clear();
console.log(await cache.get("bread"));
await cache.disconnect();
