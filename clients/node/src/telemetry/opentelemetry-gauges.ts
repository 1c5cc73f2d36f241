import type { Meter } from "@opentelemetry/api";
import type { ClientFigures, ClientStatistics } from "./metrics.js";

type Read = (statistics: ClientStatistics) => number | null;

interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly description: string;
  /** Reads the value from the statistics of one client. Null if the client has no such value. */
  readonly read: Read;
}

const figure = (name: string, unit: string, description: string, read: Read): Figure => ({
  name: `cache.client.${name}`,
  unit,
  description,
  read,
});
const near = (name: keyof NonNullable<ClientStatistics["nearCache"]>, unit: string, description: string): Figure =>
  figure(`near.${name}`, unit, description, ({ nearCache }) => (nearCache === undefined ? null : nearCache[name]));

const gauges: readonly Figure[] = [
  figure("in_flight", "{request}", "Requests in flight.", ({ inFlight }) => inFlight),
  figure("in_flight.limit", "{request}", "The concurrency limit.", ({ inFlightLimit }) =>
    inFlightLimit === "off" ? null : inFlightLimit,
  ),
  figure("topic.subscriptions", "{subscription}", "Open subscriptions.", ({ topics }) => topics.subscriptions),
  near("copies", "{item}", "Values in the near cache."),
  near("bytes", "By", "Memory that the near cache uses."),
];

const counters: readonly Figure[] = [
  near("hits", "{item}", "Get calls served from the near cache."),
  near("kept", "{item}", "Responses stored in the near cache."),
  near("invalidations", "{item}", "Values in the near cache that the server invalidated."),
  near("clears", "{clear}", "Number of times that the server invalidated all values in the near cache."),
  near(
    "poisoned",
    "{item}",
    "Responses not stored in the near cache, because the value may have changed while the get was in flight.",
  ),
  near("evictions", "{item}", "Values evicted because the near cache was full."),
  figure("topic.items", "{item}", "Messages received by subscriptions.", ({ topics }) => topics.items),
  figure(
    "topic.discontinuities",
    "{gap}",
    "Discontinuities received by subscriptions.",
    ({ topics }) => topics.discontinuities,
  ),
  figure(
    "topic.reconnects",
    "{stream}",
    "Subscription streams reopened after a lost connection.",
    ({ topics }) => topics.reconnects,
  ),
];

/**
 * The gauges and counters of clients, which are read when metrics are collected. A value is the sum over all clients
 * that share the hooks.
 */
export class OpenTelemetryGauges {
  readonly #clients = new Set<ClientFigures>();
  /** The counter values of closed clients. They are added to the counters, because a counter must never decrease. */
  readonly #counted = new Map<string, number>();

  constructor(meter: Meter) {
    for (const { name, unit, description, read } of gauges)
      meter.createObservableGauge(name, { unit, description }).addCallback((result) => {
        const sum = this.#sumOf(read);
        if (sum !== null) result.observe(sum);
      });
    for (const { name, unit, description, read } of counters)
      meter.createObservableCounter(name, { unit, description }).addCallback((result) => {
        const [before, now] = [this.#counted.get(name), this.#sumOf(read)];
        if (before !== undefined || now !== null) result.observe((before ?? 0) + (now ?? 0));
      });
  }

  opened(client: ClientFigures): void {
    this.#clients.add(client);
  }

  closed(client: ClientFigures): void {
    this.#clients.delete(client);
    const statistics = client.statistics();
    for (const { name, read } of counters) {
      const counted = read(statistics);
      if (counted !== null) this.#counted.set(name, (this.#counted.get(name) ?? 0) + counted);
    }
  }

  // Returns the sum of a value over all clients. Null if no client has the value.
  #sumOf(read: Read): number | null {
    const all = [...this.#clients].map((client) => read(client.statistics())).filter((each) => each !== null);
    return all.length === 0 ? null : all.reduce((sum, each) => sum + each, 0);
  }
}
