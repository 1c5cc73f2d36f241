// A cache handler of Next: its path is `cacheHandler` in next.config, beside `cacheMaxMemorySize: 0`.
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
