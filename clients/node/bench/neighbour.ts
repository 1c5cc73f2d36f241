// N10: measures the small calls of a busy client. Meanwhile, a value of 5 MB is written and read once a second, by the
// same client, by another process, or not at all. The loads are open-loop, and the cases alternate. Prints a table and
// writes bench/results/neighbour.json.
// Usage: node dist/bench/neighbour.js
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Load } from "../agent/load/load.js";
import {
  CacheClient,
  Configurations,
  CredentialProvider,
  ErrorResponse,
  Hit,
  type TransportKind,
  withSettings,
} from "../src/index.js";
import { startLarder } from "./processes.js";
import { type Counts, facts, median, quantileMs } from "./statistics.js";

const largeBytes = 5_000_000;
const rounds = 5;
const load = { seconds: 3, warmupSeconds: 1, callers: 1_000, arrivals: "poisson", progress: false } as const;
// Each rate is about half the maximum rate of the transport if client and server share the same two cores.
const ratePerSecond: Readonly<Record<string, number>> = { pipeline: 50_000, unary: 4_000 };

function clientOf(endpoint: string, transport: TransportKind): CacheClient {
  return new CacheClient({
    credentials: CredentialProvider.local(endpoint),
    configuration: withSettings(Configurations.Laptop.latest(), { transport, requestTimeoutMs: 30_000 }),
    defaultTtlMs: 600_000,
  });
}

/** Writes and reads the large value once a second until stopped. */
function largeValues(client: CacheClient): { stop(): void; readonly count: () => number } {
  const cache = client.cache("cache");
  const value = Buffer.alloc(largeBytes, "v");
  let count = 0;
  const once = async () => {
    await cache.set("large", value);
    const got = await cache.get("large");
    if (!(got instanceof Hit) || got.valueBytes.length !== largeBytes)
      throw new Error(`the large value: ${got.result}`);
    count++;
  };
  const timer = setInterval(() => void once(), 1_000);
  return { stop: () => clearInterval(timer), count: () => count };
}

/** Runs the work of a child process: large values, small calls, or both. Returns the histogram of the small calls. */
async function work(endpoint: string, transport: TransportKind, what: string): Promise<object> {
  await using client = clientOf(endpoint, transport);
  const cache = client.cache("cache");
  await client.connect();
  const large = what === "small" ? null : largeValues(client);
  if (what === "large")
    await new Promise((resolve) => setTimeout(resolve, (load.seconds + load.warmupSeconds) * 1_000));
  let histogram: object = {};
  if (what !== "large") {
    const target = {
      get: (key: string) => cache.get(key),
      set: (key: string, value: string) => cache.set(key, value),
      valueOf: (response: unknown) => (response instanceof Hit ? response.value : null),
      errorCode: (response: unknown) => (response instanceof ErrorResponse ? response.error.code : null),
      connections: () => client.statistics().connections,
    };
    const request = { ...load, openLoopRatePerSecond: ratePerSecond[transport]! };
    histogram = ((await new Load(target, request, () => {}).run()) as { histogram: object }).histogram;
  }
  large?.stop();
  return { histogram, large: large?.count() ?? 0 };
}

async function measure(): Promise<void> {
  const larder = await startLarder();
  const start = async (transport: string, what: string) => {
    const program = fileURLToPath(import.meta.url);
    const { stdout } = await promisify(execFile)(process.execPath, [program, larder.endpoint, transport, what]);
    return JSON.parse(stdout) as { histogram: { counts: Counts }; large: number };
  };
  const rows = [];
  for (const transport of ["pipeline", "unary"]) {
    const p99Ms: Record<string, number[]> = { alone: [], sameClient: [], otherProcess: [] };
    let large = 0;
    for (let round = 0; round < rounds; round++) {
      const alone = await start(transport, "small");
      p99Ms.alone!.push(quantileMs(alone.histogram.counts, 0.99));
      const same = await start(transport, "both");
      p99Ms.sameClient!.push(quantileMs(same.histogram.counts, 0.99));
      const [other, process] = await Promise.all([start(transport, "small"), start(transport, "large")]);
      p99Ms.otherProcess!.push(quantileMs(other.histogram.counts, 0.99));
      large += same.large + process.large;
    }
    const of = (lane: string) => Number(median(p99Ms[lane]!).toFixed(2));
    rows.push({
      transport,
      ratePerSecond: ratePerSecond[transport]!,
      aloneP99Ms: of("alone"),
      sameClientP99Ms: of("sameClient"),
      otherProcessP99Ms: of("otherProcess"),
      ratio: Number((of("sameClient") / of("otherProcess")).toFixed(2)),
      largeValues: large,
    });
  }
  larder.stop();
  console.table(rows);
  const file = new URL("../../bench/results/neighbour.json", import.meta.url);
  const about = { ...facts("node dist/bench/neighbour.js"), rounds, load, largeBytes };
  writeFileSync(file, `${JSON.stringify({ ...about, rows }, null, 1)}\n`);
}

const [endpoint, transport, what] = process.argv.slice(2);
if (what === undefined) await measure();
else console.log(JSON.stringify(await work(endpoint!, transport as TransportKind, what)));
