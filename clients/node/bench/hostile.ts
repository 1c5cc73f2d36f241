// Sends arguments of every kind, cancels calls, and lets hooks and factories throw, while the server is paused, stopped
// and restarted. After each round, permits, ids, timers, waiting callers and memory must be back at their initial
// level.
// Usage: ./larder lab hostile --client node [--minutes 10] [--seed N]; exits with code 1 if any check fails.
import { parseArgs } from "node:util";
import { CacheClient, Configurations, CredentialProvider, withSettings } from "../src/index.js";
import { PipelineTransport } from "../src/transport/pipeline-transport.js";
import { HostileCaller } from "./hostile-caller.js";
import { HostileRandom } from "./hostile-random.js";
import { MovableServer } from "./movable-server.js";

/** A client whose internal resources can be inspected. */
class WatchedClient extends CacheClient {
  /** Returns the counts that must be zero when the client is idle. */
  held(): Readonly<Record<string, number>> {
    const { runner, transport } = this.parts;
    const { inFlight, queued } = this.statistics();
    const ids = transport instanceof PipelineTransport ? transport.idsInUse : 0;
    return { permits: inFlight, queued, ids, callers: runner.pendingCalls, signals: runner.watchedSignals };
  }
}

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "10" }, seed: { type: "string", default: String(process.pid) } },
});
const endsAtMs = performance.now() + Number(values.minutes) * 60_000;
const random = new HostileRandom(Number(values.seed));
const collect = globalThis.gc;
if (collect === undefined) throw new Error("run it with node --expose-gc");
const faults: string[] = [];
const fault = (text: string) => {
  faults.push(text);
  console.log(`FAULT ${text}`);
};
process.on("uncaughtException", (error) => fault(`an exception would have ended the process: ${error.stack}`));
process.on("unhandledRejection", (error) => fault(`a rejection would have ended the process: ${String(error)}`));
process.on("warning", () => {});

const server = await MovableServer.start();
const hook = () => {
  if (random.chance(0.5)) throw random.junk();
  if (random.chance(0.5)) return Promise.reject(random.junk());
  return undefined;
};
const clients = (["pipeline", "unary"] as const).map(
  (transport) =>
    new WatchedClient({
      credentials: CredentialProvider.local(server.endpoint),
      configuration: withSettings(Configurations.Laptop.latest(), {
        transport,
        requestTimeoutMs: 2_000,
        maxInFlightPipeline: 200,
        maxInFlightUnary: 50,
        queueLimit: 2_000,
      }),
      defaultTtlMs: 5_000,
      metrics: { callEnded: hook as () => void, connectionChanged: hook as () => void },
    }),
);
for (const client of clients) await client.connect();

const settledMs = 20_000;
// The growth that is permitted. Between rounds without calls, memory use varies by about a tenth of this.
const growthBytes = 2 << 20;
const heaps: number[] = [];
let rounds = 0;
let calls = 0;
const outcomes: Record<string, number> = {};
while (performance.now() < endsAtMs && faults.length < 10) {
  rounds++;
  const caller = new HostileCaller(random, clients, outcomes);
  const story = server.trouble(random);
  const pending = await caller.run(1_000 + random.below(2_000));
  await story;
  calls += pending.length;
  await settled(pending);
  for (const client of clients) await atRest(client);
  collect();
  collect();
  heaps.push(process.memoryUsage().heapUsed);
  if (rounds % 20 === 0) report();
}
const timersBefore = timers();
for (const client of clients) await client.close();
await server.stop();
await new Promise((resolve) => setTimeout(resolve, 100));
if (timers() > 0) fault(`${timers()} of ${timersBefore} timers are left after close`);
// Compares the minimum of the last third of the rounds with the minimum of the middle third. The first third is the
// warm-up. Memory that is in use after only some of the rounds does not count as growth.
const third = Math.floor(heaps.length / 3);
const lowest = (part: readonly number[]) => Math.min(...part);
const growth = heaps.length < 9 ? 0 : lowest(heaps.slice(-third)) - lowest(heaps.slice(third, 2 * third));
if (growth > growthBytes) fault(`the heap grew by ${growth} bytes`);
report();
console.log(
  `heap: ${(growth / 1024).toFixed(0)} KiB more at the end than in the middle (at most ${growthBytes >> 10})`,
);
console.log(
  `${faults.length === 0 ? "held" : "NOT HELD"}: ${rounds} rounds, ${calls} calls, ${faults.length} faults, seed ${values.seed}`,
);
process.exit(faults.length === 0 ? 0 : 1);

function timers(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
}

function report(): void {
  const heapMb = (heaps.at(-1)! / 1e6).toFixed(1);
  console.log(`${rounds} rounds, ${calls} calls, heap ${heapMb} MB, server ${JSON.stringify(server.troubles)}`);
  console.log(`  ${JSON.stringify(outcomes)}`);
}

async function settled(pending: readonly Promise<unknown>[]): Promise<void> {
  let timeout: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timeout = setTimeout(resolve, settledMs, "late");
  });
  if ((await Promise.race([Promise.all(pending), late])) === "late")
    fault(`calls hang ${settledMs} ms after their round`);
  clearTimeout(timeout);
}

/** Waits until the client's calls succeed again and the client has no resources in use. */
async function atRest(client: WatchedClient): Promise<void> {
  const begunMs = performance.now();
  for (;;) {
    const served = await client.cache("cache").set("rest", "1");
    const held = client.held();
    const rests = Object.values(held).every((count) => count === 0);
    if (served.result === "success" && rests) return;
    if (performance.now() - begunMs > settledMs) {
      fault(`not at rest: ${served.result}, ${JSON.stringify(held)}`);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
