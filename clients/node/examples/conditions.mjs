// A set that happens only where nobody else was faster.
import { CacheClient, Configurations, CredentialProvider } from "larder-cache";

const client = new CacheClient({
  credentials: process.env.LARDER_URL ? CredentialProvider.fromEnvironmentVariable() : CredentialProvider.local(),
  configuration: Configurations.Laptop.latest(),
  defaultTtlMs: 60_000,
});
const cache = client.cache("cache");

// Adds a name to a list that others change at the same time: it is stored only where it is still what was read.
async function join(name) {
  for (;;) {
    const found = await cache.getWithHash("members");
    if (found.result === "error") throw found.error;
    const stored =
      found.result === "missing"
        ? await cache.setIfAbsent("members", name)
        : await cache.setIfPresentAndHashEqual("members", `${found.value} ${name}`, found.hash);
    if (stored.result === "error") throw stored.error;
    if (stored.result === "stored") return;
  }
}

await cache.delete("members");
await Promise.all(["Ada", "Barbara", "Edsger", "Grace"].map(join));
const members = await cache.get("members");
if (members.result === "hit") console.log(members.value.split(" ").sort().join(" "));

// One of several workers does what is to be done once.
await cache.delete("tidied");
for (const worker of ["one", "two", "three"]) {
  const first = await cache.setIfAbsent("tidied", worker, { ttlMs: 30_000 });
  console.log(worker, first.result);
}

await client.close();
