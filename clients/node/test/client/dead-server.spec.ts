import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Call } from "../../src/calls/call.js";
import { CallRunner } from "../../src/calls/call-runner.js";
import { InFlightLimiter } from "../../src/calls/in-flight-limiter.js";
import { RetryPolicy } from "../../src/calls/retry-policy.js";
import { CacheClient } from "../../src/client/client.js";
import { Status } from "../../src/client/errors.js";
import { ErrorResponse } from "../../src/client/responses.js";
import { withSettings } from "../../src/configuration/configuration-check.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { CredentialProvider } from "../../src/configuration/credential-provider.js";
import { GetBatchOperation } from "../../src/operations/batch-operations.js";
import { GetOperation } from "../../src/operations/scalar-operations.js";
import { GuardedHooks } from "../../src/telemetry/guarded-hooks.js";
import type { CallReport } from "../../src/telemetry/metrics.js";
import { ManualClock } from "../../src/testing/manual-clock.js";
import { PipelineTransport } from "../../src/transport/pipeline-transport.js";
import type { GatewayTransport, Transport } from "../../src/transport/transport.js";
import { UnaryTransport } from "../../src/transport/unary-transport.js";
import { clientOf, FakeServer, until } from "../support/fake-server.js";
import { freePort } from "../support/server-process.js";

/** Returns the parts of a client on a manual clock. The client connects to an address on which no server listens. */
async function towardsNobody(transport: "unary" | "pipeline") {
  const clock = new ManualClock();
  const reports: CallReport[] = [];
  const hooks = new GuardedHooks({ callEnded: (report) => reports.push(report) });
  const configuration = withSettings(Configurations.Laptop.latest(), { transport });
  const credentials = CredentialProvider.local(`127.0.0.1:${await freePort()}`);
  const common = { credentials, configuration, headers: {}, clock, hooks };
  const unary = new UnaryTransport(common);
  const sender: Transport =
    transport === "unary"
      ? unary
      : new PipelineTransport({ ...common, unary, random: () => 0.5, unsupported: () => {} });
  const limiter = new InFlightLimiter(100, 100);
  const retryPolicy = new RetryPolicy(Configurations.Laptop.v1(), 100, () => 0.5);
  const runner = new CallRunner({ limiter, retryPolicy, transport: sender, clock, lag: null, hooks });
  const get = (timeoutMs: number) => runner.submit(new GetOperation("cache", "key"), timeoutMs);
  /** Advances the clock until the call has ended. Between steps, gives connections the time to be refused. */
  const ended = async (call: Promise<{ readonly result: string }>) => {
    let response: { readonly result: string } | null = null;
    void call.then((answer) => {
      response = answer;
    });
    while (response === null) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      if (response === null) clock.advance(10);
    }
    assert.ok((response as unknown) instanceof ErrorResponse);
    return (response as unknown as ErrorResponse).error;
  };
  const close = () => {
    runner.close();
    sender.close();
  };
  return { clock, reports, limiter, get, ended, close };
}

for (const transport of ["unary", "pipeline"] as const)
  describe(`unreachable server, ${transport}`, () => {
    test("connect rejects with the reason", async () => {
      await using client = new CacheClient({
        credentials: CredentialProvider.local(`127.0.0.1:${await freePort()}`),
        configuration: withSettings(Configurations.Laptop.latest(), { transport }),
        defaultTtlMs: 1_000,
      });
      await assert.rejects(client.connect(200), /^Error: cannot connect: connect ECONNREFUSED/);
    });

    test("RETRY-9: calls after a failed connection fail without waiting", async () => {
      const { clock, reports, limiter, get, ended, close } = await towardsNobody(transport);
      const first = await ended(get(60_000));
      assert.equal(first.code, "Unavailable");
      assert.match(first.message, /^get failed: cannot connect: connect ECONNREFUSED/);
      const nowMs = clock.now();
      for (let i = 0; i < 3; i++) {
        const response = await get(60_000);
        assert.ok(response instanceof ErrorResponse);
        assert.equal(response.error.code, "Unavailable");
      }
      assert.equal(clock.now(), nowMs, "the clock stood still");
      assert.deepEqual(
        reports.slice(1).map(({ attempts }) => attempts),
        [1, 1, 1],
      );
      assert.equal(limiter.inFlight, 0);
      close();
      assert.equal(clock.scheduled, 0);
    });

    test("RETRY-10: call timing out while connections are refused returns Unavailable", async () => {
      const { get, ended, close } = await towardsNobody(transport);
      const { code, message } = await ended(get(500));
      assert.equal(code, "Unavailable");
      assert.match(message, /ECONNREFUSED/);
      close();
    });

    test("RETRY-10: single and batch calls return Unavailable after their deadlines", async () => {
      await using client = new CacheClient({
        credentials: CredentialProvider.local(`127.0.0.1:${await freePort()}`),
        configuration: withSettings(Configurations.Laptop.latest(), { transport, requestTimeoutMs: 200 }),
        defaultTtlMs: 1_000,
      });
      const cache = client.cache("cache");
      for (let i = 0; i < 10; i++) {
        const responses = [await cache.get("key"), await cache.getBatch(["key"])];
        for (const response of responses)
          assert.equal(response.result === "error" && response.error.code, "Unavailable");
      }
      assert.equal(client.statistics().inFlight, 0);
    });
  });

