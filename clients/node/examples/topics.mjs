// Publish to a topic, and follow it: each message once, in order, and what is missing is told.
import { CacheClient, Configurations, CredentialProvider } from "larder-cache";

const client = new CacheClient({
  credentials: process.env.LARDER_URL ? CredentialProvider.fromEnvironmentVariable() : CredentialProvider.local(),
  configuration: Configurations.Laptop.latest(),
  defaultTtlMs: 60_000,
});
const shop = client.cache("cache");

// From now on; without it, it begins with the newest message that is kept.
const orders = shop.subscribe("orders", { from: "now" });
await orders.established();

for (const order of ["two pencils", Buffer.from([0x7b, 0x7d]), "that is all"]) {
  const published = await shop.publish("orders", order);
  if (published.result === "error") throw published.error;
}

// Leaving the loop ends the subscription. Until then it connects again by itself, and goes on where it was.
read: for await (const event of orders) {
  switch (event.type) {
    case "item":
      console.log(`${event.number}: ${typeof event.value === "string" ? event.value : `${event.value.length} bytes`}`);
      if (event.value === "that is all") break read;
      break;
    case "discontinuity":
      console.log(`messages are missing: ${event.last} was the last, ${event.next} comes next`);
      break;
    case "error":
      console.error(event.error.code, event.error.message);
  }
}

await client.close();
