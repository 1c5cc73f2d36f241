import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { after, before, describe, test } from "node:test";
import type { Cache } from "../../src/client/cache.js";
import type { CacheClient } from "../../src/client/client.js";
import type { GetOrSetOptions } from "../../src/client/client-options.js";
import { CacheError } from "../../src/client/errors.js";
import { leaseOptionNames, leaseSettingsOf as settingsOf } from "../../src/leases/lease-settings.js";
import { clientOf, FakeServer } from "../support/fake-server.js";

const year = 31_536_000_000;
const leaseSettingsOf = (given: GetOrSetOptions) => settingsOf(given, 60_000);

describe("lease settings", () => {
  test("missing lease options return no settings", () => {
    assert.equal(leaseSettingsOf({}), null);
    const names = [...leaseOptionNames];
    assert.equal(leaseSettingsOf(Object.fromEntries(names.map((name) => [name, undefined]))), null);
  });

  test("one lease option sets the other options to defaults", () => {
    const none = { softTimeoutMs: Number.POSITIVE_INFINITY, hardTimeoutMs: Number.POSITIVE_INFINITY };
    const [ahead, after] = [{ refreshAheadForMs: 0 }, { revalidateForMs: 0, failSafeForMs: 0 }];
    const defaults = { leaseMs: 30_000, ...none, ...ahead, ...after, jitter: 0, tags: [] };
    assert.deepEqual(leaseSettingsOf({ jitter: 0 }), defaults);
    assert.deepEqual(leaseSettingsOf({ tags: new Set(["a"]) }), { ...defaults, tags: ["a"] });
  });

  test("accepts values at the limits of each range", () => {
    const tags = Array.from({ length: 128 }, () => "t".repeat(1_024));
    for (const given of [
      { leaseMs: Number.MIN_VALUE, softTimeoutMs: Number.MIN_VALUE, hardTimeoutMs: Number.MIN_VALUE },
      { softTimeoutMs: 600_000, hardTimeoutMs: 600_000 },
      { leaseMs: 600_000, revalidateForMs: year, failSafeForMs: year, jitter: 1, tags },
      { refreshAheadForMs: 30_000, ttlOf: () => 1 },
      { refreshAheadForMs: 0, revalidateForMs: 0, failSafeForMs: 0, jitter: 0, tags: [] },
    ])
      assert.notEqual(leaseSettingsOf(given), null);
  });

  test("tag bytes are copied", () => {
    const tag = Buffer.from("red");
    const settings = leaseSettingsOf({ tags: [tag] });
    tag.fill(0);
    assert.equal(String(settings?.tags[0]), "red");
  });
});

/** Invalid options whose values are out of range. */
const outOfRange: readonly GetOrSetOptions[] = [
  ...[0, -1, -0, 600_001, 600_000.001, 6_000_000, Number.NaN, Infinity, -Infinity].flatMap((ms) => [
    { leaseMs: ms },
    { softTimeoutMs: ms },
    { hardTimeoutMs: ms },
  ]),
  ...[-1, -Number.MIN_VALUE, year + 1, year * 10, Number.NaN, Infinity, -Infinity].flatMap((ms) => [
    { refreshAheadForMs: ms },
    { revalidateForMs: ms },
    { failSafeForMs: ms },
  ]),
  ...[-0.1, 1.1, 10, Number.NaN, Infinity, -Infinity].map((jitter) => ({ jitter })),
  { tags: [""] },
  { tags: ["t".repeat(1_025)] },
  { tags: ["t".repeat(10_240)] },
  { tags: ["\ud800"] },
  { tags: Array.from({ length: 129 }, () => "t") },
  { tags: Array.from({ length: 1_280 }, () => "t") },
  { refreshAheadForMs: 30_001 },
  { refreshAheadForMs: 1, ttlMs: 1 },
  { leaseMs: 1, ttlMs: 0 },
  { leaseMs: 1, ttlMs: Number.NaN },
  { leaseMs: 1, timeoutMs: -1 },
];

/** Invalid options whose values have a wrong type. */
const wrongTypes: readonly unknown[] = [
  ...["leaseMs", "refreshAheadForMs", "revalidateForMs", "failSafeForMs", "jitter"].flatMap((name) =>
    ["1", null, true, 1n, {}, [], Symbol("1"), () => 1, new Date(1)].map((value) => ({ [name]: value })),
  ),
  ...["red", Buffer.from("red"), null, 7, {}, [7], [null], ["red", undefined], new Map([[1, 2]])].map((tags) => ({
    tags,
  })),
  ...[1, "1", null, true, {}].map((ttlOf) => ({ ttlOf })),
  { leaseMS: 1 },
  { lease: 1 },
  { leaseMs: 1, ttlMs: "1" },
  { leaseMs: 1, timeoutMs: "1" },
  { leaseMs: 1, signal: new AbortController() },
];

describe("GOC-8: getOrSet options", () => {
  let server: FakeServer;
  let client: CacheClient;
  let cache: Cache;
  before(async () => {
    server = await new FakeServer().start();
    client = clientOf(server, "pipeline");
    cache = client.cache("cache");
  });
  after(async () => {
    assert.deepEqual(server.calls, []);
    await client.close();
    await server.stop();
  });
  const factory = () => assert.fail("not called");

  test("out-of-range options are rejected before any call", async () => {
    for (const options of outOfRange)
      for (const asked of [
        cache.getOrSet("key", factory, options),
        client.cache("cache").getOrSet("key", factory, options),
      ])
        await assert.rejects(asked, (error) => error instanceof CacheError && error.code === "InvalidArgument");
  });

  test("wrong option types or names throw TypeError before any call", async () => {
    for (const options of wrongTypes)
      await assert.rejects(cache.getOrSet("key", factory, options as GetOrSetOptions), TypeError);
  });

  test("exception of the tags iterator is rethrown", async () => {
    const tags = {
      *[Symbol.iterator]() {
        yield "red";
        throw new Error("no more");
      },
    };
    await assert.rejects(cache.getOrSet("key", factory, { tags }), /no more/);
  });
});
