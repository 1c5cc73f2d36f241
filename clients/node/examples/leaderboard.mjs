// A leaderboard: a sorted set of players ordered by points.
import { CacheClient, Configurations, orThrow } from "larder-cache";

const client = new CacheClient({
  credentials: process.env.LARDER_URL ?? "http://127.0.0.1:8080",
  configuration: Configurations.Laptop.latest(),
  defaultTtlMs: 60_000,
});
const cache = client.cache("cache");
const board = "leaderboard";

async function win(player, points) {
  const { score } = orThrow(await cache.sortedSetIncrement(board, player, points));
  return score;
}

async function top(count) {
  const best = orThrow(await cache.sortedSetFetchByRank(board, { order: "descending", start: 0, end: count }));
  return best.result === "hit" ? best.elements : [];
}

async function placeOf(player) {
  const place = orThrow(await cache.sortedSetGetRank(board, player, { order: "descending" }));
  return place.result === "hit" ? place.rank + 1 : null;
}

await cache.delete(board);
orThrow(await cache.sortedSetPut(board, { ann: 120, bo: 80, cy: 95 }));
console.log(await win("bo", 50));
for (const [player, points] of await top(2)) console.log(`${player}: ${points}`);
console.log(await placeOf("cy"), await placeOf("nobody"));

await client.close();
