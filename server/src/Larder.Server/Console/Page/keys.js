// @ts-check
import { announce, button, el, nameText } from "./dom.js";
import { bytes, count, duration } from "./format.js";
import { bytesOf, itemPanel } from "./item.js";
import { fromBase64, keyText, shortened, toBase64, visible } from "./keytext.js";
import { table } from "./table.js";

/** @typedef {import("./answers").Caches} Caches */
/** @typedef {import("./answers").Key} Key */
/** @typedef {import("./answers").Keys} Keys */
/** @typedef {import("./answers").Session} Session */
/** @typedef {import("./answers").View} View */
/** @typedef {{ cache: string, prefix: string, type: string }} Search */

const types = ["scalar", "dictionary", "set", "list", "sorted set"];

/** The maximum number of keys on the page. More keys would be slow to display. */
const mostKeys = 2_000;

/** The session storage key under which the page stores the name of the last viewed cache. */
const lastViewed = "larder-console-cache";

/**
 * Creates the view that finds keys by their prefix and shows their items.
 * @param {import("./api.js").Api} api
 * @param {() => Session | undefined} session
 * @returns {View}
 */
export function keysView(api, session) {
  const cache = el("select", { id: "keys-cache", required: true });
  const prefix = el("input", { id: "keys-prefix", autocomplete: "off", spellcheck: "false" });
  const isHex = el("input", { id: "keys-hex", type: "checkbox" });
  const type = el("select", { id: "keys-type" }, el("option", { value: "" }, "any"), ...types.map((name) => el("option", {}, name)));
  const form = el(
    "form",
    { class: "line acting" },
    el("div", {}, el("label", { for: "keys-cache" }, "Cache"), cache),
    el("div", {}, el("label", { for: "keys-prefix" }, "Key prefix"), prefix),
    el("div", {}, el("label", { for: "keys-type" }, "Type"), type),
    el("div", { class: "tick" }, isHex, el("label", { for: "keys-hex" }, "hexadecimal")),
    el("button", { type: "submit" }, "Find"),
  );
  const rows = table("Keys", [{ name: "Key" }, { name: "Type" }, { name: "Time left", numeric: true }, { name: "Size", numeric: true }], "No keys found.");
  const found = el("p", { class: "muted", role: "status" });
  const more = button("Find more", () => void find(), { hidden: "" });
  const readOnly = el("p", { class: "muted reading" }, "Enter the admin token to see keys and values.");
  const item = itemPanel(api, (gone) => {
    keys = keys.filter(({ key }) => key !== gone);
    fill();
  });
  const element = el("div", {}, form, readOnly, el("div", { class: "acting browser" }, el("div", {}, found, rows.element, more), item.element));
  /** @type {Key[]} */
  let keys = [];
  /** @type {Search | null} */
  let search = null;
  let cursor = "";

  const fill = () => {
    rows.fill(keys.map((key) => rowOf(key)));
    found.textContent =
      search === null
        ? ""
        : `${count(keys.length)} ${keys.length === 1 ? "key" : "keys"}${cursor === "" ? "" : keys.length >= mostKeys ? ", and more: enter a longer prefix" : ", perhaps more"}`;
    more.hidden = cursor === "" || keys.length >= mostKeys;
  };

  const find = async () => {
    if (search === null) {
      return;
    }
    const asked = search;
    try {
      const told = /** @type {Keys} */ (await api.post("keys", { ...asked, cursor }));
      if (asked !== search) {
        return;
      }
      const known = new Set(keys.map(({ key }) => key));
      keys = keys.concat(told.keys.filter(({ key }) => !known.has(key)));
      cursor = told.cursor;
      fill();
    } catch (error) {
      announce(`Search failed: ${error instanceof Error ? error.message : error}`);
    }
  };

  const begin = () => {
    const beginning = bytesOf(prefix.value, isHex.checked);
    if (beginning === null) {
      announce("Invalid hexadecimal prefix: enter two digits per byte");
      return;
    }
    sessionStorage.setItem(lastViewed, cache.value);
    search = { cache: cache.value, prefix: toBase64(beginning), type: type.value };
    keys = [];
    cursor = "";
    item.close();
    void find();
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    begin();
  });

  /** @param {Key} key */
  const rowOf = ({ key, keyBytes, type, remainingMs, bytes: size }) => {
    const name = keyText(fromBase64(key), keyBytes);
    const isWhole = fromBase64(key).length === keyBytes;
    const { cache } = /** @type {Search} */ (search);
    return {
      key: `${cache}/${key}`,
      cells: [
        () => (isWhole ? keyButton(name, () => void item.show(cache, key)) : el("span", { title: "The console cannot open such long keys" }, nameText(name))),
        type,
        duration(remainingMs / 1000),
        size === null ? "–" : bytes(size),
      ],
    };
  };

  const readCaches = async () => {
    try {
      const told = /** @type {Caches} */ (await api.get("caches"));
      const names = told.caches.map(({ name }) => name);
      const chosen = chosenOf(names, cache.value, sessionStorage.getItem(lastViewed) ?? "");
      // The first option is empty, because the page must not open a cache that the user did not choose.
      const first = names.length === 1 ? [] : [el("option", { value: "" }, "Choose a cache")];
      cache.replaceChildren(...first, ...names.map((name) => el("option", { value: name, title: visible(name) }, shortened(visible(name), 34))));
      cache.value = chosen;
      if (chosen !== "" && search === null) {
        begin();
      }
    } catch {
      // Ignore the error here. The next poll, one second later, reports it.
    }
  };

  let isRead = false;
  return {
    id: "keys",
    title: "Keys",
    element,
    show: () => {
      isRead = false;
    },
    update: () => {
      if (!isRead && session()?.mayAct) {
        isRead = true;
        void readCaches();
      }
    },
  };
}

/**
 * Returns the cache to open: the chosen cache, otherwise the last viewed cache, otherwise the only cache. If none of these exists, returns an empty name,
 * because the user must choose a cache.
 * @param {readonly string[]} names
 * @param {string} chosen
 * @param {string} last
 */
export const chosenOf = (names, chosen, last) => [chosen, last].find((name) => names.includes(name)) ?? (names.length === 1 ? (names[0] ?? "") : "");

/** @param {string} name @param {() => void} act */
function keyButton(name, act) {
  const made = button("", act, { class: "key" });
  made.append(nameText(name));
  return made;
}
