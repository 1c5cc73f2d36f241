import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { skipWithoutServer, startServer } from "../support/server-process.js";

const moduleOf = (name: string) =>
  JSON.stringify(pathToFileURL(join(import.meta.dirname, "..", "..", "src", `${name}.js`)).href);

// Runs in its own process, because the test runner needs its timers. Replaces and restores the globals that Jest and
// Sinon replace.
const program = `
  import { writeSync } from "node:fs";
  import * as timers from "node:timers";
  import { CacheClient, Configurations, CredentialProvider, withSettings } from ${moduleOf("index")};
  import { FakeServer } from ${moduleOf("testing/fake")};
  const names = ["setTimeout", "setInterval", "setImmediate", "queueMicrotask", "Date"];
  const own = names.map((name) => globalThis[name]);
  const [nextTick, now] = [process.nextTick, performance.now];
  const stopped = now.call(performance);
  async function withFakeTimers(work) {
    for (const name of names) globalThis[name] = () => {};
    for (const name of names.slice(0, 3)) timers.default[name] = () => {};
    process.nextTick = () => {};
    performance.now = () => stopped;
    const result = await work();
    for (const [i, name] of names.entries()) globalThis[name] = own[i];
    for (const [i, name] of names.slice(0, 3).entries()) timers.default[name] = own[i];
    [process.nextTick, performance.now] = [nextTick, now];
    return result;
  }
  const value = "x".repeat(40_000);
  // 20 sets together exceed the number of unsent bytes that a connection may pass to its socket.
  const results = async (client, sets) => {
    const seen = new Set();
    for (let i = 0; i < sets; i++) seen.add((await client.cache("cache").set("a", value)).result);
    seen.add((await client.cache("cache").get("a")).result);
    return [...seen].join();
  };
  const told = [];
  for (const transport of [{}, { transport: "unary" }]) {
    const client = new CacheClient({
      credentials: CredentialProvider.local(process.argv[1]),
      configuration: withSettings(Configurations.Laptop.latest(), { requestTimeoutMs: 10_000, ...transport }),
      defaultTtlMs: 60_000,
    });
    told.push(await results(client, 1), await withFakeTimers(() => results(client, 20)), await results(client, 20));
    const late = await withFakeTimers(() => client.cache("cache").get("a", { timeoutMs: 0.001 }));
    told.push(late.result === "hit" || late.error.code === "Timeout", await results(client, 1));
    await client.close();
  }
  const fake = new FakeServer();
  const client = fake.client();
  told.push(await withFakeTimers(async () => {
    await client.cache("cache").set("b", "1", { ttlMs: 1_000 });
    const before = (await client.cache("cache").get("b")).result;
    await fake.advance(1_000);
    return before + "," + (await client.cache("cache").get("b")).result;
  }));
  writeSync(1, JSON.stringify(told));`;

test("calls succeed during and after fake timers", { skip: skipWithoutServer }, async () => {
  const server = await startServer();
  const given = ["--input-type=module", "-e", program, server.endpoint];
  const { stdout } = await promisify(execFile)(process.execPath, given, { timeout: 120_000 });
  const each = ["success,hit", "success,hit", "success,hit", true, "success,hit"];
  assert.deepEqual(JSON.parse(stdout), [...each, ...each, "hit,miss"]);
  await server.stop();
});
