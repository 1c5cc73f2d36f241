import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CallRunner } from "../../src/calls/call-runner.js";
import { InFlightLimiter } from "../../src/calls/in-flight-limiter.js";
import { RetryPolicy } from "../../src/calls/retry-policy.js";
import { withSettings } from "../../src/configuration/configuration-check.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { CredentialProvider } from "../../src/configuration/credential-provider.js";
import { GetOperation } from "../../src/operations/scalar-operations.js";
import { GuardedHooks } from "../../src/telemetry/guarded-hooks.js";
import { PipelineTransport } from "../../src/transport/pipeline-transport.js";
import { UnaryTransport } from "../../src/transport/unary-transport.js";
import { type FakeCall, FakeServer, until } from "../support/fake-server.js";
import { StoppableClock } from "../support/stoppable-clock.js";

/**
 * Connects the parts of a client to a server that answers only when the test allows it. The test advances and suspends
 * the client's clock.
 */
async function connected(kind: "unary" | "pipeline") {
  const server = await new FakeServer().start();
  const clock = new StoppableClock();
  const events: string[] = [];
  const hooks = new GuardedHooks({ connectionChanged: ({ kind }) => events.push(kind) });
  const lambda = Configurations.Lambda.latest();
  const configuration = withSettings(lambda, { transport: kind, connectTimeoutMs: 60_000 });
  const credentials = CredentialProvider.local(server.endpoint);
  const common = { credentials, configuration, headers: {}, clock, hooks };
  const unary = new UnaryTransport(common);
  const transport =
    kind === "unary" ? unary : new PipelineTransport({ ...common, unary, random: () => 0.5, unsupported: () => {} });
  const limiter = new InFlightLimiter(100, 100);
  const retryPolicy = new RetryPolicy(configuration, 100, () => 0.5);
  const runner = new CallRunner({ limiter, retryPolicy, transport, clock, lag: null, hooks });
  const held: FakeCall[] = [];
  const hold = () => {
    server.onCall = (call) => held.push(call);
  };
  const answer = () => {
    server.onCall = (call) => call.answer();
  };
  const get = async (timeoutMs = 1_100) => (await runner.submit(new GetOperation("cache", "key"), timeoutMs)).result;
  /** Makes a call that the server receives but does not answer before its deadline. */
  const timeOut = async (timeoutMs: number) => {
    const before = held.length;
    hold();
    const call = get(timeoutMs);
    await until(() => held.length > before);
    clock.advance(timeoutMs);
    assert.equal(await call, "error");
    answer();
  };
  assert.equal(await get(), "miss");
  const close = async () => {
    runner.close();
    transport.close();
    assert.equal(clock.scheduled, 0);
    await server.stop();
  };
  return { server, clock, events, transport, held, hold, answer, get, timeOut, close };
}

for (const kind of ["unary", "pipeline"] as const)
  describe(`silently dropped connection, ${kind}`, () => {
    for (const [timeoutMs, connections] of [
      [999, 1],
      [1_000, 2],
      [10_000, 2],
    ] as const)
      test(`get after a ${timeoutMs} ms timeout uses connection ${connections}`, async () => {
        const { server, get, timeOut, close } = await connected(kind);
        await timeOut(timeoutMs);
        assert.equal(await get(), "miss");
        assert.equal(server.connections, connections);
        await close();
      });

    test("short deadlines replace the connection after 1 s of silence", async () => {
      const { server, get, timeOut, close } = await connected(kind);
      for (let i = 0; i < 5; i++) {
        assert.equal(server.connections, 1);
        await timeOut(200);
      }
      assert.equal(await get(), "miss");
      assert.equal(server.connections, 2);
      await close();
    });

    test("connection is kept if another call receives a response", async () => {
      const { server, clock, held, hold, answer, get, close } = await connected(kind);
      hold();
      const [late, kept] = [get(1_000), get(60_000)];
      await until(() => held.length === 2);
      clock.advance(500);
      held[1]!.answer();
      assert.equal(await kept, "miss");
      clock.advance(500);
      assert.equal(await late, "error");
      answer();
      assert.equal(await get(), "miss");
      assert.equal(server.connections, 1);
      await close();
    });

    test("replaced connection completes its calls and then closes", async () => {
      const { server, clock, transport, held, hold, answer, get, timeOut, close } = await connected(kind);
      hold();
      const slow = get(60_000);
      await until(() => held.length === 1);
      await timeOut(2_000);
      answer();
      assert.equal(await get(), "miss");
      assert.equal(server.connections, 2);
      held[0]!.answer();
      assert.equal(await slow, "miss");
      await until(() => transport.connections === 1);
      clock.advance(0);
      await close();
    });

    test("replaced connection without pending callers closes", async () => {
      const { server, transport, get, timeOut, close } = await connected(kind);
      await timeOut(2_000);
      assert.equal(await get(), "miss");
      await until(() => transport.connections === 1);
      assert.equal(server.connections, 2);
      await close();
    });

    for (const [stoppedMs, connections] of [
      [5_000, 1],
      [5_001, 2],
      [50_000, 2],
    ] as const)
      test(`call after a ${stoppedMs} ms process stop uses connection ${connections}`, async () => {
        const { server, clock, get, close } = await connected(kind);
        clock.stopFor(stoppedMs);
        assert.equal(await get(), "miss");
        assert.equal(await get(), "miss");
        assert.equal(server.connections, connections);
        await close();
      });

    test("call in flight during a process stop completes", async () => {
      const { server, clock, held, hold, answer, get, close } = await connected(kind);
      hold();
      const slow = get(60_000);
      await until(() => held.length === 1);
      clock.stopFor(10_000);
      answer();
      assert.equal(await get(), "miss");
      assert.equal(server.connections, 2);
      held[0]!.answer();
      assert.equal(await slow, "miss");
      await close();
    });

    test("hooks report why a connection was replaced", async () => {
      const { events, get, timeOut, close } = await connected(kind);
      await timeOut(2_000);
      assert.equal(await get(), "miss");
      assert.deepEqual(events, kind === "unary" ? ["setAside"] : ["opened", "lost", "opened"]);
      await close();
    });
  });
