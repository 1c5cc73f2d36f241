// A game's players, who is online, the latest chat lines, and the score board.
import { CacheClient, CollectionTtl, Configurations } from "larder-cache";

const client = new CacheClient({
  credentials: process.env.LARDER_URL ?? "http://127.0.0.1:8080",
  configuration: Configurations.Laptop.latest(),
  defaultTtlMs: 60_000,
});
const cache = client.cache("cache");

// A dictionary: fields with values. It expires an hour after its last write.
const hour = CollectionTtl.of(3_600_000);
await cache.dictionarySet("player:ann", { name: "Ann", city: "Bergen" }, { ttl: hour });
await cache.dictionaryIncrement("player:ann", "games", 1, { ttl: hour });
const city = await cache.dictionaryGetField("player:ann", "city");
if (city.result === "error") throw city.error;

// A set: distinct elements. It expires an hour after it was created, even if elements are added.
await cache.setAddElements("online", ["ann", "bo", "cy"], { ttl: hour.withNoRefreshTtlOnUpdates() });
await cache.setRemoveElement("online", "cy");
const online = await cache.setContainsElement("online", "ann");
const isOnline = online.result === "hit" && online.contains;

// A list: elements in order, here the last 100 chat lines.
await cache.listPushBack("said", "hello", { truncateFrontToSize: 100 });
await cache.listConcatenateBack("said", ["good game", "again?"], { truncateFrontToSize: 100 });
const said = await cache.listFetch("said", { start: -1 });
const last = said.result === "hit" ? said.values[0] : "(silence)";

// A sorted set: elements ordered by score.
await cache.sortedSetPut("board", { ann: 120, bo: 80 });
await cache.sortedSetIncrement("board", "bo", 55);
const board = await cache.sortedSetFetchByRank("board", { order: "descending", start: 0, end: 10 });
const [leader, score] = (board.result === "hit" && board.elements[0]) || ["nobody", 0];

const where = city.result === "hit" ? city.value : "somewhere";
console.log(`${leader} with ${score}; Ann of ${where} is ${isOnline ? "online" : "away"}; "${last}"`);

await client.close();
