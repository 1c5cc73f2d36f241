import type { Clock } from "../calls/clock.js";
import type { Configuration } from "../configuration/configuration.js";
import type { CredentialProvider } from "../configuration/credential-provider.js";
import { chooseFront } from "../transport/front-choice.js";
import { FrontHealth } from "../transport/front-health.js";
import { TopicConnection } from "./topic-connection.js";
import type { TopicLinks } from "./topic-link.js";

/** What channels of topics work with. */
export interface TopicChannelsParts {
  /** The servers as they are now, one or more. */
  readonly servers: () => readonly CredentialProvider[];
  readonly configuration: Pick<Configuration, "connectTimeoutMs" | "maxBackOffMs">;
  readonly clock: Clock;
  readonly random: () => number;
}

/** A server, and the connections of its subscriptions. */
interface TopicFront {
  readonly name: string;
  readonly credentials: CredentialProvider;
  readonly connections: Set<TopicConnection>;
  readonly health: FrontHealth;
  /** When a connection could not be made last, on the clock, and why. */
  failedAtMs: number;
  why: string;
}

// RETRY-7: however many subscriptions wait for a server that is away, it is tried no more often.
const pauseMs = 50;

/** The connections of subscriptions: opened as they are needed, of 100 streams each, closed soon after their last stream. */
export class TopicChannels implements TopicLinks {
  readonly #fronts = new Map<string, TopicFront>();

  constructor(private readonly parts: TopicChannelsParts) {}

  get connections(): number {
    let open = 0;
    for (const { connections } of this.#fronts.values()) for (const { connected } of connections) if (connected) open++;
    return open;
  }

  choose(before: string | null): TopicConnection | string {
    const front = this.#front(before);
    for (const connection of front.connections) if (connection.hasRoom) return connection;
    if (front.why !== "" && this.parts.clock.now() - front.failedAtMs < pauseMs) return front.why;
    const changed = (connection: TopicConnection) => this.#changed(front, connection);
    const connection = new TopicConnection(front.credentials, this.parts.configuration, changed);
    front.connections.add(connection);
    return connection;
  }

  close(): void {
    for (const { connections } of this.#fronts.values()) for (const connection of connections) connection.close();
  }

  #front(before: string | null): TopicFront {
    const now = this.parts.clock.now();
    const all = this.#all();
    const others = all.length === 1 ? all : all.filter(({ name }) => name !== before);
    const up = others.filter(({ health }) => health.asideUntilMs <= now);
    const some = up.length > 0 ? up : others;
    const streams = some.map(({ connections }) => [...connections].reduce((sum, each) => sum + each.streams, 0));
    return some[chooseFront(streams, [this.parts.random(), this.parts.random()])]!;
  }

  // One for each server; those that are gone go with their last connection.
  #all(): readonly TopicFront[] {
    const servers = this.parts.servers();
    const names = new Set(servers.map(String));
    for (const [name, { connections }] of this.#fronts)
      if (connections.size === 0 && !names.has(name)) this.#fronts.delete(name);
    return servers.map((credentials) => {
      const name = String(credentials);
      const there = this.#fronts.get(name);
      if (there !== undefined) return there;
      const health = new FrontHealth(this.parts.configuration.maxBackOffMs);
      const front = { name, credentials, connections: new Set<TopicConnection>(), health, failedAtMs: 0, why: "" };
      this.#fronts.set(name, front);
      return front;
    });
  }

  #changed(front: TopicFront, connection: TopicConnection): void {
    if (connection.connected) {
      front.why = "";
      return;
    }
    front.connections.delete(connection);
    if (connection.wasThere) return;
    front.failedAtMs = this.parts.clock.now();
    front.why = connection.why;
    front.health.refused(front.failedAtMs, this.parts.random);
  }
}
