// Read a collection that is too large for one response, a page at a time.
import { CacheClient, Configurations, orThrow } from "larder-cache";

const client = new CacheClient({
  credentials: process.env.LARDER_URL ?? "http://127.0.0.1:8080",
  configuration: Configurations.Laptop.latest(),
  defaultTtlMs: 60_000,
});
const cache = client.cache("cache");
await cache.dictionarySet(
  "prices",
  Array.from({ length: 5_000 }, (_, i) => [`item ${i}`, String(i)]),
);

// A field may appear on several pages. The last page has no cursor.
const prices = new Map();
let cursor;
do {
  const page = orThrow(await cache.scanItems("prices", { cursor, count: 1_000 }));
  if (page.result === "miss" || page.type !== "dictionary") break;
  for (const [item, price] of page.items) prices.set(item, price);
  cursor = page.cursor;
} while (cursor.length > 0);
console.log(`${prices.size} prices`);

await client.close();
