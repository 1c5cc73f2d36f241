// A Next.js cache handler: set its path as `cacheHandler` in next.config, and set `cacheMaxMemorySize: 0`.
import { CacheClient, Configurations } from "larder-cache";
import { nextCacheHandler } from "larder-cache/next";

const client = new CacheClient({
  credentials: process.env.LARDER_URL ?? "http://127.0.0.1:8080",
  configuration: Configurations.Laptop.latest(),
  defaultTtlMs: 60_000,
});

export default nextCacheHandler({
  client,
  cacheName: "cache",
  onError: (error) => console.error(error.code, error.message),
});
