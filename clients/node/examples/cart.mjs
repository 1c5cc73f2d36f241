// A shopping cart: a dictionary of products and quantities that expires a day after its last change.
import { CacheClient, Configurations, orThrow } from "larder-cache";

const client = new CacheClient({
  credentials: process.env.LARDER_URL ?? "http://127.0.0.1:8080",
  configuration: Configurations.Laptop.latest(),
  defaultTtlMs: 60_000,
});
const cache = client.cache("cache");
const day = { ttlMs: 24 * 3_600_000 };

class Cart {
  constructor(user) {
    this.key = `cart:${user}`;
  }

  async add(product, count = 1) {
    const { value } = orThrow(await cache.dictionaryIncrement(this.key, product, count, day));
    if (value <= 0) orThrow(await cache.dictionaryRemove(this.key, [product]));
  }

  async items() {
    const got = orThrow(await cache.dictionaryFetch(this.key));
    return got.result === "hit" ? got.items.map(([product, count]) => ({ product, count: Number(count) })) : [];
  }

  async empty() {
    orThrow(await cache.dictionaryDelete(this.key));
  }
}

const cart = new Cart("ada");
await cart.empty();
await Promise.all([cart.add("pencil", 2), cart.add("paper"), cart.add("pencil")]);
await cart.add("paper", -1);
console.log(await cart.items());
await cart.empty();
console.log(await cart.items());

await client.close();
