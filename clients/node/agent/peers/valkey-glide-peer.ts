import { GlideClient, TimeUnit } from "@valkey/valkey-glide";
import { RedisPeer } from "./redis-peer.js";

/** Returns a peer for `@valkey/valkey-glide`. Its Rust core has one connection and at most 1,000 commands in flight. */
export function valkeyGlidePeer(): RedisPeer {
  return new RedisPeer("valkey-glide", async (nodes) => {
    const client = await GlideClient.createClient({ addresses: [...nodes] });
    return {
      get: (key) => client.get(key),
      set: (key, value, ttlMs) => client.set(key, value, { expiry: { type: TimeUnit.Milliseconds, count: ttlMs } }),
      connections: () => 1,
      close: () => client.close(),
    };
  });
}
