import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { after, afterEach, before, describe, test } from "node:test";
import type { Cache } from "../../src/client/cache.js";
import type { CacheClient } from "../../src/client/client.js";
import type { ScanItemsOptions } from "../../src/client/client-options.js";
import type { DictionaryPage, ListPage, SetPage, SortedSetPage } from "../../src/collections/collection-pages.js";
import type { Bytes } from "../../src/operations/proto-writer.js";
import { codeOf, onServer } from "../support/collections.js";
import { responseBytes } from "../support/contract.js";
import { clientOf, FakeServer } from "../support/fake-server.js";

const names = Array.from({ length: 1_000 }, (_, i) => `element ${i}`);

interface Pages {
  readonly dictionary: DictionaryPage;
  readonly set: SetPage;
  readonly list: ListPage;
  readonly sortedSet: SortedSetPage;
}

/** Returns all pages of a collection of this type, and asserts that there are several pages. */
async function pagesOf<T extends keyof Pages>(
  cache: Cache,
  name: string,
  type: T,
  count = 64,
): Promise<readonly Pages[T][]> {
  const pages: Pages[T][] = [];
  let cursor: Buffer = Buffer.alloc(0);
  do {
    const page = await cache.scanItems(name, { cursor, count });
    assert.ok(page.result === "hit", codeOf(page));
    assert.equal(page.type, type);
    pages.push(page as Pages[T]);
    cursor = page.cursor;
  } while (cursor.length > 0);
  assert.ok(pages.length > 1);
  return pages;
}

onServer("scanItems", (cache) => {
  test("pages of a dictionary contain every field and value", async () => {
    const items = [...names.map((name) => [name, `its ${name}`] as const), ["empty", ""] as const];
    await cache().dictionarySet("d", items);
    const pages = await pagesOf(cache(), "d", "dictionary");
    assert.deepEqual(new Map([...pages.flatMap((page) => page.items)].sort()), new Map([...items].sort()));
  });

  test("pages of a set contain every element as bytes", async () => {
    await cache().setUnion("s", [...names, Buffer.from([0xff, 0])]);
    const pages = await pagesOf(cache(), "s", "set");
    const met = new Set(pages.flatMap((page) => page.elementsBytes).map((element) => element.toString("latin1")));
    assert.deepEqual([...met].sort(), [...names, "\xff\0"].sort());
  });

  test("pages of a list contain all elements in order", async () => {
    await cache().listConcatenateBack("l", [...names, ...names]);
    const pages = await pagesOf(cache(), "l", "list");
    assert.deepEqual(
      pages.flatMap((page) => page.values),
      [...names, ...names],
    );
  });

  test("pages of a sorted set contain every element and score", async () => {
    const scores = new Map(names.map((name, i) => [name, i / 4]));
    scores.set("lowest", Number.NEGATIVE_INFINITY).set("highest", Number.POSITIVE_INFINITY);
    await cache().sortedSetPut("z", scores);
    const pages = await pagesOf(cache(), "z", "sortedSet");
    const met = new Map(pages.flatMap((page) => page.elements));
    assert.deepEqual([...met].sort(), [...scores].sort());
  });

  test("accepts every 32-bit count", async () => {
    await cache().setUnion("s", names);
    for (const count of [0, 1, 2 ** 32 - 1]) assert.equal((await cache().scanItems("s", { count })).result, "hit");
    await pagesOf(cache(), "s", "set", 0);
  });

  test("missing collection is a miss; scalar or invalid name fails", async () => {
    assert.equal((await cache().scanItems("none")).result, "miss");
    await cache().set("scalar", "value");
    assert.equal(codeOf(await cache().scanItems("scalar")), "FailedPrecondition");
    assert.equal(codeOf(await cache().scanItems("")), "InvalidArgument");
    assert.equal(codeOf(await cache("no-such-cache").scanItems("s")), "NotFound");
  });

  test("rejects invalid cursors and cursors of another collection", async () => {
    await cache().setUnion("s", names);
    await cache().setUnion("other", names);
    const page = await cache().scanItems("s", { count: 1 });
    assert.ok(page.result === "hit" && page.cursor.length > 0);
    const hostile = [
      Buffer.from("garbage"),
      Buffer.from([0]),
      Buffer.alloc(10_000, 0xff),
      page.cursor.subarray(1),
      Buffer.concat([page.cursor, Buffer.from([0])]),
    ];
    for (const cursor of hostile) assert.equal(codeOf(await cache().scanItems("s", { cursor })), "InvalidArgument");
    assert.equal(codeOf(await cache().scanItems("other", { cursor: page.cursor })), "InvalidArgument");
    assert.equal((await cache().scanItems("s", { cursor: page.cursor })).result, "hit");
  });
});

