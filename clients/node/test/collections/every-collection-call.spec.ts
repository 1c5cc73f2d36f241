// Tests what all collection calls have in common. Each test runs for each call in a table.
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { after, before, describe, test } from "node:test";
import type { Cache } from "../../src/client/cache.js";
import type { CacheClient } from "../../src/client/client.js";
import { Status } from "../../src/client/errors.js";
import { ErrorResponse } from "../../src/client/responses.js";
import { ScoreBound } from "../../src/collections/score-bound.js";
import { kinds } from "../../src/operations/_generated/operation-kinds.js";
import { kept, startFakeServer } from "../support/collections.js";
import { type FakeCall, type FakeServer, until } from "../support/fake-server.js";

type Name = Extract<keyof typeof kinds, keyof Cache>;

/**
 * Each collection call, with its arguments after the collection's name. If the call has options of its own, they are
 * included.
 */
const calls: readonly (readonly [name: Name, ...given: unknown[]])[] = [
  ["dictionaryGet", ["f"], {}],
  ["dictionaryFetch", {}],
  ["dictionarySet", { f: "v" }, { ttl: kept }],
  ["dictionaryIncrement", "f", 1, { ttl: kept }],
  ["dictionaryDelete", {}],
  ["dictionaryRemove", ["f"], {}],
  ["dictionaryLength", {}],
  ["setFetch", {}],
  ["setSample", 1, {}],
  ["setUnion", ["e"], { ttl: kept }],
  ["setDifference", ["e"], {}],
  ["setDifferenceFrom", ["e"], {}],
  ["setContains", ["e"], {}],
  ["setLength", {}],
  ["setPop", 1, {}],
  ["listPushFront", "v", { truncateBackToSize: 1, ttl: kept }],
  ["listPushBack", "v", { truncateFrontToSize: 1, ttl: kept }],
  ["listConcatenateFront", ["v"], { truncateBackToSize: 1, ttl: kept }],
  ["listConcatenateBack", ["v"], { truncateFrontToSize: 1, ttl: kept }],
  ["listPopFront", {}],
  ["listPopBack", {}],
  ["listFetch", { start: 0, end: 1 }],
  ["listRetain", { start: 0, end: 1, ttl: kept }],
  ["listRemove", "v", {}],
  ["listErase", [[0, 1]], {}],
  ["listLength", {}],
  ["sortedSetPut", { e: 1 }, { ttl: kept }],
  ["sortedSetFetchByRank", { order: "descending", start: 0, end: 1 }],
  ["sortedSetFetchByScore", { order: "descending", min: 0, max: ScoreBound.exclusive(1), offset: 0, count: 1 }],
  ["sortedSetGetScore", ["e"], {}],
  ["sortedSetGetRank", "e", { order: "descending" }],
  ["sortedSetIncrement", "e", 1, { ttl: kept }],
  ["sortedSetRemove", ["e"], {}],
  ["sortedSetLength", {}],
  ["sortedSetLengthByScore", { min: 0, max: ScoreBound.exclusive(1) }],
  ["sortedSetUnionStore", ["s"], { aggregate: "max", ttlMs: 7 }],
];
// The calls that are not idempotent with the arguments in `calls` (RETRY-1). All three clients have the same list.
const sentOnce = [
  "dictionaryIncrement",
  "setDifferenceFrom",
  "setPop",
  "listPushFront",
  "listPushBack",
  "listConcatenateFront",
  "listConcatenateBack",
  "listPopFront",
  "listPopBack",
  "listRetain",
  "listErase",
  "sortedSetIncrement",
  "sortedSetUnionStore",
];

test("call table lists every collection operation", () => {
  const [first, last] = [kinds.dictionaryGet.field, kinds.sortedSetUnionStore.field];
  const own = Object.values(kinds).filter(({ field }) => field >= first && field <= last);
  assert.deepEqual(calls.map(([name]) => name).sort(), own.map(({ name }) => name).sort());
});

