import { type AgentClient, AgentFailure, type Request } from "../line-agent.js";
import type { LoadTarget } from "../load/load.js";

/** What a load asks of a client of Redis, with the client's own defaults. */
export interface RedisCalls {
  get(key: string): Promise<unknown>;
  set(key: string, value: string, ttlMs: number): Promise<unknown>;
  connections(): number;
  close(): void;
}

/** Where a server of Redis is. */
export interface RedisNode {
  readonly host: string;
  readonly port: number;
}

/** A client of Redis against redis-server, or a cluster's nodes. */
export class RedisPeer implements AgentClient {
  #calls: RedisCalls | null = null;

  constructor(
    readonly name: string,
    private readonly connect: (nodes: readonly RedisNode[], request: Request) => Promise<RedisCalls>,
  ) {}

  async open(request: Request): Promise<object> {
    if (request.headers !== undefined || typeof request.maxInFlight === "number")
      throw new AgentFailure("Unsupported", `${this.name} has neither a cap of ours nor metadata`);
    const nodes = String(request.endpoint)
      .split(",")
      .map((node) => ({ host: node.split(":")[0]!, port: Number(node.split(":")[1]) }));
    this.#calls = await this.connect(nodes, request);
    return { transport: "resp", maxInFlight: "off", channels: this.#calls.connections() };
  }

  async close(): Promise<void> {
    this.#calls?.close();
    this.#calls = null;
  }

  statistics() {
    return { inFlight: null, inFlightLimit: "off", queued: null, connections: this.#calls!.connections() };
  }

  target(): LoadTarget {
    const calls = this.#calls!;
    return {
      get: (key) => calls.get(key),
      set: (key, value, ttlMs) => calls.set(key, value, ttlMs),
      valueOf: (response) => response as string | null,
      errorCode: (response) => (response instanceof Error ? "Unknown" : null),
      connections: () => calls.connections(),
    };
  }

  operate(request: Request): Promise<object> {
    throw new AgentFailure("Unsupported", `a peer has no "${request.op}"`);
  }
}
