// Live notifications: publish and subscribe to a topic. Each message arrives once and in order. If messages were
// missed, a `discontinuity` event arrives.
import { CacheClient, Configurations, orThrow } from "larder-cache";

const client = new CacheClient({
  credentials: process.env.LARDER_URL ?? "http://127.0.0.1:8080",
  configuration: Configurations.Laptop.latest(),
  defaultTtlMs: 60_000,
});
const shop = client.cache("cache");

// Receives only new messages. By default, a subscription begins with the newest stored message.
const orders = shop.subscribe("orders", { from: "now" });
await orders.established();

for (const order of ["two pencils", Buffer.from([0x7b, 0x7d]), "that is all"]) {
  orThrow(await shop.publish("orders", order));
}

// Leaving the loop ends the subscription. If the connection is lost, the subscription continues after the last message.
read: for await (const event of orders) {
  switch (event.type) {
    case "item":
      console.log(`${event.number}: ${typeof event.value === "string" ? event.value : `${event.value.length} bytes`}`);
      if (event.value === "that is all") break read;
      break;
    case "discontinuity":
      console.log(`missed messages between ${event.last} and ${event.next}`);
      break;
    case "error":
      console.error(event.error.code, event.error.message);
  }
}

await client.close();
