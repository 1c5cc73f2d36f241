// Typed values as JSON: validated when read, compressed if long, and with cached "not found" results.
import { CacheClient, Configurations, jsonCodec } from "larder-cache";

const client = new CacheClient({
  credentials: process.env.LARDER_URL ?? "http://127.0.0.1:8080",
  configuration: Configurations.Laptop.latest(),
  defaultTtlMs: 60_000,
});
const cache = client.cache("cache");

const isUser = (value) => typeof value === "object" && typeof value.name === "string";
const users = cache.typed(jsonCodec(isUser), { compressAbove: 1_024 });

const rows = { ada: { name: "Ada" }, grace: { name: "Grace" } };
let asked = 0;
const load = (id) => {
  asked++;
  return rows[id] ?? null;
};
const options = {
  ttlMs: 3_600_000,
  refreshAheadForMs: 60_000, // In its last minute a value is returned immediately and refreshed in the background.
  ttlOf: (user) => (user === null ? 5_000 : undefined), // A missing user may be created soon.
};

for (const id of ["ada", "nobody"]) {
  await cache.delete(`user:${id}`);
  await users.getOrSet(`user:${id}`, () => load(id), options);
  console.log(await users.getOrSet(`user:${id}`, () => load(id), options));
}
console.log(`asked ${asked} times`);

// Reads many keys in one call and loads the missing ones with one call of the loader.
await cache.delete("user:grace");
const both = await users.getOrSetBatch(["user:ada", "user:grace"], (missing) =>
  missing.map((key) => load(key.slice("user:".length))),
);
console.log(both.map(({ name }) => name).join(", "));

// Reading a value that a plain call or another codec stored returns a decoding error.
await cache.set("user:ada", "Ada");
const got = await users.get("user:ada");
if (got.result === "error") console.log(got.error.code);

await client.close();
