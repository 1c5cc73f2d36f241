// @ts-check
import { chart } from "./chart.js";
import { el, section } from "./dom.js";
import { bytes, count, duration, percent, rate, time } from "./format.js";
import { windowSeconds } from "./history.js";
import { busyFirst, byRpc, hitRatio, quantile, risePerSecond, together } from "./rates.js";
import { sampledKeys } from "./sampled.js";
import { table } from "./table.js";

/** @typedef {import("./answers").Reading} Reading */
/** @typedef {import("./answers").View} View */
/** @typedef {import("./history.js").History} History */

const tileNames = ["Calls per second", "p99 in the server", "Hit ratio", "Memory", "Entries", "Evictions per second", "Connections", "Uptime"];

/** Creates the view of the server's current activity. @param {History} history @returns {View} */
export function overviewView(history) {
  const tiles = tileNames.map((name) => ({ name, value: el("dd", {}, "–") }));
  const charts = {
    calls: chart("Calls per second", ["calls"], rate),
    latency: chart("Time in the server", ["p50", "p99", "p99.9"], time),
    hits: chart("Hit ratio", ["hits"], percent, 1),
    memory: chart("Memory", ["store", "process"], bytes),
  };
  const rpcs = table(
    `Calls of the last ${windowSeconds} s by rpc`,
    [{ name: "Rpc" }, { name: "Transport" }, ...["Per second", "p50", "p99", "p99.9", "All", "Failed"].map((name) => ({ name, numeric: true }))],
    "No calls yet.",
  );
  const shadow = el("p", { id: "shadow" });
  const evictions = table("Evictions by reason", [{ name: "Reason" }, { name: "Per second", numeric: true }, { name: "All", numeric: true }], "");
  const clients = table("Connections by client", [{ name: "Client" }, { name: "Language" }, { name: "Connections", numeric: true }], "No connected clients.");
  const keys = sampledKeys();
  const element = el(
    "div",
    {},
    el("dl", { class: "tiles" }, ...tiles.map(({ name, value }) => el("div", {}, el("dt", {}, name), value))),
    el("div", { class: "charts" }, ...Object.values(charts).map((one) => one.element)),
    section(`Latency by rpc, of the last ${windowSeconds} s`, rpcs.element),
    section("Effect of more memory", shadow),
    el("div", { class: "columns" }, section("Evictions", evictions.element), section("Clients", clients.element)),
    keys.element,
  );

  /** @param {Reading} reading */
  const update = (reading) => {
    const { stats } = reading.overview;
    const window = history.window;
    const rows = window ? byRpc(...window) : [];
    const all = together(rows.map(({ buckets }) => buckets));
    const perSecond = /** @param {(reading: Reading) => number} read */ (read) => (window ? rate(risePerSecond(...window, read)) : "–");
    const ratio = window ? hitRatio(...window) : null;
    const p99 = quantile(all, 0.99);
    const told = [
      perSecond(callsOf),
      p99 === null ? "–" : time(p99),
      ratio === null ? "–" : percent(ratio),
      stats.fleet ? "in the cluster" : `${bytes(stats.store.usedMemoryBytes)} of ${bytes(stats.store.maxMemoryBytes)}`,
      stats.fleet ? "in the cluster" : count(stats.store.total.entries),
      perSecond(evictionsOf),
      count(stats.connections),
      duration(stats.uptimeSeconds),
    ];
    tiles.forEach(({ value }, index) => {
      value.textContent = told[index] ?? "";
    });
    showCharts(charts, history.readings);
    rpcs.fill(
      busyFirst(rows).map((row) => ({
        key: `${row.transport} ${row.name}`,
        cells: [
          row.name,
          row.transport,
          rate(row.perSecond),
          ...[0.5, 0.99, 0.999].map((share) => quantile(row.buckets, share)).map((us) => (us === null ? "–" : time(us))),
          count(row.total),
          count(row.failures),
        ],
      })),
    );
    shadow.textContent = shadowText(reading);
    evictions.fill(
      reasons.map(([reason, read]) => ({
        key: reason,
        cells: [reason, perSecond(({ overview }) => read(overview.stats.store.total.evictions)), count(read(stats.store.total.evictions))],
      })),
    );
    clients.fill(
      reading.overview.clients.map(({ client, language, connections }) => ({
        key: `${client} ${language}`,
        cells: [client, language || "–", count(connections)],
      })),
    );
    keys.update(reading.overview);
  };
  return { id: "overview", title: "Overview", element, update };
}

/** @type {readonly (readonly [string, (evictions: import("./answers").Evictions) => number])[]} */
const reasons = [
  ["memory was full", ({ memory }) => memory],
  ["quota of the cache was reached", ({ quota }) => quota],
  ["item expired", ({ expired }) => expired],
  ["cache was flushed or deleted", ({ flushed }) => flushed],
];

/** @param {Reading} reading */
const callsOf = ({ overview }) => overview.stats.rpcs.reduce((sum, rpc) => sum + rpc.count, 0);

/** @param {Reading} reading */
const evictionsOf = ({ overview }) => overview.stats.store.total.evictions.memory;

/** @param {Reading} reading */
function shadowText({ overview }) {
  const { shadow } = overview.stats.store;
  if (overview.stats.fleet) {
    return "No estimate, because the items are stored in the cluster and not in this server's memory.";
  }
  return shadow === null
    ? "All items have fit in memory so far: more memory would not increase the hit ratio."
    : `Estimated hit ratio with twice the memory: ${percent(shadow.doubleMemory)}; with half: ${percent(shadow.halfMemory)}; with the current memory: ` +
        `${percent(shadow.presentMemory)}. Based on a sample of the keys.`;
}

/**
 * @param {{ calls: Chart, latency: Chart, hits: Chart, memory: Chart }} charts
 * @param {readonly Reading[]} readings
 * @typedef {ReturnType<typeof chart>} Chart
 */
function showCharts(charts, readings) {
  const steps = readings.slice(1).map((after, index) => {
    const before = /** @type {Reading} */ (readings[index]);
    const all = together(byRpc(before, after).map(({ buckets }) => buckets));
    return { at: after.at, before, after, all };
  });
  charts.calls.show(steps.map(({ at, before, after }) => ({ at, values: [risePerSecond(before, after, callsOf)] })));
  charts.latency.show(steps.map(({ at, all }) => ({ at, values: [0.5, 0.99, 0.999].map((share) => quantile(all, share)) })));
  charts.hits.show(steps.map(({ at, before, after }) => ({ at, values: [hitRatio(before, after)] })));
  charts.memory.show(readings.map(({ at, overview: { stats } }) => ({ at, values: [stats.fleet ? null : stats.store.usedMemoryBytes, stats.residentBytes] })));
}
