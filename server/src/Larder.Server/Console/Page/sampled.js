// @ts-check
import { el, section } from "./dom.js";
import { count, percent, rate, time } from "./format.js";
import { fromBase64, keyText, visible } from "./keytext.js";
import { table } from "./table.js";

/** @typedef {import("./answers").Overview} Overview */

/** The panel of the most frequent keys and the slowest calls, from the server's samples. */
export function sampledKeys() {
  const hot = table(
    "Keys called most",
    [{ name: "Key" }, { name: "Cache" }, { name: "Of all calls", numeric: true }, { name: "A second, about", numeric: true }],
    "No call was sampled lately.",
  );
  const slow = table("Slowest calls", [{ name: "Key" }, { name: "Cache" }, { name: "Call" }, { name: "Took", numeric: true }], "No call was sampled lately.");
  const how = el("p", { class: "muted" });
  const columns = el("div", { class: "columns" }, section("Hottest keys", hot.element), section("Slowest keys", slow.element));
  return {
    element: el("div", {}, columns, how),

    /** @param {Overview} overview */
    update({ hottest, slowest, sampleGap }) {
      columns.hidden = hottest === null;
      how.textContent =
        hottest === null
          ? "Keys are shown to who has the admin token."
          : `Of the last 10 to 20 s. ${sampleGap === 1 ? "Every call is counted." : `About one call in ${count(sampleGap)} is looked at.`}`;
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
