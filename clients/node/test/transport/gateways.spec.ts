// Tests a client that uses several servers with the same items, over both transports. Some of the servers fail
// (protocol/spec/gateways.md).
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, test } from "node:test";
import { CacheClient } from "../../src/client/client.js";
import { clientParts } from "../../src/client/client-parts.js";
import { Status } from "../../src/client/errors.js";
import { ErrorResponse } from "../../src/client/responses.js";
import type { Configuration } from "../../src/configuration/configuration.js";
import { withSettings } from "../../src/configuration/configuration-check.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { CredentialProvider } from "../../src/configuration/credential-provider.js";
import { GetOperation } from "../../src/operations/scalar-operations.js";
import { clientOf, FakeServer, until } from "../support/fake-server.js";

function clientOfGateways(ports: readonly number[], changes: Partial<Configuration>): CacheClient {
  return new CacheClient({
    credentials: CredentialProvider.fromString(ports.map((port) => `http://127.0.0.1:${port}`).join(",")),
    configuration: withSettings(Configurations.Laptop.latest(), { requestTimeoutMs: 5_000, channels: 1, ...changes }),
    defaultTtlMs: 60_000,
  });
}

function up(client: CacheClient): readonly boolean[] {
  return client.statistics().gateways!.map(({ leftOut }) => !leftOut);
}

function assertAnswered(response: { readonly result: string }): void {
  assert.ok(!(response instanceof ErrorResponse), response instanceof ErrorResponse ? response.error.message : "");
}

