// Tests the delays between attempts to connect to a server that accepts each connection and soon closes it.
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import { Call } from "../../src/calls/call.js";
import { withSettings } from "../../src/configuration/configuration-check.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { CredentialProvider } from "../../src/configuration/credential-provider.js";
import { GetOperation } from "../../src/operations/scalar-operations.js";
import { GuardedHooks } from "../../src/telemetry/guarded-hooks.js";
import { ManualClock } from "../../src/testing/manual-clock.js";
import { TopicChannels } from "../../src/topics/topic-channels.js";
import { PipelineTransport } from "../../src/transport/pipeline-transport.js";
import { UnaryTransport } from "../../src/transport/unary-transport.js";
import { frame, until } from "../support/fake-server.js";
import { type FramePeer, FrameServer, okHead } from "../support/frame-server.js";

/** Uses the connections of a client whose clock the test controls. */
interface ConnectionUser {
  readonly clock: ManualClock;
  /** Number of connections that the client has lost. */
  lost: number;
  /** Requests a connection. The client connects at once, or after its delay. */
  use(): void;
  close(): void;
}

const configuration = withSettings(Configurations.Laptop.latest(), { channels: 1, maxBackOffMs: 1_000 });
// The delays before attempts 2, 3, 4 … The random part of each delay is half of its maximum.
const delaysMs = [37.5, 75, 150, 300, 600, 750, 750];

function callsOver(kind: "unary" | "pipeline", { endpoint }: FrameServer): ConnectionUser {
  const clock = new ManualClock();
  // The pipeline reports a lost connection. On a unary connection, the call fails.
  const hooks = new GuardedHooks({
    connectionChanged: (event) => {
      if (event.kind === "lost") user.lost++;
    },
  });
  const failed = () => {
    if (kind === "unary") user.lost++;
  };
  const owner = { admitted: () => {}, expired: () => {}, answered: () => {}, failed };
  const parts = {
    credentials: CredentialProvider.local(endpoint),
    configuration,
    headers: {},
    clock,
    hooks,
    random: () => 0.5,
  };
  const unary = new UnaryTransport(parts);
  const transport =
    kind === "unary" ? unary : new PipelineTransport({ ...parts, unary, unsupported: () => assert.fail() });
  const user = {
    clock,
    lost: 0,
    use: () =>
      transport.send(new Call(owner, new GetOperation("cache", "key"), () => {}, 60_000, clock.now() + 60_000)),
    close: () => transport.close(),
  };
  return user;
}

function subscriptionsTo({ endpoint }: FrameServer): ConnectionUser {
  const clock = new ManualClock();
  const credentials = CredentialProvider.local(endpoint);
  const channels = new TopicChannels({ servers: () => [credentials], configuration, clock, random: () => 0.5 });
  const user = {
    clock,
    lost: 0,
    use: () => {
      const link = channels.choose(null);
      if (typeof link === "string") clock.schedule(user.use, 0.5);
      else link.open({}, Buffer.alloc(5), { opened: () => {}, message: () => true, ended: () => void user.lost++ });
    },
    close: () => channels.close(),
  };
  return user;
}

/** Uses the next connection, which the client must not open before the delay has passed. */
async function useAfter(delayMs: number, user: ConnectionUser, { peers }: FrameServer): Promise<void> {
  const before = peers.length;
  user.use();
  user.clock.advance(delayMs - 0.5);
  // A connection that was opened too early arrives within a few turns.
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(peers.length, before, `attempt ${before + 1} started before ${delayMs} ms had passed`);
  user.clock.advance(1);
  await until(() => peers.length > before);
}

const kinds: readonly (readonly [string, (server: FrameServer) => ConnectionUser])[] = [
  ["unary", (server) => callsOver("unary", server)],
  ["pipeline", (server) => callsOver("pipeline", server)],
  ["subscription", subscriptionsTo],
];
const hangUp = ({ socket }: FramePeer) => void socket.end();
const respond = (stream: number, peer: FramePeer) => {
  peer.headers(stream, okHead, false);
  peer.data(stream, frame(Buffer.alloc(0)));
};

for (const [kind, connect] of kinds)
  describe(`closed connections, ${kind}`, () => {
    for (const [what, prepare] of [
      ["SETTINGS", (server: FrameServer) => Object.assign(server, { onConnection: hangUp })],
      [
        "the request",
        (server: FrameServer) => Object.assign(server, { onStream: (_: number, peer: FramePeer) => hangUp(peer) }),
      ],
      [
        "the response headers",
        (server: FrameServer) =>
          Object.assign(server, {
            onStream: (stream: number, peer: FramePeer) => {
              peer.headers(stream, okHead, false);
              hangUp(peer);
            },
          }),
      ],
      [
        "GOAWAY",
        (server: FrameServer) =>
          Object.assign(server, {
            onStream: (_: number, peer: FramePeer) => {
              peer.goaway(0);
              hangUp(peer);
            },
          }),
      ],
    ] as const)
      test(`RETRY-7: attempts back off if the server closes after ${what}`, async () => {
        await using server = await new FrameServer().start();
        prepare(server);
        const user = connect(server);
        user.use();
        for (const [i, delayMs] of delaysMs.entries()) {
          await until(() => user.lost === i + 1);
          await useAfter(delayMs, user, server);
        }
        user.close();
      });

    test("RETRY-7: a message on the connection ends the back-off", async () => {
      await using server = await new FrameServer().start();
      server.onStream = (stream, peer) => {
        if (server.peers.length === 3) respond(stream, peer);
        hangUp(peer);
      };
      const user = connect(server);
      user.use();
      for (const [i, delayMs] of [37.5, 75].entries()) {
        await until(() => user.lost === i + 1);
        await useAfter(delayMs, user, server);
      }
      await until(() => user.lost === 3);
      user.use();
      user.clock.advance(38);
      await until(() => server.peers.length === 4);
      await until(() => user.lost === 4);
      await useAfter(37.5, user, server);
      user.close();
    });
  });
