// Tests the client with network faults. Each test injects its fault into a server in this process.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { CacheClient } from "../../src/client/client.js";
import { Status } from "../../src/client/errors.js";
import { ErrorResponse, Hit } from "../../src/client/responses.js";
import type { Configuration } from "../../src/configuration/configuration.js";
import { withSettings } from "../../src/configuration/configuration-check.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { CredentialProvider } from "../../src/configuration/credential-provider.js";
import { clientOf, type FakeCall, FakeServer, until } from "../support/fake-server.js";
import { FaultyProxy } from "../support/faulty-proxy.js";

const settings = (changes: Partial<Configuration>) =>
  withSettings(Configurations.Laptop.latest(), { requestTimeoutMs: 30_000, ...changes });

function codeOf(response: { readonly result: string }): string {
  return response instanceof ErrorResponse ? response.error.code : response.result;
}

async function counted(calls: readonly Promise<{ readonly result: string }>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const response of await Promise.all(calls)) counts[codeOf(response)] = (counts[codeOf(response)] ?? 0) + 1;
  return counts;
}

function assertIdle(client: CacheClient): void {
  const { inFlight, queued } = client.statistics();
  assert.deepEqual([inFlight, queued], [0, 0]);
}

for (const transport of ["unary", "pipeline"] as const)
  describe(`network faults, ${transport}`, () => {
    test("3,000 concurrent gets all return a response", async () => {
      const server = await new FakeServer().start();
      {
        // This test asserts no duration, because the machine may be busy. bench/burst.ts measures how long such a burst
        // takes on an idle machine, with a deadline of 1,100 ms.
        await using client = clientOf(server, transport);
        const cache = client.cache("cache");
        await cache.set("key", "value");
        const counts = await counted(Array.from({ length: 3_000 }, () => cache.get("key")));
        assert.deepEqual(counts, { hit: 3_000 });
        assertIdle(client);
      }
      await server.stop();
    });

    test("N4: silent connection is replaced after an unanswered ping", async () => {
      const server = await new FakeServer().start();
      {
        const configuration = settings({
          transport,
          keepaliveIntervalMs: 1_000,
          keepaliveTimeoutMs: 1_000,
          channels: 2,
        });
        const proxy = await FaultyProxy.before(server.port);
        const credentials = CredentialProvider.local(proxy.endpoint);
        await using client = clientOf(server, transport, { configuration, credentials });
        const cache = client.cache("cache");
        await cache.set("key", "value");
        proxy.silence();
        const response = await cache.get("key");
        assert.equal(codeOf(response), "hit");
        assertIdle(client);
        await client.close();
        proxy.stop();
      }
      await server.stop();
    });

    test("N5: gets on a broken connection are retried, increments are not", async () => {
      const server = await new FakeServer().start();
      {
        await using client = clientOf(server, transport);
        const cache = client.cache("cache");
        await cache.set("key", "value");
        const held: FakeCall[] = [];
        server.onCall = (call) => held.push(call);
        const gets = Array.from({ length: 20 }, () => cache.get("key"));
        const increments = Array.from({ length: 20 }, () => cache.increment("n"));
        await until(() => held.length === 40);
        server.onCall = (call) => call.answer();
        server.breakConnections();
        assert.deepEqual(await counted(gets), { hit: 20 });
        assert.deepEqual(await counted(increments), { Unavailable: 20 });
        assert.equal(server.calls.filter((rpc) => rpc === "Increment").length, 20, "no increment was sent twice");
        assertIdle(client);
      }
      await server.stop();
    });

    test("N6: retries to an unavailable server stay within the budget", async () => {
      const server = await new FakeServer().start();
      {
        const configuration = settings({ transport, maxInFlightUnary: 50, maxInFlightPipeline: 50 });
        await using client = clientOf(server, transport, { configuration });
        const cache = client.cache("cache");
        server.onCall = (call) => call.fail(Status.unavailable, "down");
        const made = 3_000;
        const counts = await counted(Array.from({ length: made }, () => cache.get("key")));
        assert.deepEqual(counts, { Unavailable: made });
        const extra = server.calls.length - made;
        assert.ok(extra <= made * 0.1 + 100, `${extra} retries`);
        server.onCall = (call) => call.answer();
        assert.equal((await cache.get("key")).result, "miss");
        assertIdle(client);
      }
      await server.stop();
    });

    test("N7: 10,000 callers are served in order within the limit", async () => {
      const server = await new FakeServer().start();
      {
        const configuration = settings({
          transport,
          maxInFlightUnary: 50,
          maxInFlightPipeline: 50,
          queueLimit: 9_950,
        });
        await using client = clientOf(server, transport, { configuration });
        const cache = client.cache("cache");
        let open = 0;
        let most = 0;
        server.onCall = (call) => {
          most = Math.max(most, ++open);
          setImmediate(() => {
            open--;
            call.answer();
          });
        };
        const order: number[] = [];
        const calls = Array.from({ length: 10_000 }, async (_, i) => {
          const response = await cache.get("key");
          order.push(i);
          return response;
        });
        assert.equal(codeOf(await cache.get("key")), "ClientOverloaded");
        assert.deepEqual(await counted(calls), { miss: 10_000 });
        assert.ok(most <= 50, `${most} at once`);
        const late = order.filter((caller, place) => Math.abs(caller - place) > 200).length;
        assert.equal(late, 0, "callers are answered in the order in which they came, but for what is in flight");
        assertIdle(client);
      }
      await server.stop();
    });

    test("N8: random cancellation leaks no permit and mixes up no responses", async () => {
      const server = await new FakeServer().start();
      {
        await using client = clientOf(server, transport, {
          configuration: settings({ transport, maxInFlightUnary: 20 }),
        });
        const cache = client.cache("cache");
        for (let i = 0; i < 50; i++) await cache.set(`key-${i}`, `of ${i}`);
        server.onCall = (call) => setTimeout(() => call.answer(), Math.random() * 4);
        const calls = Array.from({ length: 1_000 }, async (_, i) => {
          const controller = new AbortController();
          if (i % 3 > 0) setTimeout(() => controller.abort(), Math.random() * 60);
          const response = await cache.get(`key-${i % 50}`, { signal: controller.signal });
          if (response instanceof Hit) assert.equal(response.value, `of ${i % 50}`);
          else assert.equal(codeOf(response), "Cancelled");
          if (i % 3 === 0) assert.equal(response.result, "hit");
        });
        await Promise.all(calls);
        assertIdle(client);
      }
      await server.stop();
    });
  });

