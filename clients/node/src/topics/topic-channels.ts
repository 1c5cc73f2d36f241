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
  /** The time at which the last attempt to connect failed, and the reason for the failure. */
  failedAtMs: number;
  why: string;
}

// RETRY-7: minimum interval between attempts to connect to a server. It does not depend on the number of waiting
// subscriptions.
const pauseMs = 50;

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
    if (gateway.why !== "" && this.parts.clock.now() - gateway.failedAtMs < pauseMs) return gateway.why;
    const changed = (connection: TopicConnection) => this.#changed(gateway, connection);
    const connection = new TopicConnection(gateway.credentials, this.parts.configuration, changed);
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
      const gateway = { name, credentials, connections: new Set<TopicConnection>(), health, failedAtMs: 0, why: "" };
      this.#gateways.set(name, gateway);
      return gateway;
    });
  }

  #changed(gateway: TopicGateway, connection: TopicConnection): void {
    if (connection.connected) {
      gateway.why = "";
      return;
    }
    gateway.connections.delete(connection);
    if (connection.wasConnected) return;
    gateway.failedAtMs = this.parts.clock.now();
    gateway.why = connection.why;
    gateway.health.refused(gateway.failedAtMs, this.parts.random);
  }
}
