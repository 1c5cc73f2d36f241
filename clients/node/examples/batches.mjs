// Import many items in one call, invalidate a supplier's products by tag, and read many items in one call.
import { CacheClient, Configurations, orThrow } from "larder-cache";

const client = new CacheClient({
  credentials: process.env.LARDER_URL ?? "http://127.0.0.1:8080",
  configuration: Configurations.Laptop.latest(),
  defaultTtlMs: 60_000,
});
const cache = client.cache("cache");

// Accepts an object or a Map, or pairs and triples if an item has its own TTL.
orThrow(await cache.setBatch({ "price:pencil": "1.20", "price:paper": "3.40" }, { ttlMs: 30_000 }));
const ink = ["price:ink", "8.90", 5_000];
orThrow(await cache.setBatch([ink, ["price:eraser", "0.50"]]));

// Items with tags are set one by one. The client sends the calls of one event-loop turn together.
const products = { pencil: "acme", paper: "acme", ink: "blot" };
const sets = Object.entries(products).map(([name, supplier]) =>
  cache.setWithTags(`product:${name}`, `${name} of ${supplier}`, [`supplier:${supplier}`, "products"]),
);
for (const set of await Promise.all(sets)) orThrow(set);

const keys = Object.keys(products).map((name) => `product:${name}`);
const show = async () => {
  const { responses } = orThrow(await cache.getBatch(keys));
  console.log(responses.map((each) => (each.result === "hit" ? each.value : each.result)).join(", "));
};
await show();
orThrow(await cache.removeByTag(["supplier:acme"]));
await show();
console.log(await cache.getBatch(["price:pencil", "price:none"]));

await client.close();
