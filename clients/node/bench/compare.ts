// Compares requests per second and latency of the client and its peers. Each round measures all of them in turn. Each
// run measures for about `seconds`, stores every round in bench/results/compare.rounds.json (not committed) and
// continues from that file until it has five rounds. Prints a table and writes bench/results/compare.json from all
// rounds.
// Usage: node dist/bench/compare.js [seconds]; delete compare.rounds.json to start over.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { Agent, type Answer, startLarder, startRedis } from "./processes.js";
import { type Counts, facts, median, pooled, quantileMs, samplesOf } from "./statistics.js";

interface Round {
  readonly requestsPerSecond: number;
  readonly requestsPerCpuSecond: number;
  readonly residentMb: number;
  readonly errors: number;
  readonly counts: Counts;
}

// These clients are not measured with 200 callers, because no performance target for them uses this number.
const slowLanes = new Set(["unary", "grpc-js", "momento"]);
const inFlight = [1, 2, 50, 100, 200, 1_000, 5_000];
const rounds = 5;
const load = { seconds: 0.8, warmupSeconds: 0.4, progress: false };
// With fewer samples, p99.9 is not meaningful.
const leastSamples = 10_000;
const budgetMs = Number(process.argv[2] ?? 180) * 1_000;
const begun = performance.now();
const results = (name: string) => new URL(`../../bench/results/${name}`, import.meta.url);
const kept = results("compare.rounds.json");
const runs: Record<string, Round[]> = existsSync(kept) ? JSON.parse(readFileSync(kept, "utf8")) : {};
// 5,000 callers use the configuration's default concurrency limit. Otherwise the limit equals the number of callers.
const capFor = (callers: number) => (callers === 5_000 ? {} : { maxInFlight: callers });

const larder = await startLarder();
const redis = await startRedis(20_000 + (process.pid % 10_000));
const lanes = [
  { name: "pipeline", agent: new Agent(), open: { endpoint: larder.endpoint, transport: "pipeline" }, capped: true },
  { name: "ioredis", agent: new Agent(["--peer", "ioredis"]), open: { endpoint: redis.endpoint }, capped: false },
  { name: "unary", agent: new Agent(), open: { endpoint: larder.endpoint, transport: "unary" }, capped: true },
  { name: "grpc-js", agent: new Agent(["--peer", "grpc-js"]), open: { endpoint: larder.endpoint }, capped: false },
  { name: "momento", agent: new Agent(["--peer", "momento"]), open: { endpoint: larder.endpoint }, capped: false },
];
const lanesAt = (callers: number) => lanes.filter(({ name }) => callers !== 200 || !slowLanes.has(name));

const measured = await measure();
for (const { agent } of lanes) agent.end();
larder.stop();
redis.stop();
if (!measured) console.log("not all rounds are measured yet: run it again");

const rows = inFlight.flatMap((callers) => lanesAt(callers).flatMap(({ name }) => rowOf(name, callers)));
console.table(rows);
const file = { ...facts("node dist/bench/compare.js"), load, rows };
writeFileSync(results("compare.json"), `${JSON.stringify(file, null, 1)}\n`);

/** Measures the missing rounds. Returns false if the time budget ends before all rounds are measured. */
async function measure(): Promise<boolean> {
  for (let round = 0; round < rounds; round++)
    for (const callers of inFlight) {
      if ((runs[`pipeline ${callers}`]?.length ?? 0) > round) continue;
      if (performance.now() - begun > budgetMs) return false;
      const row: Record<string, Round> = {};
      for (const { name, agent, open, capped } of lanesAt(callers)) {
        await agent.ask("open", { ...open, requestTimeoutMs: 30_000, ...(capped ? capFor(callers) : {}) });
        row[`${name} ${callers}`] = roundOf(await agent.ask("load", { callers, ...load }));
        await agent.ask("close");
      }
      // Saves the results only after all clients have been measured, so that all clients have the same number of
      // rounds.
      for (const [key, figures] of Object.entries(row)) runs[key] = [...(runs[key] ?? []), figures];
      writeFileSync(kept, JSON.stringify(runs));
    }
  return true;
}

function roundOf(answer: Answer): Round {
  const requests = answer.requests as number;
  const { counts } = answer.histogram as { readonly counts: Counts };
  return {
    requestsPerSecond: requests / (answer.seconds as number),
    requestsPerCpuSecond: requests / (answer.clientCpuSeconds as number),
    residentMb: (answer.residentBytes as number) / 1e6,
    errors: Object.values(answer.errors as Record<string, number>).reduce((sum, count) => sum + count, 0),
    counts,
  };
}

function rowOf(client: string, callers: number): object[] {
  const all = runs[`${client} ${callers}`];
  if (all === undefined) return [];
  const rate = (name: string) => median(runs[`${name} ${callers}`]!.map((each) => each.requestsPerSecond));
  return [
    {
      client,
      callers,
      rounds: all.length,
      requestsPerSecond: Math.round(rate(client)),
      toIoredis: Number((rate(client) / rate("ioredis")).toFixed(2)),
      p50Ms: Number(median(all.map(({ counts }) => quantileMs(counts, 0.5))).toFixed(3)),
      p999Ms: p999Ms(all),
      errors: all.reduce((sum, each) => sum + each.errors, 0),
      requestsPerCpuSecond: Math.round(median(all.map((each) => each.requestsPerCpuSecond))),
      residentMb: Math.round(median(all.map((each) => each.residentMb))),
    },
  ];
}

// Returns the median of the rounds' p99.9 values. If a round has too few samples, returns the p99.9 value of the
// samples of all rounds together. If all rounds together have too few samples, returns null.
function p999Ms(all: readonly Round[]): number | null {
  const together = pooled(all.map(({ counts }) => counts));
  if (samplesOf(together) < leastSamples) return null;
  const enough = all.every(({ counts }) => samplesOf(counts) >= leastSamples);
  const value = enough ? median(all.map(({ counts }) => quantileMs(counts, 0.999))) : quantileMs(together, 0.999);
  return Number(value.toFixed(3));
}
