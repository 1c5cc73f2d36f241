import { backOffMs } from "../calls/back-off.js";
import type { Clock } from "../calls/clock.js";
import type { Configuration } from "../configuration/configuration.js";
import type { CredentialProvider } from "../configuration/credential-provider.js";
import { chooseGateway } from "../transport/gateway-choice.js";
import { GatewayHealth } from "../transport/gateway-health.js";
import { TopicConnection } from "./topic-connection.js";
import type { TopicLinks } from "./topic-link.js";

/** The objects that topic channels depend on. */
export interface TopicChannelsParts {
  /** Returns the current servers. There is at least one. */
  readonly servers: () => readonly CredentialProvider[];
  readonly configuration: Pick<Configuration, "connectTimeoutMs" | "maxBackOffMs">;
  readonly clock: Clock;
  readonly random: () => number;
}

/** A server, and its connections for subscriptions. */
interface TopicGateway {
  readonly name: string;
  readonly credentials: CredentialProvider;
  readonly connections: Set<TopicConnection>;
  readonly health: GatewayHealth;
  /**
   * Number of consecutive connections that failed, and the reason why the last one failed. A connection that the server
   * ended before it sent a message has failed too, because a server may accept each connection and close it at once.
   */
  failures: number;
  why: string;
  /** Before this time, no attempt to connect starts. */
  nextTryAtMs: number;
}

// RETRY-7: reconnect after 50, 100, 200 … ms with jitter, at most maxBackOffMs, as for calls. The delay does not depend
// on the number of waiting subscriptions.
const firstReconnectMs = 50;

/**
 * The connections of subscriptions. A connection is opened on demand, has up to 100 streams, and is closed soon after
 * its last stream has ended.
 */
export class TopicChannels implements TopicLinks {
  readonly #gateways = new Map<string, TopicGateway>();

  constructor(private readonly parts: TopicChannelsParts) {}

  get connections(): number {
    let open = 0;
    for (const { connections } of this.#gateways.values())
      for (const { connected } of connections) if (connected) open++;
    return open;
  }

  choose(before: string | null): TopicConnection | string {
    const gateway = this.#gateway(before);
    for (const connection of gateway.connections) if (connection.hasRoom) return connection;
    if (gateway.failures > 0 && this.parts.clock.now() < gateway.nextTryAtMs) return gateway.why;
    const connection = new TopicConnection(gateway.credentials, this.parts.configuration, {
      received: () => {
        gateway.failures = 0;
      },
      failed: ({ why }) => this.#failed(gateway, why),
      ended: (ended) => gateway.connections.delete(ended),
    });
    gateway.connections.add(connection);
    return connection;
  }

  close(): void {
    for (const { connections } of this.#gateways.values()) for (const connection of connections) connection.close();
  }

  #gateway(before: string | null): TopicGateway {
    const now = this.parts.clock.now();
    const all = this.#all();
    const others = all.length === 1 ? all : all.filter(({ name }) => name !== before);
    const up = others.filter(({ health }) => health.asideUntilMs <= now);
    const some = up.length > 0 ? up : others;
    const streams = some.map(({ connections }) => [...connections].reduce((sum, each) => sum + each.streams, 0));
    return some[chooseGateway(streams, [this.parts.random(), this.parts.random()])]!;
  }

  // Returns the servers, one entry per server. The entry of a removed server is deleted after its last connection has
  // ended.
  #all(): readonly TopicGateway[] {
    const servers = this.parts.servers();
    const names = new Set(servers.map(String));
    for (const [name, { connections }] of this.#gateways)
      if (connections.size === 0 && !names.has(name)) this.#gateways.delete(name);
    return servers.map((credentials) => {
      const name = String(credentials);
      const there = this.#gateways.get(name);
      if (there !== undefined) return there;
      const health = new GatewayHealth(this.parts.configuration.maxBackOffMs);
      const connections = new Set<TopicConnection>();
      const gateway = { name, credentials, connections, health, failures: 0, why: "", nextTryAtMs: 0 };
      this.#gateways.set(name, gateway);
      return gateway;
    });
  }

  #failed(gateway: TopicGateway, why: string): void {
    const { clock, configuration, random } = this.parts;
    const now = clock.now();
    gateway.why = why;
    gateway.health.refused(now, random);
    // Attempts that were already in progress when another one failed do not lengthen the delay.
    if (now < gateway.nextTryAtMs) return;
    gateway.failures++;
    gateway.nextTryAtMs = now + backOffMs(gateway.failures, firstReconnectMs, configuration.maxBackOffMs, random);
  }
}
