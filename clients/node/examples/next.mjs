// A cache handler of Next: its path is `cacheHandler` in next.config, beside `cacheMaxMemorySize: 0`.
import { CacheClient, Configurations, CredentialProvider } from "larder-cache";
import { nextCacheHandler } from "larder-cache/next";

const client = new CacheClient({
  credentials: process.env.LARDER_URL ? CredentialProvider.fromEnvironmentVariable() : CredentialProvider.local(),
  configuration: Configurations.Laptop.latest(),
  defaultTtlMs: 60_000,
});

export default nextCacheHandler({
  client,
  cacheName: "cache",
  onError: (error) => console.error(error.code, error.message),
});
