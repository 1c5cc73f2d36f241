// Feature flags: reads come from this process's memory, and the server notifies the client when a flag changes.
import { CacheClient, Configurations, withSettings } from "larder-cache";

const credentials = process.env.LARDER_URL ?? "http://127.0.0.1:8080";
const configuration = withSettings(Configurations.Laptop.latest(), { nearCache: { maxBytes: 67_108_864 } });
const client = await CacheClient.create({ credentials, configuration, defaultTtlMs: 3_600_000 });
const flags = client.cache("cache");

async function isOn(flag) {
  const got = await flags.get(`flag:${flag}`);
  return got.result === "hit" && got.value === "on";
}

await flags.set("flag:new-checkout", "on");
await isOn("new-checkout"); // Calls the server; the client keeps a copy of the value.
for (let i = 0; i < 1_000; i++) await isOn("new-checkout"); // No calls to the server.
console.log(`${flags.tryGetNear("flag:new-checkout")?.value}, ${client.nearCache.hits} hits`);

await flags.set("flag:new-checkout", "off");
console.log(await isOn("new-checkout")); // The client sees its own write immediately.

// Another process turns the flag on. A message from the server then invalidates the local copy.
const admin = new CacheClient({ credentials, configuration: Configurations.Laptop.latest(), defaultTtlMs: 3_600_000 });
await admin.cache("cache").set("flag:new-checkout", "on");
while (!(await isOn("new-checkout")));
console.log(client.nearCache.invalidations);

await client.close();
await admin.close();
