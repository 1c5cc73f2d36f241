import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { afterEach, beforeEach, describe, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { Cache } from "../../src/client/cache.js";
import type { CacheClient } from "../../src/client/client.js";
import { CacheError, Status } from "../../src/client/errors.js";
import { field, Message, numberField } from "../../src/testing/message.js";
import { clientOf, type FakeCall, FakeServer, until } from "../support/fake-server.js";
import { warningsIn } from "../support/own-warnings.js";

const token = Buffer.from("a lease's token");

describe("getOrSet with a lease on a scripted server", () => {
  let server: FakeServer;
  let client: CacheClient;
  let cache: Cache;
  beforeEach(async () => {
    server = await new FakeServer().start();
    client = clientOf(server, "pipeline");
    cache = client.cache("cache");
  });
  afterEach(async () => {
    await client.close();
    await server.stop();
  });
  const get = async (options = {}) => String(await cache.getOrSet("key", () => "made", { leaseMs: 1_000, ...options }));
  /** Sets a handler for each given RPC. The fake server answers calls of other RPCs as usual. */
  const answering = (by: Readonly<Record<string, (call: FakeCall) => void>>) => {
    server.onCall = (call) => (by[call.rpc] ?? ((other: FakeCall) => other.answer()))(call);
  };
  const lease = (call: FakeCall) => call.answerWith(field(3, field(1, token)));
  const unimplemented = (call: FakeCall) => call.fail(Status.unimplemented, "unknown method");

  test("GOC-11: hard timeout also applies when the cache fails", async () => {
    const never = () => new Promise<string>(() => {});
    const asked = () => cache.getOrSet("key", never, { hardTimeoutMs: 5 });
    answering({ GetOrLease: (call) => call.fail(Status.permissionDenied, "not you") });
    await assert.rejects(asked(), { name: "TimeoutError" });
    server.onCall = (call) => call.fail(Status.permissionDenied, "not you");
    await assert.rejects(asked(), { name: "TimeoutError" });
  });

  test("lease calls carry the configured times, token and tags", async () => {
    const requests: Message[] = [];
    answering({
      GetOrLease: (call) => {
        requests.push(new Message(call.request));
        lease(call);
      },
      SetWithLease: (call) => {
        requests.push(new Message(call.request));
        call.answerWith(field(1));
      },
    });
    await get({ leaseMs: 599_999.5, ttlMs: 5_000, revalidateForMs: 300, failSafeForMs: 70_000, tags: ["a", "b"] });
    const [asked, stored] = requests;
    assert.deepEqual([asked!.text(1), asked!.number(2), asked!.number(3)], ["key", 600_000, 0]);
    assert.deepEqual([stored!.text(1), stored!.text(2)], ["key", "made"]);
    assert.deepEqual([stored!.number(3), stored!.number(4)], [5_000, 70_000]);
    assert.deepEqual([stored!.bytes(5), stored!.list(6).map(String)], [token, ["a", "b"]]);
    assert.deepEqual(server.calls, ["Get", "GetOrLease", "SetWithLease"]);
  });

  test("hit needs one call; miss without lease options needs two", async () => {
    await cache.set("key", "there");
    assert.equal(await get(), "there");
    await cache.delete("key");
    server.calls.length = 0;
    const none = { leaseMs: undefined, revalidateForMs: undefined, failSafeForMs: undefined, jitter: undefined };
    assert.equal(await get({ ...none, tags: undefined }), "made");
    assert.deepEqual(server.calls, ["Get", "Set"]);
  });

  test("GOC-2: value rejected by the server is still returned", async () => {
    answering({ GetOrLease: lease, SetWithLease: (call) => call.answerWith(field(2)) });
    assert.equal(await get(), "made");
    assert.deepEqual(server.calls, ["Get", "GetOrLease", "SetWithLease"]);
  });

  test("GOC-9: invalid lease response runs the factory without storing", async () => {
    for (const answer of [
      Buffer.alloc(0),
      field(3),
      field(3, field(1)),
      field(9, field(1, token)),
      numberField(3, 7),
      Buffer.from([26, 200]),
      Buffer.from([255, 255]),
    ]) {
      server.calls.length = 0;
      answering({ GetOrLease: (call) => call.answerWith(answer) });
      assert.equal(await get(), "made");
      assert.deepEqual(server.calls, ["Get", "GetOrLease"]);
    }
  });

  test("invalid store response releases the lease and returns the value", async () => {
    answering({ GetOrLease: lease, SetWithLease: (call) => call.answerWith(Buffer.alloc(0)) });
    assert.equal(await get(), "made");
    await until(() => server.calls.length === 4);
    assert.deepEqual(server.calls, ["Get", "GetOrLease", "SetWithLease", "ReleaseLease"]);
  });

  test("polls while another caller refreshes the stale value", async () => {
    let asked = 0;
    answering({
      GetOrLease: (call) =>
        call.answerWith(asked++ < 3 ? field(2, field(1, "old"), numberField(2, 1n << 63n)) : field(1, field(1, "new"))),
    });
    assert.equal(await get({ failSafeForMs: 1_000 }), "new");
    assert.equal(asked, 4);
  });

  test("GOC-4: stale value is returned before the factory refreshes it", async () => {
    let stored: Message | null = null;
    answering({
      GetOrLease: (call) => call.answerWith(field(2, field(1, "old"), numberField(2, 999), field(3, token))),
      SetWithLease: (call) => {
        stored = new Message(call.request);
        call.answerWith(field(1));
      },
    });
    let ran = 0;
    const factory = () => {
      ran++;
      return "new";
    };
    const options = { revalidateForMs: 1_000 };
    assert.equal(String(await cache.getOrSet("key", factory, options)), "old");
    assert.equal(ran, 0);
    await until(() => stored !== null);
    assert.deepEqual([stored!.text(2), stored!.bytes(5), ran], ["new", token, 1]);
    // A value is no longer returned when exactly `revalidateForMs` have passed since its expiry.
    assert.equal(await get({ revalidateForMs: 999 }), "made");
  });

  test("GOC-5: aborted call emits no stale warning", async (context) => {
    const warnings = warningsIn(context);
    answering({
      GetOrLease: (call) => call.answerWith(field(2, field(1, "old"), numberField(2, 1), field(3, token))),
    });
    const controller = new AbortController();
    const never = () => {
      controller.abort(new Error("enough"));
      return new Promise<string>(() => {});
    };
    const options = { failSafeForMs: 1_000, signal: controller.signal };
    await assert.rejects(cache.getOrSet("key", never, options), /enough/);
    await until(() => server.calls.includes("ReleaseLease"));
    await cache.get("another");
    await setImmediate();
    assert.deepEqual(warnings, []);
  });

  test("GOC-5: stale value is returned only within failSafeForMs", async () => {
    answering({
      GetOrLease: (call) => call.answerWith(field(2, field(1, "old"), numberField(2, 999), field(3, token))),
    });
    const failing = () => Promise.reject(new Error("no such row"));
    const asked = (failSafeForMs: number) => cache.getOrSet("key", failing, { failSafeForMs });
    assert.equal(String(await asked(1_000)), "old");
    await assert.rejects(asked(999), /no such row/);
    assert.equal(server.calls.filter((rpc) => rpc === "ReleaseLease").length, 2);
  });

  test("GOC-9: server without leases stores only untagged values", async (context) => {
    const warnings = warningsIn(context);
    answering({ GetOrLease: unimplemented, SetWithLease: unimplemented });
    assert.equal(await get({ tags: ["red"] }), "made");
    assert.equal(await get({ tags: ["red"] }), "made");
    assert.deepEqual(server.calls, ["Get", "GetOrLease", "Get", "GetOrLease"]);
    assert.equal(await get(), "made");
    assert.equal((await cache.get("key")).result, "hit");
    await setImmediate();
    assert.equal(warnings.length, 1);
    assert.match(warnings[0]!, /Unknown/);
  });

  test("GOC-9: value is stored without token at the lease limit", async () => {
    const tokens: boolean[] = [];
    answering({
      GetOrLease: (call) => call.fail(Status.resourceExhausted, "its most leases"),
      SetWithLease: (call) => {
        tokens.push(new Message(call.request).has(5));
        call.answerWith(field(1));
      },
    });
    assert.equal(await get({ tags: ["red"] }), "made");
    assert.deepEqual(server.calls, ["Get", "GetOrLease", "SetWithLease"]);
    assert.deepEqual(tokens, [false]);
  });

  test("GOC-9: failed lease request stores nothing; permanent errors warn", async (context) => {
    const warnings = warningsIn(context);
    for (const status of [
      Status.unavailable,
      Status.internal,
      Status.permissionDenied,
      Status.failedPrecondition,
      Status.unknown,
    ]) {
      server.calls.length = 0;
      answering({ GetOrLease: (call) => call.fail(status, "not now") });
      assert.equal(await get(), "made");
      assert.deepEqual(server.calls, ["Get", "GetOrLease"]);
    }
    await setImmediate();
    assert.deepEqual(
      warnings.map((warning) => /PermissionDenied|FailedPrecondition/.exec(warning)?.[0]),
      ["PermissionDenied", "FailedPrecondition"],
    );
  });

  test("InvalidArgument from the server rejects without running the factory", async () => {
    answering({ GetOrLease: (call) => call.fail(Status.invalidArgument, "no such lease") });
    const asked = cache.getOrSet("key", () => assert.fail("not called"), { leaseMs: 1 });
    await assert.rejects(asked, (error) => error instanceof CacheError && error.code === "InvalidArgument");
  });

  test("GOC-9: value is returned if server stops during the load", async () => {
    answering({ GetOrLease: lease });
    const dying = async (fails: boolean) => {
      await server.stop();
      if (fails) throw new Error("no such row");
      return "made";
    };
    const asked = (fails: boolean) => cache.getOrSet("key", () => dying(fails), { leaseMs: 1_000, timeoutMs: 300 });
    assert.equal(String(await asked(false)), "made");
    server = await new FakeServer().start();
    await client.close();
    client = clientOf(server, "pipeline");
    cache = client.cache("cache");
    answering({ GetOrLease: lease });
    await assert.rejects(asked(true), /no such row/);
    server = await new FakeServer().start();
  });

  test("GOC-3: throwing factory releases the lease and rejects", async () => {
    answering({ GetOrLease: lease });
    for (const thrown of [new Error("no such row"), null, undefined, Symbol("s"), "text"]) {
      server.calls.length = 0;
      const options = { leaseMs: 1_000, failSafeForMs: 1_000 };
      for (const factory of [
        () => {
          throw thrown;
        },
        () => Promise.reject(thrown),
      ]) {
        const outcome = await cache.getOrSet("key", factory, options).then(
          () => assert.fail("it answered"),
          (reason: unknown) => reason,
        );
        assert.equal(outcome, thrown);
      }
      const once = ["Get", "GetOrLease", "ReleaseLease"];
      assert.deepEqual(server.calls, [...once, ...once]);
    }
  });

  test("GOC-3: invalid factory value throws TypeError and releases the lease", async () => {
    answering({ GetOrLease: lease });
    for (const made of [undefined, null, 7, {}, ["a"], new ArrayBuffer(1)]) {
      server.calls.length = 0;
      await assert.rejects(
        cache.getOrSet("key", () => made as string, { leaseMs: 1_000 }),
        TypeError,
      );
      assert.deepEqual(server.calls, ["Get", "GetOrLease", "ReleaseLease"]);
    }
  });

  test("GOC-3: lease is released when the last caller aborts", async () => {
    answering({ GetOrLease: lease });
    let running = false;
    const never = () => {
      running = true;
      return new Promise<string>(() => {});
    };
    const [one, other] = [new AbortController(), new AbortController()];
    const asked = [one, other].map(({ signal }) =>
      assert.rejects(cache.getOrSet("key", never, { leaseMs: 1_000, signal }), /enough/),
    );
    await until(() => running);
    one.abort(new Error("enough"));
    await asked[0];
    assert.deepEqual(server.calls, ["Get", "GetOrLease"]);
    other.abort(new Error("enough"));
    await asked[1];
    await until(() => server.calls.length === 3);
    assert.equal(server.calls[2], "ReleaseLease");
  });

  test("GOC-3: lease is released when the factory aborts its caller", async () => {
    answering({ GetOrLease: lease });
    const controller = new AbortController();
    const never = () => {
      controller.abort(new Error("enough"));
      return new Promise<string>(() => {});
    };
    await assert.rejects(cache.getOrSet("key", never, { leaseMs: 1, signal: controller.signal }), /enough/);
    await until(() => server.calls.length === 3);
    assert.equal(server.calls[2], "ReleaseLease");
  });

  test("GOC-3: abort during the lease request skips the factory", async () => {
    const controller = new AbortController();
    answering({
      GetOrLease: (call) => {
        controller.abort(new Error("enough"));
        lease(call);
      },
    });
    const { signal } = controller;
    const asked = cache.getOrSet("key", () => assert.fail("not called"), { leaseMs: 1, signal });
    await assert.rejects(asked, /enough/);
    await until(() => server.calls.includes("ReleaseLease"));
  });

  test("lease calls use the original key bytes", async () => {
    const keys: string[] = [];
    server.onCall = (call) => {
      keys.push(call.key);
      if (call.rpc === "GetOrLease") lease(call);
      else if (call.rpc === "SetWithLease") call.answerWith(field(1));
      else call.answer();
    };
    const key = Buffer.from("key");
    const factory = () => {
      key.fill(0);
      return "made";
    };
    await cache.getOrSet(key, factory, { leaseMs: 1 });
    assert.deepEqual(keys, ["key", "key", "key"]);
  });
});