for (const transport of ["unary", "pipeline"] as const)
  describe(`collection calls, ${transport}`, () => {
    let server: FakeServer;
    let client: CacheClient;
    before(async () => {
      ({ server, client } = await startFakeServer(transport));
      await client.connect();
    });
    after(async () => {
      await client.close();
      await server.stop();
    });

    function make(name: Name, given: readonly unknown[]): Promise<{ readonly result: string }> {
      // biome-ignore lint/suspicious/noExplicitAny: each call has different arguments.
      return (client.cache("cache") as any)[name]("c", ...given);
    }

    async function sends(call: () => Promise<{ readonly result: string }>, answer: (call: FakeCall) => void) {
      const before = server.calls.length;
      server.onCall = answer;
      const response = await call();
      return { response, count: server.calls.length - before };
    }

    for (const [name, ...given] of calls) {
      test(`${name} retries after UNAVAILABLE only if it is idempotent`, async () => {
        const unavailable = (call: FakeCall) => call.fail(Status.unavailable, "not now");
        const { response, count } = await sends(() => make(name, given), unavailable);
        assert.ok(response instanceof ErrorResponse);
        assert.equal(response.error.code, "Unavailable");
        assert.equal(count, sentOnce.includes(name) ? 1 : 2);
        assert.equal(kinds[name].idempotent, !sentOnce.includes(name));
      });

      test(`${name} retries an unexecuted call and returns the server's error`, async () => {
        let first = true;
        const { response, count } = await sends(
          () => make(name, given),
          (call) => {
            if (first) call.fail(Status.unavailable, "not now", "not_executed");
            else call.fail(Status.failedPrecondition, "the key holds an item of another type");
            first = false;
          },
        );
        assert.ok(response instanceof ErrorResponse);
        assert.equal(response.error.code, "FailedPrecondition");
        assert.match(response.error.message, new RegExp(`^${name} failed: the key holds.*key of 1 byte`));
        assert.equal(count, 2);
      });

      test(`${name} rejects invalid arguments and options without sending`, async () => {
        const sent = server.calls.length;
        // biome-ignore lint/suspicious/noExplicitAny: each call has different arguments.
        const any = (cacheName: string) => client.cache(cacheName) as any;
        for (const [cacheName, collection] of [
          ["", "c"],
          ["cache", ""],
          ["cache", "\ud800"],
        ] as const)
          assert.equal((await any(cacheName)[name](collection, ...given)).error?.code, "InvalidArgument");
        await assert.rejects(any("cache")[name](7, ...given), TypeError);
        const options = given.at(-1) as object;
        for (const wrong of [{ ...options, timeout: 5 }, 7, "x", null, []])
          await assert.rejects(make(name, [...given.slice(0, -1), wrong]), TypeError);
        assert.equal((await make(name, [...given.slice(0, -1), { ...options, timeoutMs: 0 }])).result, "error");
        assert.equal(server.calls.length, sent);
      });

      test(`${name} ends when its signal aborts`, async () => {
        server.onCall = () => {};
        const before = server.calls.length;
        const controller = new AbortController();
        const options = { ...(given.at(-1) as object), signal: controller.signal };
        const response = make(name, [...given.slice(0, -1), options]);
        await until(() => server.calls.length > before);
        controller.abort();
        const ended = await response;
        assert.ok(ended instanceof ErrorResponse);
        assert.equal(ended.error.code, "Cancelled");
      });

      test(`${name} returns Internal if the response cannot be decoded`, async () => {
        const { response } = await sends(
          () => make(name, given),
          (call) => call.answerWith(Buffer.from([0x0a, 0x05, 0x0a])),
        );
        // An empty response may contain unknown fields, but these fields must be complete.
        if (response.result === "success") return;
        assert.ok(response instanceof ErrorResponse);
        assert.equal(response.error.code, "Internal");
        assert.match(response.error.message, /could not be decoded/);
      });
    }

    test("invalid arguments return errors and leak no permit", async () => {
      server.onCall = (call) => call.fail(Status.failedPrecondition, "whatever it was");
      const junk = [
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
        () => {},
        {},
        [],
        [1],
        ["x"],
        [["x"]],
        [["x", 1]],
        new Map([[1, 2]]),
        new Date(Number.NaN),
        new Proxy(new Uint8Array(3), {}),
        Object.create(null),
        { [Symbol.iterator]: 7 },
        { [Symbol.iterator]: () => ({ next: () => 7 }) },
        Number.POSITIVE_INFINITY,
        1e300,
        0.5,
        {
          get ttl() {
            throw new Error("a getter that throws");
          },
        },
        new AbortController(),
        new Uint8Array(0),
      ];
      for (const [name, ...given] of calls)
        for (let position = 0; position < given.length; position++)
          for (const value of junk) {
            const changed = given.map((each, i) => (i === position ? value : each));
            let promise: Promise<unknown>;
            try {
              promise = make(name, changed);
            } catch (error) {
              assert.fail(`${name}(${position}) threw instead of rejecting: ${String(error)}`);
            }
            await promise.then(
              () => {},
              (error: unknown) => assert.ok(error instanceof Error, `${name}(${position})`),
            );
          }
      const { inFlight, queued } = client.statistics();
      assert.deepEqual({ inFlight, queued }, { inFlight: 0, queued: 0 });
    });
  });
