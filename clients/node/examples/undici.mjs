// Cache HTTP responses of other servers as their headers allow: `npm install undici`.
import { once } from "node:events";
import { createServer } from "node:http";
import { CacheClient, Configurations } from "larder-cache";
import { LarderCacheStore } from "larder-cache/undici";
import { Agent, interceptors, request } from "undici";

const client = new CacheClient({
  credentials: process.env.LARDER_URL ?? "http://127.0.0.1:8080",
  configuration: Configurations.Laptop.latest(),
  defaultTtlMs: 60_000,
});
const store = new LarderCacheStore({
  client,
  cacheName: "cache",
  onError: (error) => console.error(error.code, error.message),
});
const dispatcher = new Agent().compose(interceptors.cache({ store }));

let asked = 0;
const server = createServer((_, response) => {
  response.setHeader("cache-control", "public, max-age=60");
  response.end(`answer ${++asked}`);
});
server.listen(0, "127.0.0.1");
await once(server, "listening");

const url = `http://127.0.0.1:${server.address().port}/`;
const first = await request(url, { dispatcher });
console.log(await first.body.text());
const second = await request(url, { dispatcher });
console.log(await second.body.text(), second.headers.age === undefined ? "from its server" : "from the cache");

await dispatcher.close();
server.close();
await client.close();
