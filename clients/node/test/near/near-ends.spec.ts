import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, test } from "node:test";
import { Status } from "../../src/client/errors.js";
import { cacheName, keyedCalls, namedKey } from "../support/every-call.js";
import { type FakeCall, until } from "../support/fake-server.js";
import { nearBench } from "../support/near-bench.js";
import { sleeper, ticketOf } from "../support/near-client.js";

describe("near cache, removal of copies", () => {
  for (const [name, made] of keyedCalls)
    test(`NEAR-22: ${name} removes the key's copy on success and error`, async () => {
      await using bench = await nearBench({}, { maxRetries: 0 });
      const { server, client, keep } = bench;
      const cache = client.cache(cacheName);
      const { onCall } = server;
      for (const fails of [true, false]) {
        await keep(namedKey, "1");
        await keep("another", "1");
        let answered = 0;
        server.onCall = (call) => {
          answered++;
          // The fake server sends no invalidation, so only the end of the client's own call removes the copy.
          if (fails) call.fail(Status.failedPrecondition, "not now");
          else call.answer();
        };
        await made(cache, client);
        assert.ok(answered > 0, "it was a call");
        assert.equal(cache.tryGetNear(namedKey), undefined);
        const isWhole = name === "flushCache" || name === "deleteCache";
        assert.equal(cache.tryGetNear("another") === undefined, isWhole);
        server.onCall = onCall;
      }
    });

  test("NEAR-22: aborted or late write removes the copy before returning", async () => {
    await using bench = await nearBench();
    const { server, client, keep } = bench;
    const cache = client.cache(cacheName);
    const { onCall } = server;
    for (const how of ["late", "given up"]) {
      const abort = new AbortController();
      const options = how === "late" ? { timeoutMs: 1 } : { signal: abort.signal };
      await keep("k");
      const held: FakeCall[] = [];
      server.onCall = (call) => held.push(call);
      const set = cache.set("k", "written", options);
      await until(() => held.length === 1);
      if (how === "given up") abort.abort();
      assert.equal((await set).result, "error");
      assert.equal(cache.tryGetNear("k"), undefined);
      server.onCall = onCall;
      await cache.get("k");
      held[0]!.answer();
      server.tell({ tickets: [ticketOf("k")] });
      await until(() => cache.tryGetNear("k") === undefined);
    }
  });

  test("NEAR-22: call removes the copy of its original key bytes", async () => {
    await using bench = await nearBench();
    const { server, client, keep } = bench;
    const cache = client.cache(cacheName);
    const { onCall } = server;
    for (const call of [
      (key: Buffer) => cache.set(key, "written"),
      (key: Buffer) => cache.setBatch([[key, "written"]]),
      (key: Buffer) => cache.getBatch([key]),
      (key: Buffer) => cache.keysExist([key]),
      (key: Buffer) => cache.sortedSetUnionStore("into", [key]),
      (key: Buffer) => cache.sortedSetUnionStore(key, ["from"]),
    ]) {
      await keep("k1");
      server.onCall = (each) => each.fail(Status.failedPrecondition, "not now");
      const scratch = Buffer.from("k1");
      const ended = call(scratch);
      scratch.write("k2");
      await ended;
      assert.equal(cache.tryGetNear("k1"), undefined);
      server.onCall = onCall;
    }
  });

  test("NEAR-23, NEAR-5: ticket removes its copies; clear removes all", async () => {
    await using bench = await nearBench();
    const { server, client, keep, counted } = bench;
    const cache = client.cache(cacheName);
    await keep("k");
    await keep("m");
    const before = client.nearCache!;
    server.tell({ tickets: [ticketOf("k")] });
    await until(() => cache.tryGetNear("k") === undefined);
    assert.ok(cache.tryGetNear("m"));
    server.tell({ clear: true });
    await until(() => cache.tryGetNear("m") === undefined);
    assert.equal(counted(before, "invalidations"), 1);
    assert.equal(counted(before, "clears"), 1);
  });

  test("NEAR-25: copy expires at maxAgeMs even during sleep", async (context) => {
    const sleep = sleeper(context);
    await using bench = await nearBench({ maxAgeMs: 2_000 });
    const { client, keep } = bench;
    const cache = client.cache(cacheName);
    await keep("k");
    sleep(1_900);
    assert.ok(cache.tryGetNear("k"));
    sleep(100);
    assert.equal(cache.tryGetNear("k"), undefined);
  });

  test("NEAR-25: copy expires with its item", async (context) => {
    const sleep = sleeper(context);
    await using bench = await nearBench();
    const { server, client, keep } = bench;
    const cache = client.cache(cacheName);
    const { onCall } = server;
    server.onCall = (call) => (call.near ? call.answerKept(1, 1_000) : onCall(call));
    await keep("k");
    assert.ok(cache.tryGetNear("k"));
    sleep(1_000);
    assert.equal(cache.tryGetNear("k"), undefined);
  });
});
