// Tests which gateway a call uses, and how gateways leave and return to the rotation. The tests use a manual clock,
// fake gateways and a seeded random generator.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { seededRandom } from "../../agent/load/workload.js";
import type { Call } from "../../src/calls/call.js";
import { CallRunner } from "../../src/calls/call-runner.js";
import { InFlightLimiter } from "../../src/calls/in-flight-limiter.js";
import { RetryPolicy } from "../../src/calls/retry-policy.js";
import { type Failure, Status } from "../../src/client/errors.js";
import { ErrorResponse, miss } from "../../src/client/responses.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { CredentialProvider } from "../../src/configuration/credential-provider.js";
import { GetOperation } from "../../src/operations/scalar-operations.js";
import { GuardedHooks } from "../../src/telemetry/guarded-hooks.js";
import { ManualClock } from "../../src/testing/manual-clock.js";
import { GatewaySet } from "../../src/transport/gateway-set.js";
import type { GatewayTransport } from "../../src/transport/transport.js";

const lost: Failure = { status: Status.unavailable, message: "the connection was lost", notExecuted: false };
const refused: Failure = { status: Status.unavailable, message: "no", cause: "not_executed", notExecuted: true };
const noToken: Failure = { status: Status.unauthenticated, message: "no token", notExecuted: true };

/** A gateway whose state and responses the test controls. It keeps each call pending or answers it immediately. */
class FakeGateway implements GatewayTransport {
  readonly held: Call[] = [];
  sent = 0;
  tries = 0;
  ready = false;
  isNear = false;
  answers = true;
  /** The number of calls that the gateway reports as in flight in addition to its real calls. */
  pretended = 0;
  refusal: string | null = null;
  streamRefusal: Failure | null = null;
  readonly pipelined = true;
  #end: (failure: Error | null) => void = () => {};

  get connections(): number {
    return this.ready ? 1 : 0;
  }
  get inFlight(): number {
    return this.held.length + this.pretended;
  }
  send(call: Call): void {
    assert.ok(this.ready, "a call is sent to a gateway that is up");
    this.sent++;
    this.held.push(call);
    if (this.answers) queueMicrotask(() => this.answerAll());
  }
  abandon(call: Call): void {
    this.held.splice(this.held.indexOf(call), 1);
  }
  connect(): Promise<void> {
    this.tries++;
    return new Promise((resolve, reject) => {
      this.#end = (failure) => (failure === null ? resolve() : reject(failure));
    });
  }
  describe(): string {
    return "fake";
  }
  close(): void {}

  /** Completes the pending connection attempt successfully. */
  comeUp(): void {
    this.ready = true;
    this.refusal = this.streamRefusal = null;
    this.#end(null);
  }
  /** Fails the pending connection attempt, because the gateway is unreachable or because it rejects the stream. */
  refuse(stream: Failure | null = null): void {
    this.streamRefusal = stream;
    this.refusal = "the test refuses";
    this.#end(new Error(this.refusal));
  }
  answerAll(): void {
    for (const call of this.held.splice(0)) call.owner.answered(call, miss);
  }
  failAll(failure: Failure): void {
    for (const call of this.held.splice(0)) call.owner.failed(call, failure);
  }
}

/** Resolves when all pending promise callbacks have run. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

function made(up: readonly boolean[]) {
  const clock = new ManualClock();
  const random = seededRandom(1);
  const hooks = new GuardedHooks({});
  const limiter = new InFlightLimiter(100, 100);
  const configuration = Configurations.Laptop.v1();
  const gateways: FakeGateway[] = [];
  const make = () => {
    const gateway = new FakeGateway();
    gateway.ready = up[gateways.length]!;
    gateways.push(gateway);
    return gateway;
  };
  const credentials = CredentialProvider.fromString(up.map((_, index) => `http://10.0.0.${index}:7000`).join(","));
  const names = { resolve: () => Promise.reject(new Error("no name")), everyMs: 1, pauseMs: 1 };
  const set = new GatewaySet({ credentials, configuration, make, clock, hooks, random, names, changed: () => {} });
  const retryPolicy = new RetryPolicy(configuration, 100, random);
  const runner = new CallRunner({ limiter, retryPolicy, transport: set, clock, lag: null, hooks });
  const get = (timeoutMs = 60_000) => runner.submit(new GetOperation("cache", "k"), timeoutMs);
  const gets = async (count: number) => {
    for (let call = 0; call < count; call++) assert.equal((await get()).result, "miss");
  };
  /** Advances the time until the condition holds. */
  const advancing = async (condition: () => boolean, meanwhile = () => {}) => {
    for (let step = 0; !condition(); step++) {
      assert.ok(step < 1_000, "it never comes");
      meanwhile();
      await settled();
      clock.advance(20);
      await settled();
    }
  };
  return { clock, set, gateways, limiter, get, gets, advancing, sent: () => gateways.map((gateway) => gateway.sent) };
}

