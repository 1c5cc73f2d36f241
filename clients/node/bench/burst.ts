// Measures many concurrent calls under a strict deadline, and compares unary calls over one, two and five channels.
// Prints tables and writes bench/results/burst.json.
// Usage: node dist/bench/burst.js
import { writeFileSync } from "node:fs";
import { CacheClient, type Configuration, Configurations, CredentialProvider, withSettings } from "../src/index.js";
import { Agent, startLarder } from "./processes.js";
import { type Counts, facts, median, quantileMs } from "./statistics.js";

const larder = await startLarder();
const rounds = 5;
const base = Configurations.InRegion.Default.v1();

async function burst(name: string, calls: number, changes: Partial<Configuration>): Promise<object> {
  await using client = new CacheClient({
    credentials: CredentialProvider.local(larder.endpoint),
    configuration: withSettings(base, changes),
    defaultTtlMs: 60_000,
  });
  const cache = client.cache("cache");
  await client.connect();
  await cache.set("key", "value", { timeoutMs: 30_000 });
  const codes: Record<string, number> = {};
  let slowestMs = 0;
  const one = async () => {
    const from = performance.now();
    const response = await cache.get("key");
    slowestMs = Math.max(slowestMs, performance.now() - from);
    const code = response.result === "error" ? response.error.code : response.result;
    codes[code] = (codes[code] ?? 0) + 1;
  };
  await Promise.all(Array.from({ length: calls }, one));
  return { name, calls, slowestMs: Number(slowestMs.toFixed(1)), ...codes };
}

const bursts = [
  await burst("3,000 at once, 1,100 ms, pipeline", 3_000, { transport: "pipeline" }),
  await burst("3,000 at once, 1,100 ms, unary", 3_000, { transport: "unary", maxInFlightUnary: 100 }),
  await burst("400 at once, cap 10, 300 ms, pipeline", 400, { ...deadline300(), transport: "pipeline" }),
  await burst("400 at once, cap 10, 300 ms, unary", 400, { ...deadline300(), transport: "unary" }),
];
console.table(bursts);

// Compares one, two and five channels in alternating rounds. Each agent keeps its connections open between its rounds.
const lanes = [];
for (const channels of [1, 2, 5]) {
  const agent = new Agent();
  await agent.ask("open", { endpoint: larder.endpoint, transport: "unary", maxInFlight: 100, channels });
  lanes.push({ channels, agent, rates: [] as number[], p99Ms: [] as number[], channelsReady: 0 });
}
for (let round = 0; round < rounds; round++)
  for (const lane of lanes) {
    const answer = await lane.agent.ask("load", { callers: 100, seconds: 1.2, warmupSeconds: 0.4, progress: false });
    const { counts } = answer.histogram as { readonly counts: Counts };
    lane.rates.push((answer.requests as number) / (answer.seconds as number));
    lane.p99Ms.push(quantileMs(counts, 0.99));
    lane.channelsReady = answer.connections as number;
  }
const channels = lanes.map(({ channels, rates, p99Ms, channelsReady, agent }) => {
  agent.end();
  const [requestsPerSecond, p99] = [Math.round(median(rates)), Number(median(p99Ms).toFixed(1))];
  return { channels, channelsReady, requestsPerSecond, p99Ms: p99 };
});
console.table(channels);
larder.stop();
const file = new URL("../../bench/results/burst.json", import.meta.url);
const about = { ...facts("node dist/bench/burst.js"), rounds };
writeFileSync(file, `${JSON.stringify({ ...about, bursts, channels }, null, 1)}\n`);

function deadline300(): Partial<Configuration> {
  return { requestTimeoutMs: 300, maxInFlightUnary: 10, maxInFlightPipeline: 10 };
}
