// 1,000 callers in four processes request one missing key, whose value takes 200 ms to load. Measures the number of
// loads, and the time until all callers have the value. Prints a table of medians of five rounds.
// Usage: ./larder lab stampede --client node
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createCache } from "cache-manager";
import { Keyv } from "keyv";
import { CacheClient, Configurations, CredentialProvider, withSettings } from "../src/index.js";
import { KeyvLarder } from "../src/integrations/keyv.js";
import { startLarder } from "./processes.js";
import { median } from "./statistics.js";

const processes = 4;
const callers = 250;
const loadMs = 200;
const rounds = 5;

type Load = () => Promise<string>;

/** The ways for a caller to get or load a value. */
const modes: Readonly<Record<string, (client: CacheClient) => (key: string, load: Load) => Promise<unknown>>> = {
  "Larder, getOrSet with a lease": (client) => (key, load) =>
    client.cache("cache").getOrSet(key, load, { leaseMs: 30_000 }),
  "Larder, getOrSet": (client) => (key, load) => client.cache("cache").getOrSet(key, load),
  "cache-manager's wrap on Keyv, on Larder": (client) => {
    const cache = createCache({
      stores: [new Keyv({ store: new KeyvLarder({ client, cacheName: "cache" }) })],
      ttl: 60_000,
    });
    return (key, load) => cache.wrap(key, load);
  },
};

async function child(mode: string, endpoint: string): Promise<void> {
  const client = await CacheClient.create({
    credentials: CredentialProvider.local(endpoint),
    configuration: withSettings(Configurations.Laptop.latest(), { eagerConnect: true, requestTimeoutMs: 30_000 }),
    defaultTtlMs: 60_000,
  });
  const get = modes[mode]!(client);
  let loads = 0;
  const load = async () => {
    loads++;
    await setTimeout(loadMs);
    return "value";
  };
  console.log("ready");
  for await (const key of createInterface({ input: process.stdin })) {
    loads = 0;
    const values = await Promise.all(Array.from({ length: callers }, () => get(key, load)));
    if (!values.every((value) => String(value) === "value")) throw new Error("a caller has another value");
    console.log(loads);
  }
  await client.close();
}

async function row(mode: string, endpoint: string): Promise<object> {
  const start = () =>
    spawn(process.execPath, [fileURLToPath(import.meta.url), mode, endpoint], { stdio: ["pipe", "pipe", "inherit"] });
  const each: ChildProcess[] = Array.from({ length: processes }, start);
  const lines = each.map((one) => createInterface({ input: one.stdout! })[Symbol.asyncIterator]());
  const next = async () => Promise.all(lines.map(async (line) => String((await line.next()).value)));
  if ((await next()).some((line) => line !== "ready")) throw new Error("a process did not begin");
  const [loads, tookMs]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now();
    for (const one of each) one.stdin!.write(`cold-${mode}-${round}\n`);
    loads.push((await next()).reduce((sum, line) => sum + Number(line), 0));
    tookMs.push(performance.now() - begun);
  }
  for (const one of each) one.stdin!.end();
  return { mode, loads: median(loads), "ms until all have it": Math.round(median(tookMs)) };
}

const [mode, endpoint] = process.argv.slice(2);
if (mode !== undefined && endpoint !== undefined) await child(mode, endpoint);
else {
  const server = await startLarder();
  const rows: object[] = [];
  for (const name of Object.keys(modes)) rows.push(await row(name, server.endpoint));
  console.table(rows);
  server.stop();
}
