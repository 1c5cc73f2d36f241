import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { after, before, describe, test } from "node:test";
import type { Cache } from "../../src/client/cache.js";
import { CacheClient } from "../../src/client/client.js";
import type { CacheClientOptions, CallOptions, SetOptions } from "../../src/client/client-options.js";
import { ErrorResponse } from "../../src/client/responses.js";
import { withSettings } from "../../src/configuration/configuration-check.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { CredentialProvider } from "../../src/configuration/credential-provider.js";
import { leaseOptionNames } from "../../src/leases/lease-settings.js";
import { clientOf, FakeServer } from "../support/fake-server.js";

const good = {
  credentials: CredentialProvider.local(),
  configuration: Configurations.Laptop.latest(),
  defaultTtlMs: 1_000,
} satisfies CacheClientOptions;

/** Invalid argument values of many types. */
const junk: readonly unknown[] = [
  undefined,
  null,
  true,
  7,
  Number.NaN,
  -1n,
  "",
  "x",
  "\ud800",
  Symbol("s"),
  () => {
    throw new Error("called");
  },
  {},
  [],
  [1],
  new Map([[1, 2]]),
  new Date(Number.NaN),
  new Proxy(new Uint8Array(3), {}),
  Object.create(null),
  {
    get signal() {
      throw new Error("a getter that throws");
    },
  },
  { [Symbol.toPrimitive]: () => "1" },
  new AbortController(),
];

function refuses(options: unknown, pattern: RegExp): void {
  assert.throws(() => new CacheClient(options as CacheClientOptions), pattern);
}

describe("CacheClient options", () => {
  test("rejects a configuration function; the error suggests calling latest()", () => {
    refuses({ ...good, configuration: Configurations.Laptop }, /TypeError.*\.latest\(\)/);
    refuses({ ...good, configuration: Configurations.Laptop.latest }, /TypeError.*\.latest\(\)/);
    refuses({ ...good, configuration: Configurations.InRegion }, /TypeError/);
    refuses({ ...good, configuration: undefined }, /TypeError.*configuration/);
  });

  test("error names an unknown option or setting", () => {
    refuses({ ...good, defaultTtl: 60 }, /TypeError.*'defaultTtl'.*defaultTtlMs/);
    refuses({ ...good, metrics: { onCall: () => {} } }, /TypeError.*'onCall'.*callEnded/);
    refuses({ ...good, configuration: { ...good.configuration, maxInFlight: 5 } }, /TypeError.*'maxInFlight'/);
    assert.throws(() => withSettings(good.configuration, { timeoutMs: 5 } as object), /TypeError.*'timeoutMs'/);
    refuses({ ...good, configuration: { requestTimeoutMs: 5_000 } }, /TypeError: maxInFlightUnary/);
  });

  test("error names an option of the wrong type", () => {
    refuses(undefined, /TypeError/);
    refuses({ ...good, credentials: { endpoint: "127.0.0.1:8080" } }, /TypeError.*credentials/);
    refuses({ ...good, defaultTtlMs: "60" }, /TypeError.*defaultTtlMs/);
    refuses({ ...good, defaultTtlMs: Number.NaN }, /RangeError.*defaultTtlMs/);
    refuses({ ...good, metrics: { callEnded: 7 } }, /TypeError.*callEnded/);
    refuses({ ...good, configuration: { ...good.configuration, eagerConnect: "yes" } }, /eagerConnect/);
  });

  test("rejects invalid tokens, hosts and certificates", () => {
    assert.throws(() => CredentialProvider.local("127.0.0.1:8080", "tökén"), /RangeError.*token/);
    assert.throws(() => CredentialProvider.local("127.0.0.1:8080", "a\r\nb"), /RangeError.*token/);
    assert.throws(() => CredentialProvider.fromString("http://a..b:8080"), /RangeError.*host/);
    assert.throws(() => CredentialProvider.local("a..b:8080"), /RangeError.*host/);
    assert.throws(
      () => CredentialProvider.fromString("https://h:1", { certificateAuthority: "no PEM" }),
      /RangeError.*certificateAuthority/,
    );
    for (const value of junk) {
      if (typeof value === "string") continue;
      assert.throws(() => CredentialProvider.fromString(value as string), TypeError);
      if (value !== undefined) assert.throws(() => CredentialProvider.local(value as string), /TypeError/);
    }
  });

  test("rejects every invalid option with an Error", () => {
    for (const name of ["credentials", "configuration", "defaultTtlMs", "metrics"])
      for (const value of junk) {
        if (name === "defaultTtlMs" && value === 7) continue;
        if (name === "metrics" && isEmptyOptions(value)) continue;
        assert.throws(() => new CacheClient({ ...good, [name]: value } as CacheClientOptions), Error, name);
      }
  });
});