test("RETRY-11: connection attempts are at most maxBackOffMs apart", async () => {
  const clock = new ManualClock();
  const schedule = clock.schedule.bind(clock);
  const delaysMs: number[] = [];
  let isLost = false;
  clock.schedule = (action, delayMs) => {
    if (isLost) delaysMs.push(delayMs);
    isLost = false;
    return schedule(action, delayMs);
  };
  const transport = new PipelineTransport({
    credentials: CredentialProvider.local(`127.0.0.1:${await freePort()}`),
    configuration: withSettings(Configurations.Laptop.latest(), { maxBackOffMs: 100 }),
    headers: {},
    clock,
    hooks: new GuardedHooks({
      connectionChanged: ({ kind }) => {
        isLost = kind === "lost";
      },
    }),
    unary: { close: () => {} } as unknown as GatewayTransport,
    random: () => 1,
    unsupported: () => {},
  });
  const connected = assert.rejects(transport.connect(60_000));
  for (let tries = 0; tries < 5; tries++) {
    await until(() => delaysMs.length > tries);
    clock.advance(delaysMs[tries]!);
  }
  assert.deepEqual(delaysMs.slice(0, 5), [50, 100, 100, 100, 100]);
  transport.close();
  await connected;
});

describe("getOrSet when the cache fails", () => {
  test("getOrSet does not store the factory's value if get fails", async () => {
    const server = await new FakeServer().start();
    await using client = clientOf(server, "pipeline");
    server.onCall = (call) => call.fail(Status.permissionDenied, "not for you");
    assert.equal((await client.cache("cache").getOrSet("key", () => "made")).toString(), "made");
    assert.deepEqual(server.calls, ["Get"]);
    await server.stop();
  });

  test("abort during the get prevents the factory call", async () => {
    const server = await new FakeServer().start();
    await using client = clientOf(server, "pipeline");
    const controller = new AbortController();
    server.onCall = () => controller.abort(new Error("enough"));
    let ran = false;
    const factory = () => {
      ran = true;
      return "made";
    };
    await assert.rejects(client.cache("cache").getOrSet("key", factory, { signal: controller.signal }), /enough/);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(ran, false);
    await server.stop();
  });

  test("getOrSet returns a copy of the bytes from the factory", async () => {
    const server = await new FakeServer().start();
    await using client = clientOf(server, "pipeline");
    const kept = new Uint8Array([1, 2, 3]);
    const value = await client.cache("cache").getOrSet("key", () => kept);
    kept.fill(0);
    assert.deepEqual([...value], [1, 2, 3]);
    await server.stop();
  });
});

describe("large requests", () => {
  test("PIPE-10: request over 65,536 encoded bytes is a unary call", () => {
    const sent: Call[] = [];
    const unary = { send: (call: Call) => sent.push(call), close: () => {} } as unknown as GatewayTransport;
    const clock = new ManualClock();
    const transport = new PipelineTransport({
      credentials: CredentialProvider.local("127.0.0.1:1"),
      configuration: Configurations.Laptop.latest(),
      headers: {},
      clock,
      hooks: new GuardedHooks({}),
      unary,
      random: () => 0.5,
      unsupported: () => {},
    });
    // A key of 7 bytes takes 11 bytes in the message: the key itself, and two pairs of a tag and a length.
    for (const [keys, isUnary] of [
      [5_957, false],
      [5_958, true],
      [59_580, true],
    ] as const) {
      const operation = new GetBatchOperation("cache", Array(keys).fill("sevench"));
      const owner = { admitted() {}, expired() {}, answered() {}, failed() {} };
      const before = sent.length;
      transport.send(new Call(owner, operation, () => {}, 1_000, 1_000));
      assert.equal(sent.length > before, isUnary, `${keys} keys`);
    }
    transport.close();
  });
});
