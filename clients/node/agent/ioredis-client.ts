import { Cluster, Redis } from "ioredis";
import { type AgentClient, AgentFailure, type Request } from "./line-agent.js";
import type { LoadTarget } from "./load.js";

/** ioredis against redis-server, or its Cluster against a cluster, with its defaults: one connection a node, writes of one turn in one packet. */
export class IoredisAgentClient implements AgentClient {
  readonly name: "ioredis" | "ioredis-cluster";
  #client: Redis | Cluster | null = null;

  constructor(name: "ioredis" | "ioredis-cluster") {
    this.name = name;
  }

  async open(request: Request): Promise<object> {
    if (request.headers !== undefined || typeof request.maxInFlight === "number")
      throw new AgentFailure("Unsupported", "ioredis has neither a cap nor metadata");
    const nodes = String(request.endpoint)
      .split(",")
      .map((node) => ({ host: node.split(":")[0]!, port: Number(node.split(":")[1]) }));
    const options = { lazyConnect: true, enableAutoPipelining: request.autoPipelining === true };
    this.#client = this.name === "ioredis" ? new Redis({ ...nodes[0]!, ...options }) : new Cluster(nodes, options);
    await this.#client.connect();
    return { version: "5", transport: "resp", maxInFlight: "off", channels: this.#connections() };
  }

  async close(): Promise<void> {
    this.#client?.disconnect();
    this.#client = null;
  }

  statistics() {
    return { inFlight: null, inFlightLimit: "off", queued: null, connections: this.#connections() };
  }

  target(): LoadTarget {
    const client = this.#client!;
    return {
      get: (key) => client.get(key),
      set: (key, value, ttlMs) => client.set(key, value, "PX", ttlMs),
      valueOf: (response) => response as string | null,
      errorCode: (response) => (response instanceof Error ? "Unknown" : null),
      connections: () => this.#connections(),
    };
  }

  #connections(): number {
    return this.#client instanceof Cluster ? this.#client.nodes("all").length : 1;
  }

  operate(request: Request): Promise<object> {
    throw new AgentFailure("Unsupported", `a peer has no "${request.op}"`);
  }
}
