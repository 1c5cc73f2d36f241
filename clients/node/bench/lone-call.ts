// Compares sequential gets of the client with those of ioredis. Both run in this process and alternate. Measures calls
// per second, and the CPU time per call, which other programs on the machine affect less. Prints a table of medians.
// Usage: node dist/bench/lone-call.js [alternations, default 100]
import { performance } from "node:perf_hooks";
import { Redis } from "ioredis";
import { CacheClient, Configurations, CredentialProvider } from "../src/index.js";
import { startLarder, startRedis } from "./processes.js";
import { median } from "./statistics.js";

const alternations = Number(process.argv[2] ?? 100);
const lengthMs = 100;
const value = "v".repeat(100);

const [larder, redisServer] = [await startLarder(), await startRedis(20_000 + (process.pid % 10_000))];
const client = await CacheClient.create({
  credentials: CredentialProvider.local(larder.endpoint),
  configuration: Configurations.Laptop.latest(),
  defaultTtlMs: 600_000,
});
const cache = client.cache("cache");
const [host, port] = redisServer.endpoint.split(":");
const redis = new Redis({ host: host!, port: Number(port) });
await cache.set("key", value);
await redis.set("key", value);

const lanes = {
  larder: () => cache.get("key"),
  ioredis: () => redis.get("key"),
};
type Lane = keyof typeof lanes;
const names = Object.keys(lanes) as Lane[];
const runs: Record<Lane, { callsPerSecond: number; cpuUs: number }[]> = { larder: [], ioredis: [] };

// The first turn of each client is a warm-up.
for (let turn = -1; turn < alternations; turn++)
  for (const name of turn % 2 === 0 ? names : [...names].reverse()) {
    const run = await measure(lanes[name]);
    if (turn >= 0) runs[name].push(run);
  }
await client.close();
redis.disconnect();
larder.stop();
redisServer.stop();

const ratio = (of: "callsPerSecond" | "cpuUs") =>
  Number(median(runs.larder.map((run, i) => run[of] / runs.ioredis[i]![of])).toFixed(3));
console.table({
  ...Object.fromEntries(names.map((name) => [name, middle(name)])),
  "larder / ioredis, pair by pair": { callsPerSecond: ratio("callsPerSecond"), cpuUs: ratio("cpuUs") },
});

async function measure(call: () => Promise<unknown>): Promise<{ callsPerSecond: number; cpuUs: number }> {
  const cpu = process.cpuUsage();
  const begun = performance.now();
  let calls = 0;
  for (; performance.now() - begun < lengthMs; calls++) await call();
  const seconds = (performance.now() - begun) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  return { callsPerSecond: calls / seconds, cpuUs: (user + system) / calls };
}

function middle(name: Lane): { callsPerSecond: number; cpuUs: number } {
  const of = (field: "callsPerSecond" | "cpuUs") => median(runs[name].map((run) => run[field]));
  return { callsPerSecond: Math.round(of("callsPerSecond")), cpuUs: Number(of("cpuUs").toFixed(2)) };
}
