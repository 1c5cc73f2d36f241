import {
  CacheClient,
  CacheGet,
  CacheSet,
  Configurations,
  CredentialProvider,
  DefaultMomentoLoggerFactory,
  DefaultMomentoLoggerLevel,
} from "@gomomento/sdk";
import { type AgentClient, AgentFailure, type Request } from "../line-agent.js";
import type { LoadTarget } from "../load/load.js";

/**
 * Runs calls of the public Momento SDK, unmodified, against a Larder server. As in the published package, there is no
 * concurrency limit unless the request sets one.
 */
export class MomentoAgentClient implements AgentClient {
  readonly name = "momento";
  #client: CacheClient | null = null;

  async open(request: Request): Promise<object> {
    if (request.headers !== undefined) throw new AgentFailure("Unsupported", "the SDK does not support metadata");
    const [hostname, port] = String(request.endpoint).split(":");
    const logger = new DefaultMomentoLoggerFactory(DefaultMomentoLoggerLevel.ERROR);
    const base = Configurations.Laptop.v1(logger);
    let transport = base.getTransportStrategy();
    if (typeof request.maxInFlight === "number") transport = transport.withMaxConcurrentRequests(request.maxInFlight);
    if (typeof request.requestTimeoutMs === "number")
      transport = transport.withClientTimeoutMillis(request.requestTimeoutMs);
    const configuration = base.withTransportStrategy(transport);
    this.#client = await CacheClient.create({
      configuration,
      credentialProvider: CredentialProvider.forMomentoLocal({ hostname: hostname!, port: Number(port) }),
      defaultTtlSeconds: 60,
    });
    return { version: "1.118.1", transport: "unary", maxInFlight: request.maxInFlight ?? "off", channels: 6 };
  }

  async close(): Promise<void> {
    this.#client?.close();
    this.#client = null;
  }

  statistics() {
    return { inFlight: null, inFlightLimit: null, queued: null, connections: null };
  }

  target(): LoadTarget {
    const client = this.#client!;
    return {
      get: (key) => client.get("cache", key),
      set: (key, value, ttlMs) => client.set("cache", key, value, { ttl: Math.ceil(ttlMs / 1_000) }),
      valueOf: (response) => (response instanceof CacheGet.Hit ? response.value() : null),
      errorCode: (response) =>
        response instanceof CacheGet.Error || response instanceof CacheSet.Error ? response.errorCode() : null,
      connections: () => null,
    };
  }

  operate(request: Request): Promise<object> {
    throw new AgentFailure("Unsupported", `this peer does not support "${request.op}"`);
  }
}
