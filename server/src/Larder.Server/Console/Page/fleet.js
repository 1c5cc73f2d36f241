// @ts-check
import { el, section } from "./dom.js";
import { bytes, count, percent, time } from "./format.js";
import { table } from "./table.js";

/** @typedef {import("./answers").Fleet} Fleet */
/** @typedef {import("./answers").FleetNode} FleetNode */
/** @typedef {import("./answers").Reading} Reading */
/** @typedef {import("./answers").View} View */

const allSlots = 16_384;

/** Creates the view of the cluster behind the gateway. @returns {View} */
export function fleetView() {
  const summary = el("p");
  const map = el("ul", { class: "map", "aria-label": "Masters by their share of the slots" });
  const nodes = table(
    "Nodes",
    [
      { name: "Node" },
      { name: "Role" },
      { name: "State" },
      ...["Slots", "Lag", "Latency", "Unanswered", "Reconnects"].map((name) => ({ name, numeric: true })),
    ],
    "No known nodes.",
  );
  const counts = table("Commands", [{ name: "Counter" }, { name: "Since the start", numeric: true }], "None yet.");
  const fleet = el("div", {}, section("Slots", map), section("Nodes", nodes.element), section("Commands", counts.element));

  /** @param {Reading} reading */
  const update = ({ overview }) => {
    const told = overview.stats.fleet;
    fleet.hidden = told === null;
    if (told === null) {
      summary.textContent = "This server keeps its items in memory. It is not a gateway of a cluster; larder serve --store redis://… starts a gateway.";
      return;
    }
    summary.textContent = `${told.isReady ? "Ready" : `Not ready: ${told.whyNotReady}`}. ${
      told.isCluster === false
        ? "A single Redis server, not a cluster."
        : `${count(told.coveredSlots)} of ${count(allSlots)} slots have a master (${percent(told.coveredSlots / allSlots)}).`
    }`;
    map.replaceChildren(...told.nodes.filter(({ role }) => role === "master").map(shareOf));
    nodes.fill(told.nodes.map((node) => ({ key: node.name, cells: cellsOf(node) })));
    counts.fill(countsOf(told).map(([what, value]) => ({ key: what, cells: [what, count(value)] })));
  };
  return { id: "fleet", title: "Fleet", element: el("div", {}, summary, fleet), update };
}

/** @param {FleetNode} node */
const shareOf = (node) =>
  el(
    "li",
    {},
    el("span", {}, `${node.name} `),
    el("meter", { min: 0, max: allSlots, value: node.slots, "aria-label": `Slots of ${node.name}` }),
    el("span", { class: "muted" }, ` ${count(node.slots)} slots${node.lagBytes === null ? "" : `, replica ${bytes(node.lagBytes)} behind`}`),
  );

/** @param {FleetNode} node */
const cellsOf = (node) => [
  node.name,
  node.role,
  node.isConnected ? "connected" : (node.whyNot ?? (node.role === "replica" ? "standby" : "not connected")),
  count(node.slots),
  node.lagBytes === null ? "–" : bytes(node.lagBytes),
  node.latencyUs > 0 ? time(node.latencyUs) : "–",
  count(node.outstanding),
  count(node.reconnects),
];

/** @param {Fleet} fleet @returns {[string, number][]} */
const countsOf = (fleet) => [
  ["Answered", fleet.answered],
  ["In flight", fleet.outstanding],
  ["Waiting for a retry", fleet.waiting],
  ["MOVED redirects", fleet.moved],
  ["ASK redirects", fleet.asked],
  ["Other retries", fleet.retried],
  ["Responses after the deadline", fleet.late],
  ["Slot map refreshes", fleet.refreshed],
  ...Object.entries(fleet.failures).map(([kind, value]) => /** @type {[string, number]} */ ([`Failed: ${kind}`, value])),
];
