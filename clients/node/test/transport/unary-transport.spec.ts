import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { describe, test } from "node:test";
import { Call } from "../../src/calls/call.js";
import type { Failure } from "../../src/client/errors.js";
import { withSettings } from "../../src/configuration/configuration-check.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { CredentialProvider } from "../../src/configuration/credential-provider.js";
import { GetOperation } from "../../src/operations/scalar-operations.js";
import { GuardedHooks } from "../../src/telemetry/guarded-hooks.js";
import { ManualClock } from "../../src/testing/manual-clock.js";
import { UnaryTransport } from "../../src/transport/unary-transport.js";
import { until } from "../support/fake-server.js";
import { FrameServer } from "../support/frame-server.js";
import { freePort } from "../support/server-process.js";

/** Returns a transport with two channels on a manual clock, and a function that makes calls with this transport. */
function transportTo(endpoint: string) {
  const clock = new ManualClock();
  const setAside: string[] = [];
  const transport = new UnaryTransport({
    credentials: CredentialProvider.local(endpoint),
    configuration: withSettings(Configurations.Laptop.latest(), { transport: "unary", channels: 2 }),
    headers: {},
    clock,
    hooks: new GuardedHooks({ connectionChanged: ({ kind }) => setAside.push(kind) }),
    random: () => 0.5,
  });
  const send = (timeoutMs = 60_000) => {
    const made = { failure: null as Failure | null, answered: false };
    const owner = {
      admitted: () => {},
      expired: () => {},
      answered: () => {
        made.answered = true;
      },
      failed: (_: Call, failure: Failure) => {
        made.failure = failure;
      },
    };
    const call = new Call(owner, new GetOperation("cache", "key"), () => {}, timeoutMs, clock.now() + timeoutMs);
    transport.send(call);
    return { made, call };
  };
  return { clock, setAside, transport, send };
}

const aTurn = () => new Promise((resolve) => setImmediate(resolve));

describe("UnaryTransport", () => {
  test("RETRY-9: during an outage, only the probing call waits", async () => {
    const port = await freePort();
    const { clock, transport, send } = transportTo(`127.0.0.1:${port}`);
    const first = send().made;
    while (first.failure === null) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      clock.advance(10);
    }
    assert.ok(clock.now() > 2_000);
    assert.deepEqual([first.failure.unreachable, first.failure.notExecuted], [true, true]);
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket.on("error", () => {}))).listen(port, "127.0.0.1");
    await once(silent, "listening");
    clock.advance(2_000);
    const second = send().made;
    await until(() => sockets.length === 1);
    clock.advance(249);
    assert.equal(second.failure, null);
    clock.advance(1);
    assert.equal((second.failure as Failure | null)?.unreachable, true);
    const third = send().made;
    await aTurn();
    assert.equal(third.failure?.unreachable, true);
    transport.close();
    assert.equal(clock.scheduled, 0);
    sockets[0]!.destroy();
    silent.close();
  });

  test("channel is skipped after three timeouts; abandoned calls don't count", async () => {
    await using server = await new FrameServer().start();
    server.onRequest = () => {};
    const { clock, setAside, transport, send } = transportTo(server.endpoint);
    await transport.connect(60_000);
    for (let i = 0; i < 6; i++) transport.abandon(send().call);
    assert.deepEqual(setAside, []);
    for (let i = 0; i < 3; i++) {
      const { call } = send(100);
      clock.advance(100);
      transport.abandon(call);
    }
    assert.deepEqual(setAside, ["setAside"]);
    assert.equal(transport.inFlight, 0);
    transport.close();
  });

  test("close rejects a pending connect with a client-closed error", async () => {
    const { clock, transport } = transportTo(`127.0.0.1:${await freePort()}`);
    const connected = assert.rejects(transport.connect(60_000), /the client was closed/);
    transport.close();
    await connected;
    assert.equal(clock.scheduled, 0);
  });

  test("calls made while connecting are sent later unless abandoned", async () => {
    await using server = await new FrameServer().start();
    const { transport, send } = transportTo(server.endpoint);
    const given = send();
    const kept = send();
    transport.abandon(given.call);
    assert.equal(transport.inFlight, 1);
    await until(() => kept.made.answered);
    assert.equal(given.made.answered, false);
    assert.equal(
      server.peers.reduce((sum, { dataBytes }) => sum + dataBytes.size, 0),
      1,
    );
    transport.close();
  });
});
