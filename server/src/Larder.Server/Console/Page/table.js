// @ts-check
import { el, nameText } from "./dom.js";

/** @typedef {{ name: string, numeric?: boolean }} Column */
/** A cell: a text, or a function that creates the cell's content once per row. @typedef {string | (() => Node)} Cell */
/** @typedef {{ key: string, cells: readonly Cell[] }} Row */

/**
 * Creates a table whose rows can be replaced repeatedly. A row whose key is among the new rows is updated instead of replaced, so that the focus and the
 * selection are preserved.
 * @param {string} caption
 * @param {readonly Column[]} columns
 * @param {string} nothing the text shown if there are no rows
 */
export function table(caption, columns, nothing) {
  const body = el("tbody");
  const head = el("tr", {}, ...columns.map(({ name, numeric }) => el("th", { scope: "col", class: numeric ? "n" : "" }, name)));
  const empty = el("p", { class: "muted" }, nothing);
  const whole = el("table", { hidden: true }, el("caption", {}, caption), el("thead", {}, head), body);
  // A wide table scrolls in its own frame. The user can reach the frame with the keyboard.
  const frame = el("div", { class: "frame", role: "region", "aria-label": caption, tabindex: "0" }, whole);
  /** @type {Map<string, HTMLTableRowElement>} */
  const rows = new Map();

  /** @param {Row} row */
  const make = (row) =>
    el(
      "tr",
      {},
      ...row.cells.map((cell, index) => {
        const content = typeof cell === "string" ? contentOf(cell) : cell();
        const kind = columns[index]?.numeric ? "n" : "";
        return index === 0 ? el("th", { scope: "row", class: kind }, content) : el("td", { class: kind }, content);
      }),
    );

  return {
    element: el("div", {}, frame, empty),

    /** @param {readonly Row[]} wanted */
    fill(wanted) {
      whole.hidden = wanted.length === 0;
      frame.hidden = whole.hidden;
      empty.hidden = !whole.hidden;
      const keys = new Set(wanted.map(({ key }) => key));
      for (const [key, row] of rows) {
        if (!keys.has(key)) {
          row.remove();
          rows.delete(key);
        }
      }
      wanted.forEach((row, index) => {
        const present = rows.get(row.key) ?? make(row);
        if (!rows.has(row.key)) {
          rows.set(row.key, present);
        } else {
          renew(present, row.cells);
        }
        if (body.children[index] !== present) {
          body.insertBefore(present, body.children[index] ?? null);
        }
      });
    },
  };
}

/** @param {string} cell */
const contentOf = (cell) => nameText(cell, { tabindex: "0" });

/** @param {HTMLTableRowElement} row @param {readonly Cell[]} cells */
function renew(row, cells) {
  cells.forEach((cell, index) => {
    const place = row.children[index];
    if (typeof cell === "string" && place && place.textContent !== cell) {
      place.replaceChildren(contentOf(cell));
    }
  });
}
