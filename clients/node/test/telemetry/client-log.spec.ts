// Tests the log of a client, with a logger that has the methods of pino.
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { Cache } from "../../src/client/cache.js";
import type { CacheClient } from "../../src/client/client.js";
import { withSettings } from "../../src/configuration/configuration-check.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { CredentialProvider } from "../../src/configuration/credential-provider.js";
import type { Logger } from "../../src/telemetry/client-log.js";
import { type FakeClientOptions, FakeServer } from "../../src/testing/fake.js";
import { clientOf, FakeServer as FakeHttpServer, until } from "../support/fake-server.js";
import { warningsIn } from "../support/own-warnings.js";

const secret = "c0ffee";
const levels = ["debug", "info", "warn", "error"] as const;

interface Entry {
  readonly level: string;
  readonly event: string;
  readonly message: string;
  readonly [field: string]: unknown;
}

/** A logger that records its entries. */
class Entries {
  readonly all: Entry[] = [];
  readonly logger: Logger = Object.fromEntries(
    levels.map((level) => [
      level,
      (fields: { event: string }, message: string) => void this.all.push({ level, message, ...fields }),
    ]),
  ) as unknown as Logger;

  /** Returns the entries of an event, without their messages. */
  of(event: string): object[] {
    return this.all
      .filter((entry) => entry.event === event)
      .map((entry) =>
        Object.fromEntries(Object.entries(entry).filter(([name]) => !["message", "event"].includes(name))),
      );
  }
  get events(): string[] {
    return this.all.map(({ event }) => event);
  }
}

