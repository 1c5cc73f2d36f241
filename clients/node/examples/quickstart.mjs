// Set a value and read it back. Connects to LARDER_URL (http[s]://[token@]host[:port]) if it is set, otherwise to
// 127.0.0.1:8080, where `larder serve` listens.
import { CacheClient, Configurations } from "larder-cache";

const client = new CacheClient({
  credentials: process.env.LARDER_URL ?? "http://127.0.0.1:8080",
  configuration: Configurations.Laptop.latest(),
  defaultTtlMs: 60_000,
});
const cache = client.cache("cache");

const set = await cache.set("greeting", "hello");
if (set.result === "error") throw set.error;

const got = await cache.get("greeting");
switch (got.result) {
  case "hit":
    console.log(got.value);
    break;
  case "miss":
    console.log("nothing there");
    break;
  case "error":
    console.error(got.error.code, got.error.message);
}

await client.close();
