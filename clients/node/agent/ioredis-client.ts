import { Redis } from "ioredis";
import { type AgentClient, AgentFailure, type Request } from "./line-agent.js";
import type { LoadTarget } from "./load.js";

/** ioredis against redis-server, with its defaults: one connection, writes of one turn in one packet. */
export class IoredisAgentClient implements AgentClient {
  readonly name = "ioredis";
  #client: Redis | null = null;

  async open(request: Request): Promise<object> {
    if (request.headers !== undefined || typeof request.maxInFlight === "number")
      throw new AgentFailure("Unsupported", "ioredis has neither a cap nor metadata");
    const [host, port] = String(request.endpoint).split(":");
    this.#client = new Redis({
      host: host!,
      port: Number(port),
      lazyConnect: true,
      enableAutoPipelining: request.autoPipelining === true,
    });
    await this.#client.connect();
    return { version: "5", transport: "resp", maxInFlight: "off", channels: 1 };
  }

  async close(): Promise<void> {
    this.#client?.disconnect();
    this.#client = null;
  }

  statistics() {
    return { inFlight: null, inFlightLimit: "off", queued: null, connections: 1 };
  }

  target(): LoadTarget {
    const client = this.#client!;
    return {
      get: (key) => client.get(key),
      set: (key, value, ttlMs) => client.set(key, value, "PX", ttlMs),
      valueOf: (response) => response as string | null,
      errorCode: (response) => (response instanceof Error ? "Unknown" : null),
      connections: () => 1,
    };
  }

  operate(request: Request): Promise<object> {
    throw new AgentFailure("Unsupported", `a peer has no "${request.op}"`);
  }
}