describe("client log", () => {
  let fake: FakeServer;
  let entries: Entries;
  let client: CacheClient;
  let cache: Cache;
  beforeEach(() => {
    fake = new FakeServer();
    entries = new Entries();
    client = fake.client({ logger: entries.logger });
    cache = client.cache("cache");
  });
  afterEach(() => client.close());
  const retrying = (options: FakeClientOptions = {}) =>
    fake.client({ configuration: withSettings(Configurations.Laptop.latest(), { maxRetries: 3 }), ...options });

  test("successful calls log nothing", async () => {
    await cache.set("key", "value");
    await cache.get("key");
    await cache.getOrSet("other", () => "made", { leaseMs: 1_000 });
    assert.deepEqual(entries.all, []);
  });

  test("retry entry contains operation, cache, code, attempts and wait", async () => {
    await using retries = retrying({ logger: entries.logger });
    fake.fail("get", "Unavailable", { times: 2 });
    const got = retries.cache("cache").get("key");
    for (let i = 0; i < 5; i++) await fake.advance(1_000);
    await got;
    const told = entries.of("retry") as { waitMs: number }[];
    const fields = { level: "debug", operation: "get", cacheName: "cache", errorCode: "Unavailable" };
    assert.deepEqual(
      told.map(({ waitMs, ...rest }) => rest),
      [
        { ...fields, attempts: 1 },
        { ...fields, attempts: 2 },
      ],
    );
    assert.ok(told.every(({ waitMs }) => waitMs >= 0 && waitMs <= 1_000));
  });

  test("permanent cache errors are logged once, not emitted as warnings", async (context) => {
    const warnings = warningsIn(context);
    for (const code of ["Unavailable", "PermissionDenied", "PermissionDenied"] as const) {
      fake.fail("get", code);
      await cache.getOrSet("key", () => "made");
    }
    fake.fail("setBatch", "LimitExceeded");
    await cache.getOrSetBatch(["key"], () => ["made"]);
    const fields = { cacheName: "cache" };
    assert.deepEqual(entries.of("made_without_cache"), [
      { level: "debug", ...fields, errorCode: "Unavailable" },
      { level: "debug", ...fields, errorCode: "PermissionDenied" },
    ]);
    assert.deepEqual(entries.of("cache_unusable"), [
      { level: "error", ...fields, errorCode: "PermissionDenied" },
      { level: "error", ...fields, errorCode: "LimitExceeded" },
    ]);
    await setImmediate();
    assert.deepEqual(warnings, []);
  });

  test("stale results and failed refreshes are logged with the error", async (context) => {
    const warnings = warningsIn(context);
    const error = new Error("no such row");
    const failing = () => Promise.reject(error);
    const options = { ttlMs: 1_000, failSafeForMs: 60_000 };
    await cache.getOrSet("key", () => "old", options);
    await fake.advance(1_000);
    for (let i = 0; i < 2; i++) await cache.getOrSet("key", failing, options);
    const told = { level: "warn", cacheName: "cache", err: error };
    assert.deepEqual(entries.of("stale_answered"), [told, told]);
    entries.all.length = 0;
    await cache.getOrSet("key", failing, { ...options, revalidateForMs: 60_000 });
    await fake.advance(0);
    assert.deepEqual(entries.of("not_made_anew"), [told]);
    const slow = cache.getOrSet("key", () => new Promise<string>(() => {}), {
      ...options,
      softTimeoutMs: 10,
    });
    await fake.advance(10);
    assert.equal(String(await slow), "old");
    assert.deepEqual(entries.of("stale_answered"), [{ level: "info", cacheName: "cache" }]);
    await setImmediate();
    assert.deepEqual(warnings, []);
  });

  test("stale result is logged if the factory rejects with undefined", async () => {
    const options = { ttlMs: 1_000, failSafeForMs: 60_000 };
    await cache.getOrSet("key", () => "old", options);
    await fake.advance(1_000);
    await cache.getOrSet("key", () => Promise.reject(undefined), options);
    assert.deepEqual(entries.of("stale_answered"), [{ level: "warn", cacheName: "cache", err: null }]);
  });

  test("GOC-13: postponed refresh is logged", async () => {
    const options = { ttlMs: 1_000, revalidateForMs: 60_000 };
    const keys = Array.from({ length: 33 }, (_, i) => String(i));
    for (const key of keys) await cache.getOrSet(key, () => "old", options);
    await fake.advance(1_000);
    for (const key of keys) await cache.getOrSet(key, () => new Promise<string>(() => {}), options);
    assert.deepEqual(entries.of("refresh_put_off"), [{ level: "debug", cacheName: "cache" }]);
  });

  test("lost subscription is logged without its topic", async () => {
    const subscription = cache.subscribe(secret);
    const established = subscription.established();
    await fake.advance(0);
    await established;
    fake.endSubscriptions("Unavailable");
    await fake.advance(0);
    assert.deepEqual(entries.of("subscription_lost"), [{ level: "debug", cacheName: "cache" }]);
    subscription.close();
  });

  test("exception in a hook is logged once", async (context) => {
    const warnings = warningsIn(context);
    const error = new Error("no hook");
    const metrics = {
      callEnded() {
        throw error;
      },
    };
    await using other = fake.client({ logger: entries.logger, metrics });
    for (let i = 0; i < 3; i++) await other.cache("cache").get("key");
    assert.deepEqual(entries.of("observer_raised"), [{ level: "error", err: error }]);
    await setImmediate();
    assert.deepEqual(warnings, []);
  });

  test("exception in a logger fails no call and warns once", async (context) => {
    const warnings = warningsIn(context);
    for (const thrower of [
      () => {
        throw new Error("disk full");
      },
      () => Promise.reject(new Error("disk full")),
    ]) {
      const logger = Object.fromEntries(levels.map((level) => [level, thrower])) as unknown as Logger;
      await using hostile = retrying({ logger });
      const hostileCache = hostile.cache("cache");
      for (let i = 0; i < 2; i++) {
        fake.fail("get", "Unavailable");
        const got = hostileCache.get("key");
        await fake.advance(1_000);
        assert.equal((await got).result, "miss");
        fake.fail("get", "PermissionDenied");
        assert.equal(String(await hostileCache.getOrSet("key", () => "made")), "made");
      }
    }
    await setImmediate();
    assert.equal(warnings.length, 2);
    for (const warning of warnings) assert.match(warning, /logger failed.*disk full/);
  });

  test("logger methods are called with the logger as this", async () => {
    class Counting {
      count = 0;
      debug() {
        this.count++;
      }
      info() {}
      warn() {}
      error() {}
    }
    const logger = new Counting();
    await using other = fake.client({ logger });
    fake.fail("get", "Unavailable");
    await other.cache("cache").getOrSet("key", () => "made");
    assert.equal(logger.count, 1);
  });

  test("rejects an invalid logger with a TypeError", () => {
    for (const logger of [null, 7, {}, () => {}, { debug() {}, info() {}, warn() {} }, { ...entries.logger, warn: 1 }])
      assert.throws(() => fake.client({ logger: logger as unknown as Logger }), TypeError);
  });

  test("log contains no key, value or token", async () => {
    const server = await new FakeHttpServer().start();
    await using http = clientOf(server, "pipeline", {
      logger: entries.logger,
      credentials: CredentialProvider.local(server.endpoint, secret),
    });
    const httpCache = http.cache("cache");
    await httpCache.get(secret);
    server.breakConnections();
    await httpCache.get(secret);
    for (const code of ["Unavailable", "PermissionDenied", "Internal"] as const)
      for (const operation of ["get", "set", "getOrLease", "setWithLease", "getBatch", "setBatch"] as const) {
        fake.fail(operation, code);
        const options = { leaseMs: 1_000, tags: [secret] };
        await cache.getOrSet(secret, () => secret, operation === "set" ? {} : options);
        await cache.getOrSetBatch([secret], () => [secret]);
        await cache.delete(secret);
      }
    await server.stop();
    assert.ok(entries.all.length > 10);
    assert.ok(!JSON.stringify(entries.all).includes(secret));
  });
});

describe("client log of connections", () => {
  test("connection changes are logged with endpoint and reason", async () => {
    const server = await new FakeHttpServer().start();
    const entries = new Entries();
    await using client = clientOf(server, "pipeline", { logger: entries.logger });
    await client.cache("cache").get("key");
    const { endpoint } = server;
    assert.deepEqual(entries.of("connection_opened"), [{ level: "debug", endpoint }]);
    server.breakConnections();
    await until(() => entries.events.includes("connection_lost"));
    assert.deepEqual(entries.of("connection_lost")[0], { level: "info", endpoint, errorCode: "Unavailable" });
    await server.stop();
  });

  test("logs when a gateway is removed and when it rejoins", async () => {
    const [one, other] = [await new FakeHttpServer().start(), await new FakeHttpServer().start()];
    const { endpoint, port } = other;
    await other.stop();
    const entries = new Entries();
    await using client = clientOf(one, "pipeline", {
      logger: entries.logger,
      credentials: CredentialProvider.fromString(`http://${one.endpoint},http://${endpoint}`),
    });
    await client.cache("cache").get("key");
    await until(() => entries.events.includes("gateway_left_out"));
    assert.deepEqual(entries.of("gateway_left_out"), [{ level: "warn", endpoint }]);
    const again = await new FakeHttpServer().start(port);
    await until(() => entries.events.includes("gateway_up"));
    assert.deepEqual(entries.of("gateway_up"), [{ level: "info", endpoint }]);
    await Promise.all([one.stop(), again.stop()]);
  });
});
