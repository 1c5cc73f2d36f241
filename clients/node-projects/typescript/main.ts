// Uses a type from every entry point. Compiled once for every module kind.
import {
  type Cache,
  CacheClient,
  type CacheError,
  Configurations,
  CredentialProvider,
  type Hit,
  type LookupResponse,
  withSettings,
} from "larder-cache";
import { LarderStore } from "larder-cache/express-session";
import { FakeServer } from "larder-cache/fake";
import { KeyvLarder } from "larder-cache/keyv";
import { messagePackCodec } from "larder-cache/messagepack";
import { nextCacheHandler } from "larder-cache/next";
import { openTelemetryHooks } from "larder-cache/opentelemetry";
import { RateLimiterLarder } from "larder-cache/rate-limiter-flexible";
import { LarderCacheStore } from "larder-cache/undici";

export const entryPoints = [
  LarderStore,
  KeyvLarder,
  messagePackCodec,
  nextCacheHandler,
  openTelemetryHooks,
  RateLimiterLarder,
  LarderCacheStore,
];

export const remote = (): CacheClient =>
  new CacheClient({
    credentials: CredentialProvider.local("127.0.0.1:8080"),
    configuration: withSettings(Configurations.Laptop.latest(), { maxRetries: 0 }),
    defaultTtlMs: 60_000,
  });

async function main(): Promise<void> {
  const client: CacheClient = new FakeServer().client();
  const cache: Cache = client.cache("cache");
  await cache.set("key", "value");
  const got: LookupResponse<Hit> = await cache.get("key");
  if (got.result === "error") throw got.error satisfies CacheError;
  console.log(got.result === "hit" ? got.value : "miss", entryPoints.map((each) => typeof each).join());
  await client.close();
}

void main();
