// A rate limit shared by many processes: `npm install rate-limiter-flexible`.
import { CacheClient, Configurations } from "larder-cache";
import { RateLimiterLarder } from "larder-cache/rate-limiter-flexible";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

const storeClient = new CacheClient({
  credentials: process.env.LARDER_URL ?? "http://127.0.0.1:8080",
  configuration: Configurations.Laptop.latest(),
  defaultTtlMs: 60_000,
});
// 100 requests a minute from each address. If the cache is unavailable, this process allows 20.
const limiter = new RateLimiterLarder({
  storeClient,
  cacheName: "cache",
  keyPrefix: "requests",
  points: 100,
  duration: 60,
  insuranceLimiter: new RateLimiterMemory({ points: 20, duration: 60 }),
});

async function statusOf(address) {
  try {
    await limiter.consume(address);
    return 200;
  } catch (refusal) {
    // Any other rejection is a cache error that no insurance limiter has handled.
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return 429; // Retry-After: Math.ceil(refusal.msBeforeNext / 1_000)
  }
}

await limiter.delete("192.0.2.7");
const statuses = await Promise.all(Array.from({ length: 200 }, () => statusOf("192.0.2.7")));
console.log(`${statuses.filter((status) => status === 200).length} of ${statuses.length} pass`);
console.log(await statusOf("192.0.2.8"));

await storeClient.close();
