// @ts-check
import { confirm } from "./dialog.js";
import { announce, button, el } from "./dom.js";
import { bytes, count, percent } from "./format.js";
import { visible } from "./keytext.js";
import { table } from "./table.js";

/** @typedef {import("./answers").Caches} Caches */
/** @typedef {import("./answers").Session} Session */
/** @typedef {import("./answers").View} View */

/**
 * Creates the view of the caches. The view shows their statistics. It has controls that create, flush and delete caches.
 * @param {import("./api.js").Api} api
 * @param {() => Session | undefined} session
 * @returns {View}
 */
export function cachesView(api, session) {
  const rows = table(
    "Caches",
    [
      { name: "Name" },
      ...["Entries", "Size", "Quota", "Hits", "Misses", "Hit ratio", "Sets", "Evicted", "Expired"].map((name) => ({ name, numeric: true })),
      { name: "Do" },
    ],
    "No caches.",
  );
  const more = el("p", { class: "muted" });
  const input = el("input", { id: "new-cache", maxlength: "255", required: true, autocomplete: "off", spellcheck: "false" });
  const quota = el("input", { id: "new-quota", type: "number", min: "1", step: "1", inputmode: "numeric", autocomplete: "off" });
  const form = el(
    "form",
    { class: "line acting" },
    el("div", {}, el("label", { for: "new-cache" }, "Name of a new cache"), input),
    el("div", {}, el("label", { for: "new-quota" }, "Quota in MiB (optional)"), quota),
    el("button", { type: "submit" }, "Create"),
  );
  let isAsking = false;

  const read = async () => {
    if (isAsking) {
      return;
    }
    isAsking = true;
    try {
      const told = /** @type {Caches} */ (await api.get("caches"));
      rows.fill(told.caches.map((cache) => rowOf(cache)));
      more.textContent = told.total > told.caches.length ? `The first ${count(told.caches.length)} of ${count(told.total)}.` : "";
    } catch {
      // Ignore the error here. The next poll, one second later, reports it.
    } finally {
      isAsking = false;
    }
  };

  /** @param {string} what @param {() => Promise<unknown>} act */
  const act = async (what, act) => {
    try {
      await act();
      announce(what);
    } catch (error) {
      announce(`Failed: ${error instanceof Error ? error.message : error}`);
    }
    await read();
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const cache = input.value;
    void act(`Created cache ${visible(cache)}`, async () => {
      await api.post("caches", { cache, maxBytes: quota.value === "" ? 0 : quota.valueAsNumber * 1_048_576 });
      input.value = "";
      quota.value = "";
    });
  });

  /** @param {Caches["caches"][number]} cache */
  const rowOf = ({ name, stats }) => ({
    key: name,
    cells: [visible(name), ...figuresOf(stats), () => deeds(name)],
  });

  /** @param {string} cache */
  const deeds = (cache) => {
    const shown = visible(cache);
    const flush = async () => {
      if (await confirm(`Flush ${shown}?`, "This deletes all items of the cache immediately. The cache itself remains.", "Flush")) {
        await act(`Flushed cache ${shown}`, () => api.post("caches/flush", { cache }));
      }
    };
    const remove = async () => {
      if (await confirm(`Delete ${shown}?`, "This deletes the cache and all its items immediately. Calls to it then fail with NOT_FOUND.", "Delete")) {
        await act(`Deleted cache ${shown}`, () => api.delete("caches", { cache }));
      }
    };
    return el(
      "span",
      { class: "buttons acting" },
      button("Flush", () => void flush(), { "aria-label": `Flush ${shown}` }),
      button("Delete", () => void remove(), { class: "danger", "aria-label": `Delete ${shown}` }),
    );
  };

  const readOnly = el("p", { class: "muted reading" });
  return {
    id: "caches",
    title: "Caches",
    element: el("div", {}, form, readOnly, rows.element, more),
    show: () => void read(),
    update: () => {
      readOnly.textContent = session()?.canAct
        ? "Enter the admin token to create, flush or delete caches."
        : "This console is read-only: the server was started without an admin token (--console-admin-token-file).";
      void read();
    },
  };
}

/** @param {import("./answers").CacheFigures | null} stats */
const figuresOf = (stats) =>
  stats === null
    ? Array.from({ length: 9 }, () => "–")
    : [
        count(stats.entries),
        bytes(stats.bytes),
        stats.maxBytes > 0 ? bytes(stats.maxBytes) : "none",
        count(stats.hits),
        count(stats.misses),
        percent(stats.hitRatio),
        count(stats.sets),
        count(stats.evictions.memory + stats.evictions.quota),
        count(stats.evictions.expired),
      ];