function errorOf(response: unknown): { readonly code: string; readonly message: string } {
  assert.ok(response instanceof ErrorResponse, JSON.stringify(response));
  return response.error;
}

function assertBetween(value: number, least: number, most: number): void {
  assert.ok(value >= least && value <= most, `${value} is not from ${least} to ${most}`);
}

describe("GatewaySet", () => {
  test("GATEWAY-5: calls avoid a gateway that is not ready", async () => {
    const { set, gets, sent } = made([false, true]);
    await gets(100);
    assert.deepEqual(sent(), [0, 100]);
    assert.deepEqual(
      set.statistics().map(({ leftOut }) => leftOut),
      [true, false],
    );
  });

  test("GATEWAY-6: picks the less loaded of two random gateways", async () => {
    const { gateways, gets, sent } = made([true, true, true]);
    gateways[1]!.pretended = gateways[2]!.pretended = 5;
    await gets(3_000);
    // Two of the three pairs of gateways contain the idle gateway. In the third pair, each of the two busy gateways
    // gets half of the calls.
    assertBetween(sent()[0]!, 1_900, 2_100);
    assertBetween(sent()[1]!, 400, 600);
    assertBetween(sent()[2]!, 400, 600);
  });

  test("GATEWAY-7: retry avoids the gateway that failed last", async () => {
    const { clock, gateways, get, sent } = made([true, true]);
    const [first, second] = gateways as [FakeGateway, FakeGateway];
    first.answers = second.answers = false;
    second.pretended = 1_000;
    const response = get();
    assert.deepEqual(sent(), [1, 0]);
    first.failAll(lost);
    clock.advance(100);
    assert.deepEqual(sent(), [1, 1]);
    second.failAll(lost);
    second.pretended = 0;
    first.pretended = 1_000;
    clock.advance(200);
    assert.deepEqual(sent(), [2, 1]);
    first.answerAll();
    assert.equal((await response).result, "miss");
  });

  test("GATEWAY-7: retry is sent to a random other gateway", async () => {
    const { clock, gateways, get, sent } = made([true, true, true]);
    gateways[1]!.pretended = gateways[2]!.pretended = 1_000;
    for (let call = 0; call < 200; call++) {
      gateways[0]!.answers = false;
      const response = get();
      const [there] = sent();
      gateways[0]!.failAll(lost);
      gateways[0]!.answers = true;
      clock.advance(100);
      assert.equal(sent()[0], there, "not the one that failed it");
      assert.equal((await response).result, "miss");
    }
    assert.ok(Math.min(...sent().slice(1)) > 50, String(sent()));
  });

  test("GATEWAY-7: retry reuses the only available gateway", async () => {
    const { clock, gateways, get, sent } = made([true, false]);
    gateways[0]!.answers = false;
    const response = get();
    gateways[0]!.failAll(lost);
    gateways[0]!.answers = true;
    clock.advance(100);
    assert.equal((await response).result, "miss");
    assert.deepEqual(sent(), [2, 0]);
  });

  test("GATEWAY-8: client reconnects to an unreachable gateway in the background", async () => {
    const { gateways, gets, advancing, sent } = made([false, true]);
    await gets(1);
    assert.equal(gateways[0]!.tries, 1);
    gateways[0]!.refuse();
    await advancing(() => gateways[0]!.tries === 2);
    gateways[0]!.comeUp();
    await gets(100);
    assertBetween(sent()[0]!, 20, 80);
    assert.equal(gateways[1]!.tries, 0);
  });

  test("GATEWAY-9: gateway that rejects calls is skipped for doubling periods", async () => {
    const { clock, gateways, get, gets, sent } = made([true, true]);
    gateways[1]!.pretended = 1_000;
    let [there, elsewhere] = [0, 0];
    for (const [least, most] of [
      [10, 20],
      [20, 40],
      [40, 80],
    ] as const) {
      gateways[0]!.answers = false;
      // Several rejections while a gateway is set aside count as one.
      const calls = [get(), get()];
      there += 2;
      assert.deepEqual(sent(), [there, elsewhere]);
      gateways[0]!.failAll(refused);
      gateways[0]!.answers = true;
      clock.advance(least - 0.1);
      await gets(1);
      assert.equal(sent()[0], there, "it is set aside");
      clock.advance(most - least + 0.1);
      await gets(1);
      there++;
      assert.equal(sent()[0], there, "it is back");
      clock.advance(100);
      for (const each of await Promise.all(calls)) assert.equal(each.result, "miss");
      elsewhere = sent()[1]!;
    }
  });

  test("GATEWAY-9: gateway of a lost call is not skipped", async () => {
    const { clock, gateways, get, gets, sent } = made([true, true]);
    gateways[1]!.pretended = 1_000;
    gateways[0]!.answers = false;
    const response = get();
    gateways[0]!.failAll(lost);
    gateways[0]!.answers = true;
    await gets(1);
    assert.deepEqual(sent(), [2, 0]);
    clock.advance(100);
    assert.equal((await response).result, "miss");
  });

  test("GATEWAY-9: gateway that refused the stream is skipped briefly", async () => {
    const { clock, gateways, gets, sent } = made([false, true]);
    gateways[1]!.pretended = 1_000;
    await gets(1);
    gateways[0]!.refuse(noToken);
    await settled();
    gateways[0]!.comeUp();
    clock.advance(9.9);
    await gets(10);
    assert.deepEqual(sent(), [0, 11]);
    clock.advance(10.1);
    await gets(1);
    assert.deepEqual(sent(), [1, 11]);
  });

  test("GATEWAY-9: calls continue if all gateways are skipped", async () => {
    const { clock, gateways, get, gets, sent } = made([true, true]);
    for (const gateway of gateways) gateway.answers = false;
    gateways[1]!.pretended = 1_000;
    const first = get();
    gateways[0]!.failAll(refused);
    const second = get();
    gateways[1]!.failAll(refused);
    assert.deepEqual(sent(), [1, 1]);
    for (const gateway of gateways) gateway.answers = true;
    await gets(1);
    assert.deepEqual(sent(), [2, 1]);
    clock.advance(100);
    for (const each of await Promise.all([first, second])) assert.equal(each.result, "miss");
  });

  test("GATEWAY-10: calls wait for the first available gateway", async () => {
    const { gateways, get, sent } = made([false, false, false]);
    const calls = Array.from({ length: 10 }, () => get());
    assert.deepEqual(
      gateways.map(({ tries }) => tries),
      [1, 1, 1],
    );
    gateways[0]!.refuse();
    await settled();
    gateways[1]!.comeUp();
    for (const each of await Promise.all(calls)) assert.equal(each.result, "miss");
    assert.deepEqual(sent(), [0, 10, 0]);
  });

  test("GATEWAY-10: call fails with Unavailable if all gateways refuse connections", async () => {
    const { clock, gateways, limiter, get, advancing } = made([false, false]);
    const refuseAll = () => {
      for (const gateway of gateways) gateway.refuse();
    };
    for (let call = 0; call < 2; call++) {
      const startedAt = clock.now();
      let response: unknown;
      void get().then((answer) => {
        response = answer;
      });
      await advancing(() => response !== undefined, refuseAll);
      const { code, message } = errorOf(response);
      assert.equal(code, "Unavailable");
      assert.match(message, /no gateway is available: the test refuses/);
      assert.ok(clock.now() - startedAt < 30_000, "long before its deadline");
    }
    assert.equal(limiter.inFlight, 0);
    limiter.assertValid();
  });

  test("GATEWAY-10: call fails immediately if every gateway rejects its stream", async () => {
    const { gateways, get } = made([false, false]);
    const response = get();
    for (const gateway of gateways) gateway.refuse(noToken);
    assert.equal(errorOf(await response).code, "Unauthenticated");
  });

  test("GATEWAY-10: timed out call releases its permit", async () => {
    const { clock, limiter, gateways, get, sent } = made([false, false]);
    const response = get(50);
    clock.advance(50);
    errorOf(await response);
    assert.equal(limiter.inFlight, 0);
    for (const gateway of gateways) gateway.comeUp();
    await settled();
    assert.deepEqual(sent(), [0, 0]);
    limiter.assertValid();
  });
});
