// Compares the client's unary calls with calls that use grpc-js or node:http2 directly. The direct calls have no
// concurrency limit, retries or queue. The client, grpc-js and node:http2 take turns in one run on the same machine as
// the server. Each has its own process and the same number of connections. With 5,000 callers, only the client limits
// its concurrent calls. Prints a table of medians and writes bench/results/unary.json.
// Usage: node dist/bench/unary.js [--rounds 5] [--seconds 1.5] [--callers 1,25,…] [--before CHECKOUT]
// `--before` also measures the client of another checkout, which it builds.
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { Agent, type Answer, startLarder } from "./processes.js";
import { type Counts, facts, median, quantileMs } from "./statistics.js";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "1.5" },
    callers: { type: "string", default: "1,25,100,1000,5000" },
    before: { type: "string" },
  },
});
const rounds = Number(values.rounds);
const inFlight = values.callers.split(",").map(Number);
const load = { seconds: Number(values.seconds), warmupSeconds: 0.7, progress: false };
// The number of channels of the client. It follows from the concurrency limit. With 5,000 callers, the limit is the
// configuration's default.
const channelsFor = (callers: number) => (callers === 5_000 ? 5 : Math.max(5, Math.ceil(callers / 100)));
const capFor = (callers: number) => (callers === 5_000 ? {} : { maxInFlight: callers });

const larder = await startLarder();
const bare = { capped: false, open: {} };
const unary = { capped: true, open: { transport: "unary" } };
const lanes = [
  { name: "unary", agent: new Agent(), ...unary },
  ...(values.before === undefined
    ? []
    : [
        {
          name: "unary before",
          agent: new Agent([], resolve(values.before, "clients/node/dist/agent/main.js")),
          ...unary,
        },
      ]),
  { name: "grpc-js", agent: new Agent(["--peer", "grpc-js"]), ...bare },
  { name: "node:http2", agent: new Agent(["--peer", "node-http2"]), ...bare },
];
interface Round {
  readonly rate: number;
  readonly cpuUs: number;
  readonly p50Ms: number;
  readonly p999Ms: number;
  readonly errors: number;
}
const runs = new Map<string, Round[]>();
for (const callers of inFlight)
  for (let round = 0; round < rounds; round++)
    for (const { name, agent, open, capped } of lanes) {
      const channels = channelsFor(callers);
      const asked = { endpoint: larder.endpoint, requestTimeoutMs: 30_000, channels, ...open };
      await agent.ask("open", { ...asked, ...(capped ? capFor(callers) : {}) });
      const key = `${callers} ${name}`;
      runs.set(key, [...(runs.get(key) ?? []), roundOf(await agent.ask("load", { callers, ...load }))]);
      await agent.ask("close");
    }
for (const { agent } of lanes) agent.end();
larder.stop();

const rows = inFlight.flatMap((callers) => lanes.map(({ name }) => rowOf(callers, name)));
console.table(rows);
const file = { ...facts("node dist/bench/unary.js"), rounds, load, rows };
writeFileSync(new URL("../../bench/results/unary.json", import.meta.url), `${JSON.stringify(file, null, 1)}\n`);

function roundOf(answer: Answer): Round {
  const requests = answer.requests as number;
  const { counts } = answer.histogram as { readonly counts: Counts };
  return {
    rate: requests / (answer.seconds as number),
    cpuUs: ((answer.clientCpuSeconds as number) * 1e6) / requests,
    p50Ms: quantileMs(counts, 0.5),
    p999Ms: quantileMs(counts, 0.999),
    errors: Object.values(answer.errors as Record<string, number>).reduce((sum, count) => sum + count, 0),
  };
}

function rowOf(callers: number, client: string): object {
  const of = (name: string, field: keyof Round) => runs.get(`${callers} ${name}`)!.map((round) => round[field]);
  const rates = of(client, "rate");
  return {
    callers,
    client,
    requestsPerSecond: Math.round(median(rates)),
    // The lowest and the highest rate of all rounds. Differences smaller than this range are noise.
    spread: `${Math.round(Math.min(...rates))}–${Math.round(Math.max(...rates))}`,
    toGrpcJs: Number((median(rates) / median(of("grpc-js", "rate"))).toFixed(2)),
    cpuUs: Number(median(of(client, "cpuUs")).toFixed(1)),
    p50Ms: Number(median(of(client, "p50Ms")).toFixed(3)),
    p999Ms: Number(median(of(client, "p999Ms")).toFixed(3)),
    errors: of(client, "errors").reduce((sum, count) => sum + count, 0),
  };
}
