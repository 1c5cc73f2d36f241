import { type AgentClient, AgentFailure, type Request } from "../line-agent.js";
import type { LoadTarget } from "../load/load.js";

/** The functions of a client of Redis or memcached that the load generator uses. The client has its default settings. */
export interface RedisCalls {
  get(key: string): Promise<unknown>;
  set(key: string, value: string, ttlMs: number): Promise<unknown>;
  connections(): number;
  close(): void;
}

/** The address of a Redis server. */
export interface RedisNode {
  readonly host: string;
  readonly port: number;
}

/** Runs a client of Redis or memcached against a server or the nodes of a cluster. */
export class RedisPeer implements AgentClient {
  #calls: RedisCalls | null = null;

  constructor(
    readonly name: string,
    private readonly connect: (nodes: readonly RedisNode[], request: Request) => Promise<RedisCalls>,
    private readonly transport = "resp",
  ) {}

  async open(request: Request): Promise<object> {
    if (request.headers !== undefined || typeof request.maxInFlight === "number")
      throw new AgentFailure("Unsupported", `${this.name} supports neither a concurrency limit nor metadata`);
    const nodes = String(request.endpoint)
      .split(",")
      .map((node) => ({ host: node.split(":")[0]!, port: Number(node.split(":")[1]) }));
    this.#calls = await this.connect(nodes, request);
    return { transport: this.transport, maxInFlight: "off", channels: this.#calls.connections() };
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
    throw new AgentFailure("Unsupported", `this peer does not support "${request.op}"`);
  }
}
