// Keyv with Larder, which also serves cache-manager and cacheable: `npm install keyv`.
import { Keyv } from "keyv";
import { CacheClient, Configurations } from "larder-cache";
import { KeyvLarder } from "larder-cache/keyv";

const client = new CacheClient({
  credentials: process.env.LARDER_URL ?? "http://127.0.0.1:8080",
  configuration: Configurations.Laptop.latest(),
  defaultTtlMs: 60_000,
});
const keyv = new Keyv({ store: new KeyvLarder({ client, cacheName: "cache" }), namespace: "users" });
keyv.on("error", (error) => console.error(error.code, error.message));

await keyv.set("7", { name: "Ada" }, 60_000);
console.log(await keyv.get("7"));
await keyv.clear();
console.log(await keyv.get("7"));
await keyv.disconnect();
