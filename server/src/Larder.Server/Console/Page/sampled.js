// @ts-check
import { el, section } from "./dom.js";
import { count, percent, rate, time } from "./format.js";
import { fromBase64, keyText, visible } from "./keytext.js";
import { table } from "./table.js";

/** @typedef {import("./answers").Overview} Overview */

/** Creates the panel of the most frequent keys and the slowest calls. The data comes from the server's samples. */
export function sampledKeys() {
  const hot = table(
    "Most requested keys",
    [{ name: "Key" }, { name: "Cache" }, { name: "Share of calls", numeric: true }, { name: "≈ per second", numeric: true }],
    "No recent calls sampled.",
  );
  const slow = table("Slowest calls", [{ name: "Key" }, { name: "Cache" }, { name: "Call" }, { name: "Duration", numeric: true }], "No recent calls sampled.");
  const how = el("p", { class: "muted" });
  const columns = el("div", { class: "columns" }, section("Hottest keys", hot.element), section("Slowest keys", slow.element));
  return {
    element: el("div", {}, columns, how),

    /** @param {Overview} overview */
    update({ hottest, slowest, sampleGap }) {
      columns.hidden = hottest === null;
      how.textContent =
        hottest === null
          ? "Enter the admin token to see keys."
          : `From the last 10 to 20 s. ${sampleGap === 1 ? "Every call is counted." : `About one in ${count(sampleGap)} calls is sampled.`}`;
      hot.fill(
        (hottest ?? []).map(({ cache, key, keyBytes, share, callsPerSecond }) => ({
          key: `${cache}/${key}/${keyBytes}`,
          cells: [keyText(fromBase64(key), keyBytes), visible(cache), percent(share), rate(callsPerSecond)],
        })),
      );
      slow.fill(
        (slowest ?? []).map(({ cache, key, keyBytes, call, tookUs }) => ({
          key: `${cache}/${key}/${keyBytes}`,
          cells: [keyText(fromBase64(key), keyBytes), visible(cache), call, time(tookUs)],
        })),
      );
    },
  };
}
