// Conditional sets: store a value only if no other process has changed it.
import { CacheClient, Configurations, orThrow } from "larder-cache";

const client = new CacheClient({
  credentials: process.env.LARDER_URL ?? "http://127.0.0.1:8080",
  configuration: Configurations.Laptop.latest(),
  defaultTtlMs: 60_000,
});
const cache = client.cache("cache");

// Adds a name to a list that other processes change concurrently. Retries if the list has changed since it was read.
async function join(name) {
  for (;;) {
    const current = orThrow(await cache.getWithHash("members"));
    const set =
      current.result === "miss"
        ? await cache.setIfAbsent("members", name)
        : await cache.setIfPresentAndHashEqual("members", `${current.value} ${name}`, current.hash);
    if (orThrow(set).result === "stored") return;
  }
}

await cache.delete("members");
await Promise.all(["Ada", "Barbara", "Edsger", "Grace"].map(join));
const members = await cache.get("members");
if (members.result === "hit") console.log(members.value.split(" ").sort().join(" "));

// Only one of several workers runs a task.
await cache.delete("tidied");
for (const worker of ["one", "two", "three"]) {
  const first = await cache.setIfAbsent("tidied", worker, { ttlMs: 30_000 });
  console.log(worker, first.result);
}

await client.close();
