// Many items in one call.
import { CacheClient, Configurations, CredentialProvider } from "larder-cache";

const client = new CacheClient({
  credentials: process.env.LARDER_URL ? CredentialProvider.fromEnvironmentVariable() : CredentialProvider.local(),
  configuration: Configurations.Laptop.latest(),
  defaultTtlMs: 60_000,
});
const cache = client.cache("cache");

// An object or a Map; or triples, where an item has a time to live of its own.
await cache.setBatch({ "user:1": "Ada", "user:2": "Grace" }, { ttlMs: 30_000 });
await cache.setBatch([
  ["user:4", "Edsger"],
  ["user:5", "Barbara", 5_000],
]);

// One answer for each key, in order.
const got = await cache.getBatch(["user:1", "user:2", "user:3"]);
if (got.result === "error") throw got.error;
console.log(got.responses.map((each) => (each.result === "hit" ? each.value : "nobody")).join(", "));
console.log(got);

await client.close();
