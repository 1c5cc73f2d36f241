import type { CacheClient } from "../../src/client/client.js";
import { ErrorResponse, Hit } from "../../src/client/responses.js";
import type { NearCacheStatistics } from "../../src/near/near-statistics.js";
import { cacheName } from "./every-call.js";
import { FakeServer } from "./fake-server.js";
import { keepCopy, makeNear, nearClientOf, untilNear } from "./near-client.js";

type Given = Parameters<typeof nearClientOf> extends [string, ...infer Rest] ? Rest : never;

/** Starts a fake server that invalidates correctly, and a client whose near stream is open. */
export async function nearBench(...given: Given) {
  const server = await new FakeServer().start();
  makeNear(server);
  const client = nearClientOf(server.endpoint, ...given);
  await untilNear(client);
  return {
    server,
    client,
    /** Stores and reads a value, so that there is a local copy. */
    keep: (key: string | Uint8Array, value: string | Uint8Array = "kept") => keepCopy(client, key, value),
    counted: (before: NearCacheStatistics, name: keyof NearCacheStatistics) => client.nearCache![name] - before[name],
    async [Symbol.asyncDispose]() {
      await client.close();
      await server.stop();
    },
  };
}

/** Returns the value of a key, or the response's result if it is not a hit. */
export async function valueAt(client: CacheClient, key: string | Uint8Array): Promise<string> {
  const response = await client.cache(cacheName).get(key);
  if (response instanceof Hit) return response.value;
  return response instanceof ErrorResponse ? response.error.code : response.result;
}

export const noFigures: NearCacheStatistics = {
  hits: 0,
  kept: 0,
  invalidations: 0,
  clears: 0,
  poisoned: 0,
  evictions: 0,
  copies: 0,
  bytes: 0,
};
