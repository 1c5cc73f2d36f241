// A job queue: workers take each job once and put it back if they cannot finish it in time.
import { setTimeout } from "node:timers/promises";
import { CacheClient, Configurations, orThrow } from "larder-cache";

const client = new CacheClient({
  credentials: process.env.LARDER_URL ?? "http://127.0.0.1:8080",
  configuration: Configurations.Laptop.latest(),
  defaultTtlMs: 60_000,
});
const cache = client.cache("cache");
const done = [];

async function run({ name, attempts, takesMs }, signal) {
  // Simulates a slow first attempt and a fast second attempt.
  await setTimeout(attempts === 1 ? takesMs : 0, undefined, { signal });
  done.push(`${name} after ${attempts}`);
}

async function work() {
  for (;;) {
    const taken = orThrow(await cache.listPopFront("jobs"));
    if (taken.result === "miss") return;
    const job = JSON.parse(taken.value);
    job.attempts++;
    try {
      await run(job, AbortSignal.timeout(50));
    } catch {
      orThrow(await cache.listPushBack("jobs", JSON.stringify(job), { ttlMs: 3_600_000 }));
    }
  }
}

const job = (name, takesMs) => JSON.stringify({ name, attempts: 0, takesMs });
await cache.delete("jobs");
orThrow(await cache.listConcatenateBack("jobs", [job("mail", 0), job("report", 60_000), job("backup", 0)]));
await Promise.all([work(), work()]);
console.log(done.sort().join("\n"));

await client.close();
