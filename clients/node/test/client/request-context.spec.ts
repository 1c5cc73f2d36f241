import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import {
  CacheClient,
  Configurations,
  type ConnectionEvent,
  CredentialProvider,
  withSettings,
} from "../../src/index.js";
import { type ServerProcess, skipWithoutServer, startServer } from "../support/server-process.js";

// Keeps the process alive, because a client that waits for a connection event does not.
const held = setInterval(() => {}, 1_000);
after(() => clearInterval(held));
const requests = new AsyncLocalStorage<object>();
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

type Options = { readonly transport?: "unary"; readonly events?: (event: ConnectionEvent) => void };

function clientOf(server: ServerProcess, { transport, events = () => {} }: Options): CacheClient {
  return new CacheClient({
    credentials: CredentialProvider.local(server.endpoint),
    configuration: withSettings(Configurations.Laptop.latest(), {
      requestTimeoutMs: 30_000,
      ...(transport === undefined ? {} : { transport }),
    }),
    defaultTtlMs: 60_000,
    metrics: { connectionChanged: events },
  });
}

// Runs `work` in the context of a request. Returns a weak reference to that context.
async function contextOf(work: () => Promise<unknown>): Promise<WeakRef<object>> {
  const context = { request: Buffer.alloc(1_000) };
  await requests.run(context, work);
  return new WeakRef(context);
}

async function isCollected(context: WeakRef<object>): Promise<boolean> {
  for (let tries = 0; tries < 200; tries++) {
    collect();
    if (context.deref() === undefined) return true;
    await sleep(20);
  }
  return false;
}

for (const transport of ["pipelined", "unary"] as const)
  test(`connection does not retain a request's async context, ${transport}`, { skip: skipWithoutServer }, async () => {
    const server = await startServer();
    const seen: unknown[] = [];
    let tellLost = () => {};
    const lost = new Promise<void>((resolve) => {
      tellLost = resolve;
    });
    const client = clientOf(server, {
      ...(transport === "unary" ? { transport } : {}),
      events: ({ kind }) => {
        seen.push(requests.getStore());
        if (kind === "lost") tellLost();
      },
    });
    const cache = client.cache("cache");
    const context = await contextOf(() => cache.set("a", "1"));
    assert.equal((await cache.get("a")).result, "hit");
    assert.ok(await isCollected(context), "the request's context is kept");
    const second = await contextOf(async () => {
      const store = requests.getStore();
      assert.equal((await cache.get("a")).result, "hit");
      assert.equal(requests.getStore(), store, "the caller's own context goes on");
    });
    assert.ok(await isCollected(second));
    await server.stop("SIGKILL");
    if (transport === "pipelined") await lost;
    assert.ok(seen.every((store) => store === undefined));
    await client.close();
  });

test("subscription events run outside the request's async context", { skip: skipWithoutServer }, async () => {
  const server = await startServer();
  const told: unknown[] = [];
  const live = new Promise<void>((resolve) => {
    const client = new CacheClient({
      credentials: CredentialProvider.local(server.endpoint),
      configuration: Configurations.Laptop.latest(),
      defaultTtlMs: 60_000,
      metrics: {
        subscriptionChanged: ({ kind }) => {
          if (kind !== "live") return;
          told.push(requests.getStore());
          void client.close().then(resolve);
        },
      },
    });
    requests.run({}, () => client.cache("cache").subscribe("topic"));
  });
  await live;
  assert.deepEqual(told, [undefined]);
  await server.stop();
});
