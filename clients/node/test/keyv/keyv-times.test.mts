import { Keyv } from "keyv";
import * as vitest from "vitest";
import { systemClock } from "../../dist/src/calls/clock.js";
import {
  Cache,
  CacheClient,
  type CallReport,
  Configurations,
  CredentialProvider,
  withSettings,
} from "../../dist/src/index.js";
import { KeyvLarder } from "../../dist/src/integrations/keyv.js";
import { type ServerProcess, serverProgram, startServer } from "../../dist/test/support/server-process.js";

const dayMs = 86_400_000;

vitest.describe.skipIf(serverProgram() === null)("KeyvLarder TTLs and round trips", () => {
  let server: ServerProcess;
  let client: CacheClient;
  const reports: CallReport[] = [];
  vitest.beforeAll(async () => {
    server = await startServer(["--max-ttl", "30d"]);
    client = new CacheClient({
      credentials: CredentialProvider.local(server.endpoint),
      configuration: withSettings(Configurations.Laptop.latest(), { requestTimeoutMs: 30_000 }),
      defaultTtlMs: 60_000,
      metrics: { callEnded: (report) => reports.push(report) },
    });
  });
  vitest.afterAll(async () => {
    await client.close();
    await server.stop();
  });
  const store = () => new KeyvLarder({ client, cacheName: "cache" });
  const keyvIn = (namespace: string) => new Keyv({ store: store(), namespace });
  const left = async (key: string) => {
    const answer = await client.cache("cache").itemGetTtl(key);
    return answer.result === "hit" ? answer.remainingTtlMs : 0;
  };
  const generationKey = (namespace: string) => `larder:keyv:generation:${namespace}`;

  vitest.test("entry without a TTL uses the server's maximum", async () => {
    await store().set("for-ever", "value");
    vitest.expect(await left("for-ever")).toBeGreaterThan(29 * dayMs);
  });

  for (const days of [30, 31, 300, 366, 3_650])
    vitest.test(`TTL of ${days} days is limited to the server's 30`, async () => {
      const raw = store();
      await raw.setMany([
        { key: "long", value: "v", ttl: days * dayMs },
        { key: "short", value: "v", ttl: dayMs },
      ]);
      vitest.expect(Math.abs((await left("long")) - 30 * dayMs)).toBeLessThan(60_000);
      vitest.expect(await left("short")).toBeLessThanOrEqual(dayMs);
    });

  vitest.test("generation of a namespace in use does not expire", async () => {
    const keyv = keyvIn("long-lived");
    await keyv.set("key", "value");
    const now = vitest.vi.spyOn(systemClock, "now");
    const startMs = systemClock.now();
    // A call within a minute of the last renewal leaves the TTL unchanged. A later call restores the full TTL, even if
    // another process makes the call.
    for (const [minutes, using, renewed] of [
      [0.5, keyv, false],
      [1.1, keyv, true],
      [1.1, keyvIn("long-lived"), true],
    ] as const) {
      await client.cache("cache").updateTtl(generationKey("long-lived"), 600_000);
      now.mockReturnValue(startMs + minutes * 60_000);
      vitest.expect(await using.get("key")).toBe("value");
      vitest.expect((await left(generationKey("long-lived"))) > 29 * dayMs, `${minutes} minutes`).toBe(renewed);
    }
    now.mockRestore();
  });

  vitest.test("clear by another process is visible", async () => {
    const here = keyvIn("shared");
    const there = keyvIn("shared");
    await here.set("key", "old");
    await there.clear();
    vitest.expect(await here.get("key")).toBeUndefined();
    await here.set("key", "new");
    vitest.expect(await there.get("key")).toBe("new");
  });

  vitest.test("calls with many keys use one batch call", async () => {
    const keys = ["a", "b", "c", "d", "e"];
    const calls = async (work: () => Promise<unknown>) => {
      reports.length = 0;
      await work();
      return reports.map(({ operation }) => operation);
    };
    const raw = store();
    await raw.setMany(keys.map((key) => ({ key, value: key })));
    vitest.expect(await calls(() => raw.getMany(keys))).toEqual(["getBatch"]);
    vitest.expect(await calls(() => raw.hasMany(keys))).toEqual(["keysExist"]);
    vitest.expect(await calls(() => raw.setMany(keys.map((key) => ({ key, value: key }))))).toEqual(["setBatch"]);
    reports.length = 0;
    vitest.expect(await raw.deleteMany(keys)).toBe(true);
    vitest.expect(reports.map(({ operation }) => operation)).toEqual(["keysExist", ...keys.map(() => "delete")]);
    vitest.expect(await calls(() => raw.deleteMany(keys))).toEqual(["keysExist"]);
  });

  vitest.test("deleteMany sends its deletes concurrently", async () => {
    let [underWay, most] = [0, 0];
    const call = Cache.prototype.delete;
    const spy = vitest.vi.spyOn(Cache.prototype, "delete").mockImplementation(function (this: Cache, ...given) {
      most = Math.max(most, ++underWay);
      return call.apply(this, given).finally(() => underWay--);
    });
    const keys = ["a", "b", "c", "d", "e"];
    const raw = store();
    await raw.setMany(keys.map((key) => ({ key, value: key })));
    await raw.deleteMany(keys);
    vitest.expect(most).toBe(keys.length);
    spy.mockRestore();
  });

  vitest.test("reads in a namespace take one round trip", async () => {
    let [roundTrips, underWay] = [0, 0];
    const spies = (["get", "getBatch", "keysExist"] as const).map((name) => {
      const call = Cache.prototype[name] as (...given: unknown[]) => Promise<unknown>;
      return vitest.vi.spyOn(Cache.prototype, name).mockImplementation(function (this: Cache, ...given: unknown[]) {
        if (underWay++ === 0) roundTrips++;
        return call.apply(this, given).finally(() => underWay--);
      } as never);
    });
    const named = keyvIn("named");
    await named.set("a", 1);
    for (const [read, expected] of [
      [() => named.get("a"), 1],
      [() => named.get(["a", "b"]), [1, undefined]],
      [() => named.has("a"), true],
    ] as const) {
      roundTrips = 0;
      vitest.expect(await read()).toEqual(expected);
      vitest.expect(roundTrips).toBe(1);
    }
    for (const spy of spies) spy.mockRestore();
  });
});
