// @ts-check
import { announce, button, el } from "./dom.js";
import { count } from "./format.js";
import { fromBase64, keyText } from "./keytext.js";
import { amongOthers, beginningOf } from "./shown.js";
import { table } from "./table.js";

/** @typedef {import("./answers").Element} Element */
/** @typedef {import("./answers").Elements} Elements */
/** A displayed element. `number` counts elements in the order of arrival, from 1. `place` is the position in a list or the rank in a sorted set. */
/** @typedef {{ number: number, place: number, element: Element }} Shown */

/** The maximum number of elements on the page. If there are more, the first elements are removed. */
const mostElements = 2_000;

const columns = {
  dictionary: [{ name: "Field" }, { name: "Value" }],
  set: [{ name: "Element" }],
  list: [{ name: "Position", numeric: true }, { name: "Element" }],
  "sorted set": [{ name: "Rank", numeric: true }, { name: "Score", numeric: true }, { name: "Element" }],
};

/** Creates the panel that shows a collection page by page. @param {import("./api.js").Api} api */
export function elementsPanel(api) {
  const tables = new Map(
    Object.entries(columns).map(([type, shown]) => [type, table(type === "dictionary" ? "Fields" : "Elements", shown, "Nothing to show.")]),
  );
  const found = el("p", { class: "muted", role: "status", tabindex: "-1" });
  const place = el("div", { class: "elements" });
  const more = button("Show more", () => void read());
  const element = el("div", { hidden: true }, found, place, more);
  /** @type {{ cache: string, key: string, type: string, cursor: string, isAsked: boolean } | null} */
  let open = null;
  /** @type {Shown[]} */
  let shown = [];
  let seen = 0;
  let form = "";

  const fill = () => {
    const type = open?.type ?? "";
    tables.get(type)?.fill(shown.map((one) => ({ key: `${form} ${one.number}`, cells: cellsOf(type, one, form) })));
  };

  const read = async () => {
    const asked = open;
    if (asked === null || asked.isAsked) {
      return;
    }
    asked.isAsked = true;
    try {
      const { cache, key, type, cursor } = asked;
      const told = /** @type {Elements} */ (await api.post("elements", { cache, key, type, cursor }));
      if (asked !== open) {
        return;
      }
      const known = new Set(told.first === null ? shown.map(({ element }) => nameOf(element)) : []);
      known.delete(null);
      const fresh = told.elements.filter((element) => !known.has(nameOf(element)));
      shown = shown.concat(fresh.map((element, index) => ({ number: seen + index + 1, place: (told.first ?? 0) + index, element }))).slice(-mostElements);
      seen += fresh.length;
      asked.cursor = told.cursor;
      fill();
      found.textContent = rangeOf(type, seen - shown.length + 1, seen, told.count);
      if (told.cursor === "" && document.activeElement === more) {
        found.focus();
      }
      more.hidden = told.cursor === "";
    } catch (error) {
      announce(`Cannot show: ${error instanceof Error ? error.message : error}`);
    } finally {
      asked.isAsked = false;
    }
  };

  return {
    element,
    close: () => {
      shown = [];
      fill();
      open = null;
      element.hidden = true;
    },

    /** @param {string} wanted the form in which values are displayed */
    draw: (wanted) => {
      form = wanted;
      fill();
    },

    /** Shows the first page of a collection. @param {string} cache @param {string} key in base64 @param {string} type */
    async show(cache, key, type) {
      open = { cache, key, type, cursor: "", isAsked: false };
      shown = [];
      seen = 0;
      found.textContent = "";
      more.hidden = true;
      const known = tables.get(type);
      place.replaceChildren(...(known ? [known.element] : []));
      element.hidden = known === undefined;
      fill();
      if (known) {
        await read();
      }
    },
  };
}

/**
 * Returns the name that identifies an element of a scan. Returns null if the name is truncated, because another element may have the same length and the same
 * beginning.
 * @param {Element} element
 */
const nameOf = ({ name, nameBytes }) => (fromBase64(name).length === nameBytes ? name : null);

/** @param {string} type @param {number} first @param {number} last @param {number} total */
function rangeOf(type, first, last, total) {
  const what = type === "dictionary" ? "Fields" : "Elements";
  return last < first ? `${what}: none on this page, ${count(total)} in total` : `${what} ${count(first)} to ${count(last)} of ${count(total)}`;
}

/** @param {string} type @param {Shown} one @param {string} form @returns {import("./table.js").Cell[]} */
function cellsOf(type, { place, element }, form) {
  const { name, nameBytes, value, valueBytes, score } = element;
  const held = fromBase64(name);
  if (type === "dictionary") {
    const field = nameBytes === 0 ? "" : keyText(held, nameBytes);
    return [() => cell("Field", field, ""), () => cell("Value", ...amongOthers(form, fromBase64(value ?? ""), valueBytes))];
  }
  const shown = () => cell("Element", ...amongOthers(form, held, nameBytes));
  return type === "list" ? [count(place), shown] : type === "set" ? [shown] : [count(place), score ?? "", shown];
}

/**
 * Creates a cell with the beginning of a text, a button that shows the whole text, and a note.
 * @param {string} what the label of the text for screen readers
 * @param {string} text
 * @param {string} why the note, for example that the text is truncated; empty for no note
 */
function cell(what, text, why) {
  if (text === "") {
    return el("i", { class: "muted" }, "empty");
  }
  const beginning = beginningOf(text);
  const part = el("pre", {}, beginning === text ? text : `${beginning} …`);
  const note = why === "" ? [] : [el("p", { class: "muted" }, why)];
  if (beginning === text) {
    return el("div", {}, part, ...note);
  }
  const all = button("Show all", () => {
    const isAll = all.getAttribute("aria-expanded") === "false";
    all.setAttribute("aria-expanded", String(isAll));
    all.textContent = isAll ? "Show less" : "Show all";
    part.textContent = isAll ? text : `${beginning} …`;
    // The full text may scroll, so the user must be able to reach it with the keyboard.
    if (isAll) {
      part.setAttribute("tabindex", "0");
      part.setAttribute("aria-label", what);
    } else {
      part.removeAttribute("tabindex");
      part.removeAttribute("aria-label");
    }
  });
  all.setAttribute("aria-expanded", "false");
  return el("div", {}, part, ...note, all);
}
