// NestJS with Larder through its cache module:
// `npm install @nestjs/core @nestjs/common @nestjs/platform-express @nestjs/cache-manager cache-manager keyv`.
// In TypeScript, use decorators: `@Controller() @UseInterceptors(CacheInterceptor) class Prices { … }`.
import "reflect-metadata";
import { CACHE_MANAGER, CacheInterceptor, CacheModule } from "@nestjs/cache-manager";
import { Controller, Get, Inject, Module, Post, UseInterceptors } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { Keyv } from "keyv";
import { CacheClient, Configurations } from "larder-cache";
import { KeyvLarder } from "larder-cache/keyv";

const client = new CacheClient({
  credentials: process.env.LARDER_URL ?? "http://127.0.0.1:8080",
  configuration: Configurations.Laptop.latest(),
  defaultTtlMs: 60_000,
});
const keyv = new Keyv({ store: new KeyvLarder({ client, cacheName: "cache" }), namespace: "nest" });
keyv.on("error", (error) => console.error(error.code, error.message));

let asked = 0;
class Prices {
  constructor(cache) {
    this.cache = cache;
  }
  list() {
    return { pencil: "1.00", asked: ++asked };
  }
  async change() {
    await this.cache.del("/prices");
    return "changed";
  }
}
Controller()(Prices);
UseInterceptors(CacheInterceptor)(Prices);
Inject(CACHE_MANAGER)(Prices, undefined, 0);
Get("prices")(Prices.prototype, "list", Object.getOwnPropertyDescriptor(Prices.prototype, "list"));
Post("prices")(Prices.prototype, "change", Object.getOwnPropertyDescriptor(Prices.prototype, "change"));

class App {}
Module({ imports: [CacheModule.register({ stores: [keyv], ttl: 60_000 })], controllers: [Prices] })(App);

const app = await NestFactory.create(App, { logger: ["error"] });
await app.listen(0, "127.0.0.1");
const url = `${await app.getUrl()}/prices`;
const get = async () => (await fetch(url)).text();
console.log(await get());
console.log(await get());
await fetch(url, { method: "POST" });
console.log(await get());

await app.close();
