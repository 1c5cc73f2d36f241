// Tests the most important network faults between the client and the real server.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CacheClient } from "../../src/client/client.js";
import { ErrorResponse, Hit } from "../../src/client/responses.js";
import type { Configuration, TransportKind } from "../../src/configuration/configuration.js";
import { withSettings } from "../../src/configuration/configuration-check.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { CredentialProvider } from "../../src/configuration/credential-provider.js";
import type { CallReport } from "../../src/telemetry/metrics.js";
import { until } from "../support/fake-server.js";
import { FaultyProxy } from "../support/faulty-proxy.js";
import { type ServerProcess, skipWithoutServer, startServer } from "../support/server-process.js";

/** A client, a proxy, the server behind the proxy, and the calls that ended. */
class Bench implements AsyncDisposable {
  readonly ended: CallReport[] = [];
  readonly client: CacheClient;

  private constructor(
    readonly server: ServerProcess,
    readonly proxy: FaultyProxy,
    transport: TransportKind,
    changes: Partial<Configuration>,
  ) {
    this.client = new CacheClient({
      credentials: CredentialProvider.local(proxy.endpoint),
      // Deadlines that are long enough even on a loaded machine.
      configuration: withSettings(Configurations.Laptop.latest(), { transport, requestTimeoutMs: 30_000, ...changes }),
      defaultTtlMs: 60_000,
      metrics: { callEnded: (report) => this.ended.push(report) },
    });
  }

  static async start(transport: TransportKind, changes: Partial<Configuration> = {}): Promise<Bench> {
    const server = await startServer();
    return new Bench(server, await FaultyProxy.before(server.port), transport, changes);
  }

  /** Stores `keys` keys with distinct values, and a counter. */
  async fill(keys: number): Promise<void> {
    for (let i = 0; i < keys; i++) {
      const set = await this.client.cache("cache").set(`key-${i}`, ownValue(i));
      assert.equal(set.result, "success");
    }
    this.ended.length = 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    this.proxy.stop();
    await this.server.stop("SIGKILL");
  }
}

const keys = 50;
// The values are so long that a cut after a few kilobytes falls inside a value.
const ownValue = (i: number) => `value of ${i} `.padEnd(500, "v");

function codeOf(response: { readonly result: string }): string {
  return response instanceof ErrorResponse ? response.error.code : response.result;
}

function count(codes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

/** Makes gets and increments of one counter. Checks that each get returns the value of its own key. */
function calls(client: CacheClient, gets: number, increments: number) {
  const cache = client.cache("cache");
  const reads = Array.from({ length: gets }, async (_, i) => {
    const response = await cache.get(`key-${i % keys}`);
    if (response instanceof Hit) assert.equal(response.value, ownValue(i % keys), "a crossed reply");
    return codeOf(response);
  });
  const sums = Array.from({ length: increments }, async () => codeOf(await cache.increment("counter")));
  return { reads: Promise.all(reads), sums: Promise.all(sums) };
}

async function counterOf(client: CacheClient): Promise<number> {
  const response = await client.cache("cache").get("counter");
  return response instanceof Hit ? Number(response.value) : 0;
}

for (const transport of ["unary", "pipeline"] as const)
  describe(`faults of connections to the real server, ${transport}`, { skip: skipWithoutServer }, () => {
    test("N4: call on a half-open connection times out; later calls reconnect", async () => {
      const keepalive = { keepaliveIntervalMs: 1_000, keepaliveTimeoutMs: 1_000 };
      await using bench = await Bench.start(transport, { ...keepalive, channels: 2 });
      await bench.fill(1);
      bench.proxy.silence();
      const strict = await bench.client.cache("cache").get("key-0", { timeoutMs: 200 });
      assert.equal(codeOf(strict), "Timeout");
      const patient = await bench.client.cache("cache").get("key-0");
      assert.equal(codeOf(patient), "hit");
      assert.ok(bench.proxy.connections > 0, "on a connection made since");
    });

    test("N5: gets survive a connection reset; increments run at most once", async () => {
      await using bench = await Bench.start(transport);
      await bench.fill(keys);
      const { reads, sums } = calls(bench.client, 400, 200);
      bench.proxy.cutAnswersAfter(3_000);
      assert.deepEqual(count(await reads), { hit: 400 });
      const { success = 0, Unavailable = 0, ...others } = count(await sums);
      assert.deepEqual(others, {});
      assert.equal(success + Unavailable, 200);
      const counter = await counterOf(bench.client);
      assert.ok(success <= counter && counter <= 200, `${success} answered, ${counter} counted`);
      assert.ok(
        bench.ended.some(({ attempts }) => attempts > 1),
        "something was sent again",
      );
    });

    for (const [how, signal] of [
      ["drains", "SIGTERM"],
      ["is killed", "SIGKILL"],
    ] as const)
      test(`N5: no get fails when the server ${how}`, async () => {
        await using bench = await Bench.start(transport);
        await bench.client.cache("cache").set("key-0", ownValue(0));
        const successor = await startServer();
        let stopped = false;
        const codes: string[] = [];
        const caller = async (_: unknown, i: number) => {
          while (!stopped) codes.push(codeOf(await bench.client.cache("cache").get(`key-${i % 2}`)));
        };
        const callers = Array.from({ length: 40 }, caller);
        await until(() => codes.length > 500);
        bench.proxy.targetPort = successor.port;
        await bench.server.stop(signal);
        const before = codes.length;
        await until(() => codes.length > before + 500);
        stopped = true;
        await Promise.all(callers);
        const { hit = 0, miss = 0, ...failed } = count(codes);
        assert.deepEqual(failed, {});
        assert.ok(hit > 0 && miss > 0, "the new server has none of the values");
        await successor.stop("SIGKILL");
      });
  });

describe("faults of connections to the real server, pipeline only", { skip: skipWithoutServer }, () => {
  test("N9: each call ends once when a busy stream breaks", async () => {
    await using bench = await Bench.start("pipeline", { maxInFlightPipeline: 5_000 });
    await bench.fill(keys);
    let made = 0;
    let counted = 0;
    // Run two rounds, because a third round would exceed the retry budget, which is twice the concurrency limit
    // (RETRY-6).
    for (let round = 0; round < 2; round++) {
      const { reads, sums } = calls(bench.client, 4_000, 1_000);
      made += 5_000;
      bench.proxy.cutAnswersAfter(100_000);
      assert.deepEqual(count(await reads), { hit: 4_000 });
      const { success = 0, Unavailable = 0, ...others } = count(await sums);
      assert.deepEqual(others, {});
      assert.equal(success + Unavailable, 1_000);
      counted += success;
    }
    assert.equal(bench.ended.length, made);
    const counter = await counterOf(bench.client);
    assert.ok(counted <= counter && counter <= 2_000, `${counted} answered, ${counter} counted`);
    const { inFlight, queued } = bench.client.statistics();
    assert.deepEqual([inFlight, queued], [0, 0]);
  });
});
