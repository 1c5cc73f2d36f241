// Reads from this process's own memory, which the server keeps right: what another client writes is seen unasked.
import { CacheClient, Configurations, CredentialProvider, withSettings } from "larder-cache";

const credentials = process.env.LARDER_URL ? CredentialProvider.fromEnvironmentVariable() : CredentialProvider.local();
const configuration = withSettings(Configurations.Laptop.latest(), { nearCache: { maxBytes: 67_108_864 } });
const client = await CacheClient.create({ credentials, configuration, defaultTtlMs: 60_000 });
const other = new CacheClient({ credentials, configuration: Configurations.Laptop.latest(), defaultTtlMs: 60_000 });

await client.set("cache", "price", "12");
await client.get("cache", "price"); // A call: what it answers is kept.
for (let i = 0; i < 1_000; i++) await client.get("cache", "price"); // No calls.
console.log(`${client.tryGetNear("cache", "price")?.value}, ${client.nearCache.hits} hits`);

await client.set("cache", "price", "13");
console.log((await client.get("cache", "price")).value); // Its own write, at once.

await other.set("cache", "price", "14");
while ((await client.get("cache", "price")).value !== "14"); // Another's, after one push.
console.log(client.nearCache.invalidations);

await client.close();
await other.close();
