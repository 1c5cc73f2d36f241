// A product page: all callers of a key share one load, each page has a deadline, and a caller can cancel.
import { CacheClient, Configurations, jsonCodec } from "larder-cache";

const client = new CacheClient({
  credentials: process.env.LARDER_URL ?? "http://127.0.0.1:8080",
  configuration: Configurations.InRegion.Default.latest(),
  defaultTtlMs: 60_000,
});
const cache = client.cache("cache");
const products = cache.typed(jsonCodec());

let loads = 0;
const load = async (id) => ({ id, name: "Pencil", price: 120, loads: ++loads });

async function page(id, signal) {
  const options = { ttlMs: 30_000, timeoutMs: 2_000, signal };
  const { name, price } = await products.getOrSet(`product:${id}`, () => load(id), options);
  return `<h1>${name}</h1> ${(price / 100).toFixed(2)} €`;
}

await cache.delete("product:7");
const pages = await Promise.all(Array.from({ length: 100 }, () => page("7")));
console.log(`${pages.length} pages, ${loads} load: ${pages[0]}`);

// The browser has disconnected, so the call is cancelled and nothing is loaded for it.
const gone = AbortSignal.abort(new Error("the browser has gone"));
await page("8", gone).catch((error) => console.log(error.message));

// Calls that return a response do not reject. If such a call is cancelled, its response is an error with a code.
const got = await cache.get("product:7", { signal: gone });
console.log(got.result === "error" ? got.error.code : got.result);

await client.close();