describe("network faults, pipeline only", () => {
  test("N9: each call ends once when a busy stream breaks", async () => {
    const server = await new FakeServer().start();
    {
      const configuration = settings({ transport: "pipeline", maxInFlightPipeline: 5_000 });
      let ends = 0;
      const metrics = { callEnded: () => ends++ };
      await using client = clientOf(server, "pipeline", { configuration, metrics });
      const cache = client.cache("cache");
      let came = 0;
      server.onCall = (call) => {
        came++;
        if (came % 2 === 0) call.answer();
        if (came === 4_000) server.breakConnections();
      };
      const gets = Array.from({ length: 3_000 }, () => cache.get("key"));
      const increments = Array.from({ length: 2_000 }, (_, i) => cache.increment(`n-${i}`));
      await until(() => came >= 4_000);
      server.onCall = (call) => call.answer();
      assert.deepEqual(await counted(gets), { miss: 3_000 });
      const counts = await counted(increments);
      const { success = 0, Unavailable = 0, ...other } = counts;
      assert.deepEqual(other, {});
      assert.equal(success + Unavailable, 2_000);
      assert.equal(ends, 5_000);
      assertIdle(client);
    }
    await server.stop();
  });

  test("PIPE-12: draining stream completes its calls but gets no others", async () => {
    const server = await new FakeServer().start();
    {
      await using client = clientOf(server, "pipeline");
      const cache = client.cache("cache");
      await cache.set("key", "value");
      const held: FakeCall[] = [];
      server.onCall = (call) => held.push(call);
      const before = cache.increment("n");
      await until(() => held.length === 1);
      server.onCall = (call) => call.answer();
      server.drainPipelines();
      await until(() => client.statistics().connections === 1 && server.pipelines === 1);
      let later = await cache.get("key");
      while (server.pipelines < 2) later = await cache.get("key");
      assert.equal(later.result, "hit");
      held[0]!.answer();
      assert.deepEqual(await before, { result: "success", value: 1n });
      assertIdle(client);
    }
    await server.stop();
  });

  test("calls made during a server restart succeed within their deadline", async () => {
    const first = await new FakeServer().start();
    const { port } = first;
    await using client = clientOf(first, "pipeline");
    const cache = client.cache("cache");
    await cache.get("key");
    await first.stop();
    const waiting = Array.from({ length: 100 }, () => cache.get("key"));
    const second = await new FakeServer().start(port);
    assert.deepEqual(await counted(waiting), { miss: 100 });
    await client.close();
    await second.stop();
  });
});
