import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Status } from "../../src/client/errors.js";
import { CredentialProvider } from "../../src/configuration/credential-provider.js";
import { cacheName } from "../support/every-call.js";
import { type FakeCall, FakeServer, until } from "../support/fake-server.js";
import { valueAt } from "../support/near-bench.js";
import { makeNear, nearClientOf, untilNear } from "../support/near-client.js";

/**
 * Starts fake servers that send invalidations like correct servers. Creates a client that uses all of them. Returns the
 * servers, the client, and for each server the numbers of near gets and plain gets that it received.
 */
async function gateways(count: number) {
  const servers = await Promise.all(Array.from({ length: count }, () => new FakeServer().start()));
  const gets = servers.map(() => ({ near: 0, plain: 0 }));
  const asked = servers.map(() => 0);
  servers.forEach((server, i) => {
    makeNear(server);
    const { onCall, onNear } = server;
    server.onCall = (call) => {
      if (call.rpc === "Get") gets[i]![call.near ? "near" : "plain"]++;
      onCall(call);
    };
    server.onNear = (call) => {
      if (call.what === "open") asked[i]!++;
      onNear(call);
    };
  });
  const list = servers.map(({ endpoint }) => `http://${endpoint}`).join(",");
  const client = nearClientOf("127.0.0.1:1", {}, {}, { credentials: CredentialProvider.fromString(list) });
  /** Waits until every gateway is connected and the near stream is open. */
  const ready = async () => {
    await until(() => {
      void client.cache(cacheName).set("until near", "near");
      return client.statistics().gateways!.every(({ leftOut }) => !leftOut);
    });
    await untilNear(client);
    for (const each of gets) Object.assign(each, { near: 0, plain: 0 });
  };
  return {
    servers,
    client,
    gets,
    asked,
    ready,
    async [Symbol.asyncDispose]() {
      await client.close();
      for (const server of servers) await server.stop();
    },
  };
}

describe("near cache with several gateways", () => {
  test("NEAR-20: get calls use one stream; other calls use all gateways", async () => {
    await using bench = await gateways(3);
    const { client, gets, asked, servers, ready } = bench;
    const cache = client.cache(cacheName);
    await ready();
    for (let i = 0; i < 300; i++) {
      await cache.get(`key-${i}`);
      await cache.set(`key-${i}`, "v");
    }
    assert.deepEqual(asked.toSorted(), [0, 0, 1]);
    assert.deepEqual(
      gets.map(({ plain }) => plain),
      [0, 0, 0],
    );
    assert.equal(gets[asked.indexOf(1)]!.near, 300);
    for (const { calls } of servers) assert.ok(calls.filter((name) => name === "Set").length > 20);
  });

  test("NEAR-20: lost near stream moves to another gateway", async () => {
    await using bench = await gateways(2);
    const { client, servers, asked, ready } = bench;
    const cache = client.cache(cacheName);
    await ready();
    const first = asked.indexOf(1);
    const other = 1 - first;
    assert.equal(asked[other], 0);
    assert.ok(cache.tryGetNear("until near"));
    servers[first]!.drainPipelines();
    await until(() => asked[other] === 1);
    assert.equal(cache.tryGetNear("until near"), undefined);
    await untilNear(client);
    assert.ok(cache.tryGetNear("until near"));
  });

  test("NEAR-20: gateway without near cache is skipped", async () => {
    await using bench = await gateways(2);
    const { servers, asked, ready } = bench;
    const refused: FakeServer[] = [];
    for (const server of servers) {
      const { onNear } = server;
      server.onNear = (call) => {
        if (refused.length > 0) onNear(call);
        else {
          refused.push(server);
          call.fail(Status.unimplemented, "unknown call");
        }
      };
    }
    await ready();
    assert.equal(refused.length, 1);
    assert.equal(asked[servers.indexOf(refused[0]!)], 0);
    assert.equal(asked[1 - servers.indexOf(refused[0]!)], 1);
  });

  test("failed near get is retried on another gateway", async () => {
    await using bench = await gateways(2);
    const { client, servers, gets, asked, ready } = bench;
    await ready();
    const first = asked.indexOf(1);
    const { onCall } = servers[first]!;
    servers[first]!.onCall = (call: FakeCall) =>
      call.rpc === "Get" ? call.fail(Status.unavailable, "not now", "not_executed") : onCall(call);
    assert.equal(await valueAt(client, "k"), "miss");
    assert.deepEqual(gets[1 - first], { near: 0, plain: 1 });
    assert.equal(client.cache(cacheName).tryGetNear("k"), undefined);
  });
});
