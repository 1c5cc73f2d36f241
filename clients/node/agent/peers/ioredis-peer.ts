import { Cluster, Redis } from "ioredis";
import { type RedisCalls, RedisPeer } from "./redis-peer.js";

function callsOf(client: Redis | Cluster): RedisCalls {
  return {
    get: (key) => client.get(key),
    set: (key, value, ttlMs) => client.set(key, value, "PX", ttlMs),
    connections: () => (client instanceof Cluster ? client.nodes("all").length : 1),
    close: () => client.disconnect(),
  };
}

/**
 * Returns a peer for ioredis or its Cluster client. It has one connection per node. The writes of one turn of the event
 * loop share a packet.
 */
export function ioredisPeer(name: "ioredis" | "ioredis-cluster"): RedisPeer {
  return new RedisPeer(name, async (nodes, { autoPipelining }) => {
    const options = { lazyConnect: true, enableAutoPipelining: autoPipelining === true };
    const client = name === "ioredis" ? new Redis({ ...nodes[0]!, ...options }) : new Cluster([...nodes], options);
    await client.connect();
    return callsOf(client);
  });
}
