import { type Cache, type CacheClient, ErrorResponse } from "../../src/index.js";
import { AgentFailure, type Request } from "../line-agent.js";
import { NearRun } from "./near.js";
import { nearHits } from "./near-hits.js";
import { nearSettings } from "./near-settings.js";

/** Runs the near-cache operations: `near`, `nearAct` and `nearHits`. */
export class NearOperations {
  #run: NearRun | null = null;

  /** Runs one of these operations. Returns null for any other operation. */
  operate(client: CacheClient, cache: Cache, request: Request): Promise<object> | null {
    switch (request.op) {
      case "near":
        return this.#near(client, cache, request);
      case "nearAct":
        return this.#act(client, cache, request.what);
      case "nearHits":
        return nearHits(client, cache, request);
      default:
        return null;
    }
  }

  async #near(client: CacheClient, cache: Cache, request: Request): Promise<object> {
    if (this.#run !== null) throw new AgentFailure("AgentError", "a near-cache run is already active");
    this.#run = new NearRun(nearSettings(request), client, cache);
    try {
      return await this.#run.run();
    } finally {
      this.#run = null;
    }
  }

  async #act(client: CacheClient, cache: Cache, what: unknown): Promise<object> {
    const run = this.#run;
    if (run === null) throw new AgentFailure("AgentError", "no near-cache run is active");
    switch (what) {
      case "now":
        return run.now();
      case "filled":
        await run.filled();
        return { result: "success" };
      case "go":
        run.go();
        return { result: "success" };
      case "lost":
        run.check.isLost = true;
        return { result: "success" };
      case "sweep":
        return run.sweep();
      case "flush":
        return flush(client, cache);
      default:
        throw new AgentFailure("AgentError", `"what" must be now, filled, go, lost, sweep or flush, not ${what}`);
    }
  }
}

async function flush(client: CacheClient, cache: Cache): Promise<object> {
  const began = process.hrtime.bigint();
  const response = await client.flushCache(cache.name);
  if (response instanceof ErrorResponse) return response;
  return { result: "success", beganNs: `${began}`, endedNs: `${process.hrtime.bigint()}` };
}
