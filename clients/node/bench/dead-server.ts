// Measures the cost of a call to an unreachable server after the first failure: 2,000 sequential calls of each kind,
// over both transports. Prints a table.
// Usage: ./larder lab dead-server --client node
import { createServer } from "node:net";
import { CacheClient, Configurations, CredentialProvider, withSettings } from "../src/index.js";

const listener = createServer().listen(0, "127.0.0.1");
await new Promise((resolve) => listener.once("listening", resolve));
const { port } = listener.address() as { port: number };
await new Promise((resolve) => listener.close(resolve));

const rows: object[] = [];
for (const transport of ["pipeline", "unary"] as const) {
  const client = new CacheClient({
    credentials: CredentialProvider.local(`127.0.0.1:${port}`),
    configuration: withSettings(Configurations.Laptop.latest(), { transport }),
    defaultTtlMs: 1_000,
  });
  const cache = client.cache("cache");
  const begun = performance.now();
  await cache.get("key");
  const firstMs = performance.now() - begun;
  const codes = new Set<string>();
  const get = async () => {
    const response = await cache.get("key");
    codes.add(response.result === "error" ? response.error.code : response.result);
  };
  const getOrSet = async () => {
    await cache.getOrSet("key", () => "made");
  };
  for (const [call, work] of [
    ["get", get],
    ["getOrSet", getOrSet],
  ] as const) {
    const tookMs: number[] = [];
    for (let i = 0; i < 2_000; i++) {
      const startedMs = performance.now();
      await work();
      tookMs.push(performance.now() - startedMs);
    }
    tookMs.sort((a, b) => a - b);
    const at = (share: number) => Number(tookMs[Math.floor(tookMs.length * share)]!.toFixed(3));
    rows.push({ transport, call, firstMs: Math.round(firstMs), p50Ms: at(0.5), p99Ms: at(0.99), mostMs: at(0.9999) });
  }
  console.log(transport, [...codes].join(" "));
  await client.close();
}
console.table(rows);
