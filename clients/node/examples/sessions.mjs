// Sessions that expire 30 minutes after their last request. If the cache fails, users are logged out but pages work.
import { randomUUID } from "node:crypto";
import { CacheClient, Configurations, jsonCodec, orThrow } from "larder-cache";

const client = new CacheClient({
  credentials: process.env.LARDER_URL ?? "http://127.0.0.1:8080",
  configuration: Configurations.Laptop.latest(),
  defaultTtlMs: 60_000,
});
const cache = client.cache("cache").withTimeout(2_000);
const sessions = cache.typed(jsonCodec());
const ttlMs = 30 * 60_000;

async function logIn(user) {
  const id = randomUUID();
  orThrow(await sessions.set(`session:${id}`, { user, since: Date.now() }, { ttlMs }));
  return id;
}

async function userOf(id) {
  const got = await sessions.get(`session:${id}`);
  if (got.result === "hit") {
    await cache.updateTtl(`session:${id}`, ttlMs);
    return got.value.user;
  }
  if (got.result === "error") console.log(`no session: ${got.error.code}`);
  return "guest";
}

const id = await logIn("Ada");
console.log(await userOf(id));
const left = orThrow(await cache.itemGetTtl(`session:${id}`));
console.log(left.result === "hit" && left.remainingTtlMs > ttlMs - 60_000);
await cache.delete(`session:${id}`);
console.log(await userOf(id));

await client.close();
console.log(await userOf(id));
