// Reads from this process's own memory, which the server keeps right: what another client writes is seen unasked.
import { CacheClient, Configurations, CredentialProvider, withSettings } from "larder-cache";

const credentials = process.env.LARDER_URL ? CredentialProvider.fromEnvironmentVariable() : CredentialProvider.local();
const configuration = withSettings(Configurations.Laptop.latest(), { nearCache: { maxBytes: 67_108_864 } });
const client = await CacheClient.create({ credentials, configuration, defaultTtlMs: 60_000 });
const other = new CacheClient({ credentials, configuration: Configurations.Laptop.latest(), defaultTtlMs: 60_000 });

const cache = client.cache("cache");
await cache.set("price", "12");
await cache.get("price"); // A call: what it answers is kept.
for (let i = 0; i < 1_000; i++) await cache.get("price"); // No calls.
console.log(`${cache.tryGetNear("price")?.value}, ${client.nearCache.hits} hits`);

await cache.set("price", "13");
console.log((await cache.get("price")).value); // Its own write, at once.

await other.cache("cache").set("price", "14");
while ((await cache.get("price")).value !== "14"); // Another's, after one push.
console.log(client.nearCache.invalidations);

await client.close();
await other.close();
