// Load a value in only one of all processes, return the expired value during the load, and invalidate values by tag.
import { setTimeout } from "node:timers/promises";
import { CacheClient, Configurations } from "larder-cache";

// Two clients, which act as two processes.
const clients = [1, 2].map(
  () =>
    new CacheClient({
      credentials: process.env.LARDER_URL ?? "http://127.0.0.1:8080",
      configuration: Configurations.Laptop.latest(),
      defaultTtlMs: 60_000,
    }),
);
const [one, other] = clients.map((client) => client.cache("cache"));

let loads = 0;
async function load() {
  await setTimeout(50);
  return `<html>load ${++loads}</html>`;
}
const options = {
  ttlMs: 30_000,
  leaseMs: 10_000, // Longer than a load takes, in case the loading process has died.
  revalidateForMs: 600_000, // How long an expired value is returned while a new one loads in the background.
  failSafeForMs: 3_600_000, // How long an expired value is returned if `load` throws.
  jitter: 0.1, // Shortens each TTL by up to a tenth, so that not all values expire at once.
  tags: ["pages"],
};

await one.delete("page");
const callers = [one, other].flatMap((cache) => Array.from({ length: 100 }, () => cache));
const asked = await Promise.all(callers.map((cache) => cache.getOrSet("page", load, options)));
console.log(`${asked.length} callers, ${loads} load: ${asked[199]}`);

await one.updateTtl("page", 1);
while ((await one.get("page")).result === "hit");
console.log(`expired: ${await other.getOrSet("page", load, options)}`);
for (let got = await one.get("page"); ; got = await one.get("page")) {
  if (got.result !== "hit") continue;
  console.log(`refreshed: ${got.value}`);
  break;
}

await one.removeByTag(["pages"]);
console.log((await other.get("page")).result);

await Promise.all(clients.map((client) => client.close()));
