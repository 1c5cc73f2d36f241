// Tests the calls that a leased getOrSet makes, on the fake server and on the real server. Both servers must respond
// identically.
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { after, before, describe, test } from "node:test";
import type { Cache } from "../../src/client/cache.js";
import type { CacheClient } from "../../src/client/client.js";
import type { ErrorResponse } from "../../src/client/responses.js";
import {
  GetOrLeaseOperation,
  type LeasedItem,
  type LeaseResponse,
  ReleaseLeaseOperation,
  SetWithLeaseOperation,
} from "../../src/operations/lease-operations.js";
import { internalCall } from "../support/internal-call.js";
import { fakeBench, type LeaseBench, serverBench } from "../support/lease-benches.js";
import { skipWithoutServer } from "../support/server-process.js";

const hour = 3_600_000;
const day = 86_400_000;

function tests(make: () => LeaseBench | Promise<LeaseBench>): void {
  let bench: LeaseBench;
  let client: CacheClient;
  let cache: Cache;
  before(async () => {
    bench = await make();
    client = bench.client();
    cache = client.cache("cache");
  });
  after(() => bench.close());
  const ask = (key: string, leaseMs = hour / 6) => internalCall(client, new GetOrLeaseOperation("cache", key, leaseMs));
  const store = async (key: string, item: Partial<LeasedItem>) => {
    const whole = { value: "v", ttlMs: hour, staleMs: 0, token: null, tags: [], validator: "", ...item };
    return shown(await internalCall(client, new SetWithLeaseOperation("cache", key, whole)));
  };
  const release = (key: string, token: Buffer) => internalCall(client, new ReleaseLeaseOperation("cache", key, token));
  /** Formats a response as its error code, or as its result followed by its value. */
  const shown = (answer: LeaseResponse | ErrorResponse | { readonly result: string }): string => {
    if ("error" in answer) return answer.error.code;
    return "value" in answer ? `${answer.result} ${answer.value}` : answer.result;
  };
  const tokenOf = (answer: LeaseResponse | ErrorResponse): Buffer => {
    assert.ok("token" in answer && answer.token !== null, shown(answer));
    return answer.token;
  };
  const got = async (key: string) => {
    const found = await cache.get(key);
    return found.result === "hit" ? found.value : found.result;
  };
  /** Stores a value and waits until it is stale. */
  const makeStale = async (key: string, item: Partial<LeasedItem> = {}) => {
    await store(key, { ttlMs: 1, staleMs: hour, ...item });
    while ((await got(key)) !== "miss") await bench.pass(1);
  };

  test("LEASE-1: only one caller gets the lease of a key", async () => {
    const token = tokenOf(await ask("l1"));
    assert.equal(shown(await ask("l1")), "elsewhere");
    assert.equal(shown(await ask("l1 other")), "lease");
    assert.equal(await store("l1", { token, value: "made" }), "stored");
    assert.equal(shown(await ask("l1")), "hit made");
    await store("l1 empty", { value: "" });
    assert.equal(shown(await ask("l1 empty")), "hit ");
  });

  test("LEASE-3: lease expires after its time, at most 600,000 ms", async () => {
    const token = tokenOf(await ask("l3", 1));
    let next = await ask("l3");
    for (; next.result === "elsewhere"; next = await ask("l3")) await bench.pass(1);
    assert.notDeepEqual(tokenOf(next), token);
    assert.equal(await store("l3", { token }), "notStored");
    for (const leaseMs of [0, 600_001, 6_000_000, 4_294_967_295])
      assert.equal(shown(await ask("l3 bounds", leaseMs)), "InvalidArgument");
    assert.equal(shown(await ask("l3 bounds", 600_000)), "lease");
  });

  test("LEASE-4: expired or foreign lease stores nothing", async () => {
    for (const [what, left] of [
      [() => cache.set("l4", "set"), "set"],
      [() => cache.delete("l4"), "miss"],
      [() => cache.increment("l4"), "1"],
      [() => store("l4", { value: "without" }), "without"],
      [() => client.flushCache("cache"), "miss"],
    ] as const) {
      await cache.delete("l4");
      const token = tokenOf(await ask("l4"));
      await what();
      assert.equal(await store("l4", { token }), "notStored");
      assert.equal(await got("l4"), left);
    }
    await cache.delete("l4");
    const token = tokenOf(await ask("l4"));
    for (const other of [Buffer.from("x"), Buffer.alloc(16), Buffer.alloc(17), token.subarray(1)])
      assert.equal(await store("l4", { token: other }), "notStored");
    assert.equal(await store("l4 other", { token }), "notStored");
    await cache.setUnion("l4", ["element"]);
    assert.equal(await store("l4", { token }), "notStored");
    assert.equal((await cache.setLength("l4")).result, "hit");
  });

  test("LEASE-5: only the right token releases a lease", async () => {
    const token = tokenOf(await ask("l5"));
    for (const other of [Buffer.alloc(16), Buffer.from("x")])
      assert.equal((await release("l5", other)).result, "success");
    assert.equal(shown(await ask("l5")), "elsewhere");
    assert.equal((await release("l5", token)).result, "success");
    assert.equal(await store("l5", { token }), "notStored");
    assert.equal(shown(await ask("l5")), "lease");
    assert.equal((await release("l5 none", token)).result, "success");
  });

  test("LEASE-7: collections and missing caches have no leases", async () => {
    await cache.listPushBack("l7", "element");
    assert.equal(shown(await ask("l7")), "FailedPrecondition");
    const asked = internalCall(client, new GetOrLeaseOperation("nowhere", "key", 1));
    assert.equal(shown(await asked), "NotFound");
  });

  test("STALE-5: validator is returned with the stale value only", async () => {
    await makeStale("validated", { validator: '"v1"' });
    const answer = await ask("validated");
    assert.ok(answer.result === "stale", shown(answer));
    assert.equal(String(answer.validator), '"v1"');
    for (const bytes of [1_025, 10_240]) {
      const validator = "e".repeat(bytes);
      assert.equal(await store("too long", { validator }), "InvalidArgument");
    }
    assert.equal(await store("longest", { validator: "e".repeat(1_024) }), "stored");
  });

  test("STALE-1: only lease requests return an expired item", async () => {
    await makeStale("s1");
    await bench.pass(3);
    assert.equal(await got("s1"), "miss");
    assert.deepEqual(await cache.keyExists("s1"), { result: "success", exists: false });
    assert.equal((await cache.itemGetTtl("s1")).result, "miss");
    const answer = await ask("s1");
    assert.equal(shown(answer), "stale v");
    assert.ok(answer.result === "stale" && answer.expiredMs >= 3);
    await store("s1 none", { ttlMs: 1 });
    while ((await got("s1 none")) !== "miss") await bench.pass(1);
    assert.equal(shown(await ask("s1 none")), "lease");
    await store("s1 short", { ttlMs: 1, staleMs: 1 });
    while ((await got("s1 short")) !== "miss") await bench.pass(1);
    await bench.pass(3);
    assert.equal(shown(await ask("s1 short")), "lease");
  });

  test("STALE-2: only one caller gets a token to refresh", async () => {
    await makeStale("s2");
    const token = tokenOf(await ask("s2"));
    const next = await ask("s2");
    assert.ok(next.result === "stale" && next.token === null);
    assert.equal(await store("s2", { token, value: "new" }), "stored");
    assert.equal(await got("s2"), "new");
  });

  test("STALE-3: stale time is limited and survives updateTtl", async () => {
    assert.equal(await store("s3", { staleMs: day }), "stored");
    for (const staleMs of [day + 1, day * 10, Number.MAX_SAFE_INTEGER])
      assert.equal(await store("s3", { staleMs }), "InvalidArgument");
    await cache.updateTtl("s3", 1);
    while ((await got("s3")) !== "miss") await bench.pass(1);
    assert.equal(shown(await ask("s3")), "stale v");
  });

  test("STALE-4: writes, deletes and flushes remove the stale value", async () => {
    for (const end of [() => cache.delete("s4"), () => cache.removeByTag(["t"]), () => client.flushCache("cache")]) {
      await makeStale("s4", { tags: ["t"] });
      await end();
      assert.equal(shown(await ask("s4")), "lease");
    }
    await makeStale("s4");
    await cache.set("s4", "short", { ttlMs: 1 });
    while ((await got("s4")) !== "miss") await bench.pass(1);
    assert.notEqual(shown(await ask("s4")), "stale v");
    await makeStale("s4 count");
    await cache.increment("s4 count");
    assert.equal(await got("s4 count"), "1");
    await makeStale("s4 list");
    await cache.listPushBack("s4 list", "element");
    assert.equal(shown(await ask("s4 list")), "FailedPrecondition");
  });

  test("TAG-3: value leased before a tag removal becomes a miss", async () => {
    const token = tokenOf(await ask("t3"));
    await cache.removeByTag(["t"]);
    assert.equal(await store("t3", { token, tags: ["other", "t"], staleMs: hour }), "stored");
    assert.equal(await got("t3"), "miss");
    const next = tokenOf(await ask("t3"));
    assert.equal(await store("t3", { token: next, tags: ["t"] }), "stored");
    assert.equal(await got("t3"), "v");
  });

  test("TAG-4: tag limits also apply to writes with a token", async () => {
    const token = tokenOf(await ask("t4"));
    for (const tags of [[""], ["t".repeat(1_025)], Array.from({ length: 129 }, () => "t")])
      assert.equal(await store("t4", { token, tags }), "InvalidArgument");
    assert.equal(await store("t4", { token, tags: Array.from({ length: 128 }, (_, i) => `${i}`) }), "stored");
  });

  test("rejected setWithLease keeps the lease", async () => {
    const token = tokenOf(await ask("refused"));
    for (const item of [{ ttlMs: 0 }, { ttlMs: day + 1 }, { staleMs: day + 1 }])
      assert.equal(await store("refused", { token, ...item }), "InvalidArgument");
    assert.equal(await store("refused", { token, value: Buffer.alloc(5_000_193) }), "LimitExceeded");
    assert.equal(await store("refused", { token }), "stored");
  });
}

describe("leases on the fake server", () => {
  tests(fakeBench);

  test("LEASE-8: at most 65,536 leases exist; expired ones are removed", { timeout: 120_000 }, async () => {
    const bench = fakeBench();
    const client = bench.client({ maxInFlightPipeline: "off", queueLimit: 1_000_000 });
    const cache = client.cache("cache");
    const ask = (key: number) => internalCall(client, new GetOrLeaseOperation("cache", `${key}`, 1_000));
    for (let from = 0; from < 65_536; from += 4_096)
      await Promise.all(Array.from({ length: 4_096 }, (_, i) => ask(from + i)));
    const past = await ask(65_536);
    assert.ok(past.result === "error" && past.error.code === "LimitExceeded");
    assert.equal(String(await cache.getOrSet("without", () => "made", { leaseMs: 1 })), "made");
    assert.equal((await cache.get("without")).result, "hit");
    await bench.pass(1_000);
    assert.equal((await ask(65_536)).result, "lease");
    await bench.close();
  });
});

describe("leases on the real server", { skip: skipWithoutServer }, () => tests(serverBench));
