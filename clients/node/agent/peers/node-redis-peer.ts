import { createClient } from "redis";
import { RedisPeer } from "./redis-peer.js";

/**
 * Returns a peer for the package `redis`. It has one connection. The commands of one turn of the event loop share a
 * packet.
 */
export function nodeRedisPeer(): RedisPeer {
  return new RedisPeer("node-redis", async ([node]) => {
    const client = createClient({ socket: { ...node! } });
    client.on("error", () => {});
    await client.connect();
    return {
      get: (key) => client.get(key),
      set: (key, value, ttlMs) => client.set(key, value, { expiration: { type: "PX", value: ttlMs } }),
      connections: () => 1,
      close: () => client.destroy(),
    };
  });
}
