// One load for all callers of a key at one time, a handle of a cache, and a call that its caller gives up.
import { CacheClient, Configurations, CredentialProvider } from "larder-cache";

const client = new CacheClient({
  credentials: process.env.LARDER_URL ? CredentialProvider.fromEnvironmentVariable() : CredentialProvider.local(),
  configuration: Configurations.InRegion.Default.latest(),
  defaultTtlMs: 60_000,
});
const pages = client.cache("cache");

let loads = 0;
const load = async () => `<html>load ${++loads}</html>`;
await pages.delete("page");
const asked = await Promise.all(Array.from({ length: 100 }, () => pages.getOrSet("page", load, { ttlMs: 30_000 })));
console.log(`${asked.length} callers, ${loads} load: ${asked[0]}`);

const got = await pages.get("page", { signal: AbortSignal.abort(), timeoutMs: 50 });
console.log(got.result === "error" ? got.error.code : got.result);

await client.close();