// Makes calls until the condition holds, because gateways are connected only by calls.
async function untilCalled(client: CacheClient, condition: () => boolean): Promise<void> {
  while (!condition()) {
    assertAnswered(await client.cache("cache").get("k"));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

const bothUp = (client: CacheClient) => untilCalled(client, () => up(client).every((each) => each));

async function load(client: CacheClient, over: () => boolean, caller: number): Promise<number> {
  const cache = client.cache("cache");
  let calls = 0;
  for (; !over(); calls += 2) {
    assertAnswered(await cache.set(`k${caller}`, `k${caller}`));
    const got = await cache.get(`k${caller}`);
    assertAnswered(got);
    if (got.result === "hit") assert.equal(got.value, `k${caller}`);
  }
  return calls;
}

function assertIdle(client: CacheClient): void {
  const { inFlight, queued } = client.statistics();
  assert.deepEqual([inFlight, queued], [0, 0]);
}

for (const transport of ["unary", "pipeline"] as const)
  describe(`gateways, ${transport}`, () => {
    test("S5h: idempotent calls succeed if a gateway is killed under load", async () => {
      const mortal = await new FakeServer().start();
      const other = await new FakeServer().start();
      const client = clientOfGateways([mortal.port, other.port], { transport });
      await bothUp(client);
      let over = false;
      const callers = Array.from({ length: 20 }, (_, caller) => load(client, () => over, caller));
      const { port } = mortal;
      await mortal.stop();
      await until(() => !up(client)[0]!);
      assert.equal(up(client)[1], true);
      const successor = await new FakeServer().start(port);
      await until(() => up(client)[0]! && successor.calls.length > 0);
      over = true;
      assert.ok((await Promise.all(callers)).reduce((sum, calls) => sum + calls, 0) > 0);
      assertIdle(client);
      await client.close();
      await successor.stop();
      await other.stop();
    });

    test("GATEWAY-6: small and large values are sent to both gateways", async () => {
      const servers = [await new FakeServer().start(), await new FakeServer().start()];
      const client = clientOfGateways(
        servers.map(({ port }) => port),
        { transport },
      );
      await bothUp(client);
      for (const server of servers) server.calls.length = 0;
      for (let call = 0; call < 60; call++)
        assertAnswered(await client.cache("cache").set(`k${call}`, Buffer.alloc(100_000)));
      const counts = servers.map(({ calls }) => calls.length);
      assert.equal(counts[0]! + counts[1]!, 60);
      assert.ok(Math.min(...counts) > 5, String(counts));
      assertIdle(client);
      await client.close();
      for (const server of servers) await server.stop();
    });

    test("GATEWAY-8: no call waits for a silent gateway", async () => {
      const sockets = new Set<Socket>();
      const silent = createServer((socket) => sockets.add(socket.on("error", () => {})));
      await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
      const server = await new FakeServer().start();
      const ports = [(silent.address() as AddressInfo).port, server.port];
      const client = clientOfGateways(ports, { transport, connectTimeoutMs: 60_000 });
      for (let call = 0; call < 100; call++) assertAnswered(await client.cache("cache").get("k"));
      assert.deepEqual(up(client), [false, true]);
      assertIdle(client);
      await client.close();
      await server.stop();
      for (const socket of sockets) socket.destroy();
      silent.close();
    });

    test("GATEWAY-10: call fails with Unavailable if all gateways are dead", async () => {
      const servers = [await new FakeServer().start(), await new FakeServer().start()];
      const ports = servers.map(({ port }) => port);
      for (const server of servers) await server.stop();
      const client = clientOfGateways(ports, { transport, requestTimeoutMs: 3_000 });
      for (let call = 0; call < 2; call++) {
        const response = await client.cache("cache").get("k");
        assert.ok(response instanceof ErrorResponse);
        assert.equal(response.error.code, "Unavailable", response.error.message);
      }
      await assert.rejects(client.connect(100));
      assertIdle(client);
      await client.close();
    });

    test("GATEWAY-9: call refused by one gateway runs on another", async () => {
      const refusing = await new FakeServer().start();
      const other = await new FakeServer().start();
      const client = clientOfGateways([refusing.port, other.port], { transport });
      await bothUp(client);
      refusing.onCall = (call) => call.fail(Status.unavailable, "no", "not_executed");
      for (let call = 0; call < 30; call++) assertAnswered(await client.cache("cache").increment("n"));
      assert.equal(other.calls.filter((rpc) => rpc === "Increment").length, 30);
      assertIdle(client);
      await client.close();
      await refusing.stop();
      await other.stop();
    });

    test("GATEWAY-4: single address reports no gateway statistics", async () => {
      const server = await new FakeServer().start();
      const client = clientOf(server, transport);
      assertAnswered(await client.cache("cache").get("k"));
      assert.equal("gateways" in client.statistics(), false);
      await client.close();
      await server.stop();
    });

    test("GATEWAY-3, GATEWAY-11: gateways follow changes of the resolved addresses", async () => {
      const server = await new FakeServer().start();
      const seconds = new Set<Socket>();
      const second = createServer((socket) => seconds.add(socket));
      await new Promise<void>((resolve) => second.listen(server.port, "127.0.0.2", resolve));
      let addresses = ["127.0.0.1", "127.0.0.2"];
      const names = { resolve: async () => addresses, everyMs: 5, pauseMs: 5 };
      const parts = clientParts(
        {
          credentials: CredentialProvider.local(`localhost:${server.port}`),
          configuration: withSettings(Configurations.Laptop.latest(), {
            transport,
            requestTimeoutMs: 5_000,
            channels: 1,
          }),
          defaultTtlMs: 60_000,
        },
        names,
      );
      assert.notEqual(parts.transport, parts.gateways);
      const get = () => parts.runner.submit(new GetOperation("cache", "k"), 5_000);
      while (parts.transport !== parts.gateways || seconds.size === 0) assertAnswered(await get());
      const where = `localhost:${server.port}`;
      const told = parts.gateways!.statistics().map(({ address }) => address);
      assert.deepEqual(told, [`${where} (127.0.0.1)`, `${where} (127.0.0.2)`]);
      addresses = ["127.0.0.1"];
      while (parts.gateways!.statistics().length > 1) assertAnswered(await get());
      assertAnswered(await get());
      assert.equal(parts.limiter.inFlight, 0);
      parts.runner.close();
      parts.gateways!.close();
      parts.lag.close();
      for (const socket of seconds) socket.destroy();
      second.close();
      await server.stop();
    });
  });

describe("gateways", () => {
  test("GATEWAY-5: draining gateway gets no new calls", async () => {
    const draining = await new FakeServer().start();
    const other = await new FakeServer().start();
    const client = clientOfGateways([draining.port, other.port], { transport: "pipeline" });
    const cache = client.cache("cache");
    await bothUp(client);
    const held: (() => void)[] = [];
    draining.onCall = (call) => held.push(() => call.answer());
    const calls: Promise<{ readonly result: string }>[] = [];
    while (held.length === 0) {
      calls.push(cache.get("k"));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    // The server now rejects new pipelines.
    draining.pipelineSupported = false;
    draining.drainPipelines();
    await until(() => !up(client)[0]!);
    const before = draining.calls.length;
    for (let call = 0; call < 100; call++) assertAnswered(await cache.get("k"));
    assert.equal(draining.calls.length, before);
    for (const answer of held) answer();
    for (const response of await Promise.all(calls)) assertAnswered(response);
    assertIdle(client);
    await client.close();
    await draining.stop();
    await other.stop();
  });

  test("GATEWAY-13: statistics list each gateway without a token", async () => {
    const servers = [await new FakeServer().start(), await new FakeServer().start()];
    const list = servers.map(({ port }, index) => `http://s3cret${index}@127.0.0.1:${port}`).join(",");
    const client = new CacheClient({
      credentials: CredentialProvider.fromString(list),
      configuration: withSettings(Configurations.Laptop.latest(), { transport: "pipeline" }),
      defaultTtlMs: 60_000,
    });
    await bothUp(client);
    const expected = servers.map(({ endpoint }) => ({
      address: endpoint,
      connections: 1,
      inFlight: 0,
      leftOut: false,
    }));
    assert.deepEqual(client.statistics().gateways, expected);
    assert.equal(client.statistics().connections, 2);
    for (const [index, { headers }] of servers.entries()) assert.equal(headers[0]!.authorization, `s3cret${index}`);
    await client.close();
    for (const server of servers) await server.stop();
  });
});
