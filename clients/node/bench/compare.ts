// Requests a second and latency beside the peers, in one run, alternating: A B C D, A B C D … Prints a table and writes
// bench/results/compare.json. Usage: node dist/bench/compare.js [rounds]
import { writeFileSync } from "node:fs";
import { largestIn } from "../agent/histogram.js";
import { Agent, type Answer, startLarder, startRedis } from "./processes.js";

interface Figures {
  readonly requestsPerSecond: number;
  readonly p50Us: number;
  readonly p999Us: number;
  readonly samples: number;
  readonly errors: number;
  readonly requestsPerCpuSecond: number;
}

// The slow lanes are measured at these only, so that five rounds of everything take two minutes.
const slowLanes = new Set(["unary", "momento"]);
const slowInFlight = new Set([1, 50, 1_000, 5_000]);
const inFlight = [1, 2, 50, 100, 200, 1_000, 5_000];
const rounds = Number(process.argv[2] ?? 5);
const load = { seconds: 0.6, warmupSeconds: 0.3, progress: false };
const redisPort = 20_000 + (process.pid % 10_000);
// 5,000 callers run under the configuration's own cap, the others under a cap of as many as they are.
const capFor = (callers: number) => (callers === 5_000 ? {} : { maxInFlight: callers });

const larder = await startLarder();
const redis = await startRedis(redisPort);
const lanes = [
  { name: "pipeline", agent: new Agent(), open: { endpoint: larder.endpoint, transport: "pipeline" }, capped: true },
  { name: "ioredis", agent: new Agent("--peer", "ioredis"), open: { endpoint: redis.endpoint }, capped: false },
  { name: "unary", agent: new Agent(), open: { endpoint: larder.endpoint, transport: "unary" }, capped: true },
  { name: "momento", agent: new Agent("--peer", "momento"), open: { endpoint: larder.endpoint }, capped: false },
];

const runs = new Map<string, Figures[]>();
for (let round = 0; round < rounds; round++)
  for (const callers of inFlight)
    for (const { name, agent, open, capped } of lanes) {
      if (slowLanes.has(name) && !slowInFlight.has(callers)) continue;
      await agent.ask("open", { ...open, requestTimeoutMs: 30_000, ...(capped ? capFor(callers) : {}) });
      const figures = figuresOf(await agent.ask("load", { callers, ...load }));
      await agent.ask("close");
      const key = `${name} ${callers}`;
      runs.set(key, [...(runs.get(key) ?? []), figures]);
    }
for (const { agent } of lanes) agent.end();
larder.stop();
redis.stop();

const rows = inFlight.flatMap((callers) => {
  const peer = median(runs.get(`ioredis ${callers}`)!.map((each) => each.requestsPerSecond));
  return lanes.flatMap(({ name }) => {
    const all = runs.get(`${name} ${callers}`);
    if (all === undefined) return [];
    const of = (field: keyof Figures) => median(all.map((each) => each[field]));
    return {
      client: name,
      callers,
      requestsPerSecond: Math.round(of("requestsPerSecond")),
      toIoredis: Number((of("requestsPerSecond") / peer).toFixed(2)),
      p50Ms: Number((of("p50Us") / 1_000).toFixed(3)),
      p999Ms: Number((of("p999Us") / 1_000).toFixed(3)),
      errors: all.reduce((sum, each) => sum + each.errors, 0),
      samples: all.reduce((sum, each) => sum + each.samples, 0),
      requestsPerCpuSecond: Math.round(of("requestsPerCpuSecond")),
    };
  });
});
console.table(rows);
const file = new URL("../../bench/results/compare.json", import.meta.url);
writeFileSync(file, `${JSON.stringify({ node: process.version, rounds, load, rows }, null, 1)}\n`);

function figuresOf(answer: Answer): Figures {
  const { counts } = answer.histogram as { readonly counts: readonly (readonly [number, number])[] };
  const samples = counts.reduce((sum, [, count]) => sum + count, 0);
  const quantileUs = (quantile: number) => {
    let running = 0;
    const found = counts.find(([, count]) => {
      running += count;
      return running >= Math.ceil(quantile * samples);
    });
    return found === undefined ? 0 : largestIn(found[0]) / 1_000;
  };
  const requests = answer.requests as number;
  return {
    requestsPerSecond: requests / (answer.seconds as number),
    p50Us: quantileUs(0.5),
    p999Us: quantileUs(0.999),
    samples,
    errors: Object.values(answer.errors as Record<string, number>).reduce((sum, count) => sum + count, 0),
    requestsPerCpuSecond: requests / (answer.clientCpuSeconds as number),
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}
