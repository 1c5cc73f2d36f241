import { Client } from "memjs";
import { RedisPeer } from "./redis-peer.js";

/** Returns a peer for `memjs` with memcached, whose TTLs are whole seconds. It has one connection. */
export function memjsPeer(): RedisPeer {
  return new RedisPeer(
    "memjs",
    async ([node]) => {
      const client = Client.create(`${node!.host}:${node!.port}`);
      return {
        get: async (key) => (await client.get(key)).value?.toString() ?? null,
        set: (key, value, ttlMs) => client.set(key, value, { expires: Math.ceil(ttlMs / 1000) }),
        connections: () => 1,
        close: () => client.close(),
      };
    },
    "memcached",
  );
}