function isEmptyOptions(value: unknown): boolean {
  return value === undefined || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
}

for (const transport of ["unary", "pipeline"] as const)
  describe(`calls with hostile arguments, ${transport}`, () => {
    let server: FakeServer;
    let client: CacheClient;
    let cache: Cache;
    before(async () => {
      server = await new FakeServer().start();
      client = clientOf(server, transport);
      cache = client.cache("cache");
      await client.connect();
    });
    after(async () => {
      await client.close();
      await server.stop();
    });
    const atRest = () => {
      const { inFlight, queued } = client.statistics();
      assert.deepEqual({ inFlight, queued }, { inFlight: 0, queued: 0 });
    };

    test("AbortController passed as the signal rejects with a TypeError", async () => {
      const signal = new AbortController() as unknown as AbortSignal;
      await assert.rejects(cache.get("key", { signal }), /TypeError.*\.signal/);
      await assert.rejects(
        cache.getOrSet("key", () => "v", { signal }),
        /TypeError.*\.signal/,
      );
      atRest();
    });

    test("option of a wrong type rejects with a TypeError", async () => {
      for (const options of [{ timeoutMs: "5" }, { timeoutMs: 5n }, { ttlMs: "5" }, { ttlMs: {} }, 7, "x", null, []])
        await assert.rejects(cache.set("key", "value", options as SetOptions), TypeError);
      atRest();
    });

    test("accepts options that are undefined", async () => {
      const options: SetOptions = { ttlMs: undefined, timeoutMs: undefined, signal: undefined };
      assert.equal((await cache.set("key", "value", options)).result, "success");
    });

    test("throwing hooks do not fail calls", async () => {
      const failing = () => {
        throw new Error("a hook's own fault");
      };
      const warnings: Error[] = [];
      const listener = (warning: Error) => warnings.push(warning);
      process.on("warning", listener);
      for (const callEnded of [failing, async () => failing()]) {
        const metrics = { callEnded, connectionChanged: callEnded, capChanged: callEnded };
        await using hooked = clientOf(server, transport, { metrics });
        for (let i = 0; i < 3; i++) assert.equal((await hooked.cache("cache").get("none")).result, "miss");
        assert.equal(hooked.statistics().inFlight, 0);
      }
      await new Promise((resolve) => setImmediate(resolve));
      process.off("warning", listener);
      assert.ok(warnings.some(({ message }) => /callEnded.*a hook's own fault/.test(message)));
    });

    test("hook may make calls and close the client", async () => {
      let made = 0;
      const hooked: CacheClient = clientOf(server, transport, {
        metrics: {
          callEnded: () => {
            if (++made <= 3) void hooked.cache("cache").get("again");
            else void hooked.close();
          },
        },
      });
      await hooked.cache("cache").get("key");
      while (made < 4) await new Promise((resolve) => setImmediate(resolve));
      assert.equal(hooked.statistics().inFlight, 0);
    });

    test("value detached while queued fails only its own call", async () => {
      await using narrow = clientOf(server, transport, {
        configuration: withSettings(Configurations.Laptop.latest(), {
          transport,
          maxInFlightPipeline: 1,
          maxInFlightUnary: 1,
        }),
      });
      const narrowCache = narrow.cache("cache");
      await narrow.connect();
      const first = narrowCache.set("a", "1");
      const value = new Uint8Array(1_000);
      const shrunk = narrowCache.set("b", value);
      const last = narrowCache.set("c", "3");
      structuredClone(value.buffer, { transfer: [value.buffer] });
      const response = await shrunk;
      assert.ok(response instanceof ErrorResponse);
      assert.equal(response.error.code, "InvalidArgument");
      assert.equal((await first).result, "success");
      assert.equal((await last).result, "success");
      assert.equal(narrow.statistics().inFlight, 0);
      assert.equal((await narrowCache.get("b")).result, "miss");
    });

    test("invalid arguments return errors and leak no permit", async () => {
      // biome-ignore lint/suspicious/noExplicitAny: invalid arguments have no common type.
      const [anyClient, anyCache] = [client as any, client.cache("cache") as any];
      const calls: readonly [string, readonly unknown[]][] = [
        ["get", ["key", {}]],
        ["set", ["key", "value", {}]],
        ["delete", ["key", {}]],
        ["increment", ["n", 1, {}]],
        ["keyExists", ["key", { timeoutMs: 1 }]],
        ["updateTtl", ["key", 5, { timeoutMs: 1 }]],
        ["getBatch", [[], { timeoutMs: 1 }]],
        ["setBatch", [[], { timeoutMs: 1 }]],
        ["keysExist", [[], { timeoutMs: 1 }]],
        ["setIfEqual", ["key", "value", "other", { timeoutMs: 1 }]],
        ["setIfPresentAndHashEqual", ["key", "value", Buffer.alloc(16), { timeoutMs: 1 }]],
        ["getOrSet", ["key", () => "made", {}]],
        ["createCache", ["cache", { timeoutMs: 1 }]],
        ["scanKeys", [{ timeoutMs: 1 }]],
        ["scanItems", ["name", { timeoutMs: 1 }]],
      ];
      for (const [name, args] of calls)
        for (let position = 0; position < args.length; position++)
          for (const value of junk) {
            const given = args.map((arg, i) => (i === position ? value : arg));
            let promise: Promise<unknown>;
            try {
              promise = (name === "createCache" ? anyClient : anyCache)[name](...given);
            } catch (error) {
              assert.fail(`${name}(${position}) threw instead of rejecting: ${String(error)}`);
            }
            await promise.then(
              () => {},
              (error: unknown) => assert.ok(error instanceof Error, `${name}(${position})`),
            );
          }
      atRest();
      assert.equal((await cache.set("still", "here")).result, "success");
      assert.equal((await cache.get("still")).result, "hit");
    });

    test("invalid cache name fails with a TypeError or InvalidArgument", async () => {
      for (const name of junk) {
        if (typeof name !== "string") {
          assert.throws(() => client.cache(name as string), TypeError);
          continue;
        }
        const got = await client.cache(name).get("none");
        if (name !== "x") assert.equal(got.result === "error" && got.error.code, "InvalidArgument");
      }
      atRest();
    });

    test("invalid lease options leak no permit", async () => {
      for (const name of leaseOptionNames)
        for (const value of junk)
          await cache
            .getOrSet("leased", () => "made", { [name]: value })
            .then(
              (made) => assert.equal(String(made), "made"),
              (error: unknown) => assert.ok(error instanceof Error, name),
            );
      atRest();
    });

    test("rejects keys and values that are not valid Unicode", async () => {
      const refused = [
        await cache.get("\ud800"),
        await cache.set("key", "\udc00x"),
        await cache.getBatch(["key", "a\ud800"]),
        await cache.setIfEqual("key", "value", "\ud800"),
      ];
      for (const response of refused)
        assert.equal(response.result === "error" && response.error.code, "InvalidArgument");
      assert.equal((await cache.set("\u{1f600}", "\u{1f600}")).result, "success");
    });

    test("getBatch rejects a string as its keys", async () => {
      await assert.rejects(cache.getBatch("keys" as unknown as string[]), /TypeError.*keys/);
      atRest();
    });

    test("calls that share a signal share one listener", async () => {
      let listeners = 0;
      const controller = new AbortController();
      const { signal } = controller;
      const add = signal.addEventListener.bind(signal);
      const remove = signal.removeEventListener.bind(signal);
      signal.addEventListener = ((...args: Parameters<typeof add>) => {
        listeners++;
        add(...args);
      }) as typeof signal.addEventListener;
      signal.removeEventListener = ((...args: Parameters<typeof remove>) => {
        listeners--;
        remove(...args);
      }) as typeof signal.removeEventListener;
      const options: CallOptions = { signal };
      const calls = Array.from({ length: 1_000 }, () => cache.get("key", options));
      assert.equal(listeners, 1);
      await Promise.all(calls);
      assert.equal(listeners, 0);
      server.onCall = () => {};
      const held = Array.from({ length: 10 }, () => cache.get("key", options));
      controller.abort();
      for (const response of await Promise.all(held)) assert.equal(response.result, "error");
      server.onCall = (call) => call.answer();
      atRest();
    });
  });