describe("scanItems with a hostile server", () => {
  let server: FakeServer;
  let client: CacheClient;
  let cache: Cache;
  before(async () => {
    server = await new FakeServer().start();
    client = clientOf(server, "auto");
    cache = client.cache("cache");
  });
  afterEach(() => {
    server.onCall = (call) => call.answer();
    server.calls.length = 0;
  });
  after(async () => {
    await client.close();
    await server.stop();
  });

  test("rejects invalid arguments without sending", async () => {
    for (const count of [-1, 1.5, 2 ** 32, Number.NaN, Number.POSITIVE_INFINITY])
      assert.equal(codeOf(await cache.scanItems("name", { count })), "InvalidArgument");
    for (const name of ["", "\ud800"]) assert.equal(codeOf(await cache.scanItems(name)), "InvalidArgument");
    const wrong = [{ cursor: "text" }, { cursor: null }, { count: "1" }, { count: 1n }, { type: "set" }, null, [], 7];
    for (const options of wrong) await assert.rejects(cache.scanItems("name", options as ScanItemsOptions), TypeError);
    for (const name of [null, 7, {}, [], undefined])
      await assert.rejects(cache.scanItems(name as unknown as Bytes), TypeError);
    assert.deepEqual(server.calls, []);
    assert.equal(client.statistics().inFlight, 0);
  });

  test("malformed response fails only its call", async () => {
    for (const lie of [[], [0x32, 0], [0x4a, 1, 0], [0x08, 1], [0xff], [0x0a, 0x7f], [0x0b]]) {
      server.onCall = (call) => call.answerWith(Buffer.from(lie));
      assert.equal(codeOf(await cache.scanItems("name")), "Internal", Buffer.from(lie).toString("hex"));
    }
    server.onCall = (call) => call.answer();
    assert.equal((await cache.get("k")).result, "miss");
    assert.equal(client.statistics().inFlight, 0);
  });

  test("each scanItems call returns one page even if cursors repeat", async () => {
    const again = Buffer.from("again");
    server.onCall = (call) =>
      call.answerWith(responseBytes("ScanItems", { list: { elements: [again] }, cursor: again }));
    for (let calls = 1; calls <= 3; calls++) {
      const page = await cache.scanItems("name", { cursor: again });
      assert.ok(page.result === "hit");
      assert.deepEqual(page.cursor, again);
      assert.equal(server.calls.length, calls);
    }
  });

  test("scanItems retries failures and counts neither hits nor misses", async () => {
    let sent = 0;
    server.onCall = (call) =>
      ++sent < 3 ? call.fail(14, "not now") : call.answerWith(responseBytes("ScanItems", { missing: {} }));
    const { hits, misses } = client.statistics();
    assert.equal((await cache.scanItems("name")).result, "miss");
    assert.equal(sent, 3);
    assert.deepEqual([client.statistics().hits, client.statistics().misses], [hits, misses]);
  });

  test("unimplemented call returns Unknown with the server's message", async () => {
    server.onCall = (call) => call.fail(12, "there is no ScanItems here");
    const answer = await cache.scanItems("name");
    assert.ok(answer.result === "error");
    assert.equal(answer.error.code, "Unknown");
    assert.match(answer.error.message, /scanItems.*there is no ScanItems here/s);
  });
});
