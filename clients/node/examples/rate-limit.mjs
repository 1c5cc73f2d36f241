// Allow at most 5 requests a minute from each address. If the cache fails or is slow, requests are allowed.
import { CacheClient, Configurations } from "larder-cache";

const client = new CacheClient({
  credentials: process.env.LARDER_URL ?? "http://127.0.0.1:8080",
  configuration: Configurations.Laptop.latest(),
  defaultTtlMs: 60_000,
});
const limits = client.cache("cache").withTimeout(2_000);

// The first request of a window sets the TTL. Later requests do not change it.
async function check(address) {
  const key = `requests:${address}`;
  const count = await limits.increment(key, 1, { ttlMs: 60_000, keepTtl: true });
  if (count.result === "error") return { allowed: true, reason: count.error.code };
  if (count.value <= 5) return { allowed: true };
  const window = await limits.itemGetTtl(key);
  const retryAfterMs = window.result === "hit" ? window.remainingTtlMs : 0;
  return { allowed: false, retryAfterMs };
}

await limits.delete("requests:192.0.2.7");
const checks = [];
for (let i = 0; i < 8; i++) checks.push(await check("192.0.2.7"));
console.log(`${checks.filter(({ allowed }) => allowed).length} of ${checks.length} pass`);
console.log(`retry after ${Math.ceil(checks[7].retryAfterMs / 60_000)} min`);

await client.close();
console.log(await check("192.0.2.7"));
