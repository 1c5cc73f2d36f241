// @ts-check
import { el } from "./dom.js";

/**
 * A point in time: the time in seconds, and a value for each line. The value is null if the line has no value at this time.
 * @typedef {{ at: number, values: readonly (number | null)[] }} Point
 */

const svgSpace = "http://www.w3.org/2000/svg";
const height = 170;
const margin = { left: 64, right: 8, top: 8, bottom: 22 };
const gridLines = 3;
const tableRows = 12;

/**
 * Creates a line chart of the last minutes. For accessibility, the chart has a text description and a table.
 * @param {string} title
 * @param {readonly string[]} names the name of each line
 * @param {(value: number) => string} format
 * @param {number} [atLeast] the smallest value at which the axis may end
 */
export function chart(title, names, format, atLeast = 0) {
  const drawing = document.createElementNS(svgSpace, "svg");
  drawing.setAttribute("role", "img");
  drawing.setAttribute("height", String(height));
  const present = names.map(() => el("b", {}, "–"));
  const legend = el(
    "ul",
    { class: "legend" },
    ...names.map((name, line) => el("li", { class: `line-${line}` }, `${name} `, /** @type {Node} */ (present[line]))),
  );
  const body = el("tbody");
  const details = el(
    "details",
    {},
    el("summary", {}, "Show as table"),
    el(
      "table",
      {},
      el("caption", {}, `${title}, latest first`),
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Seconds ago"), ...names.map((name) => el("th", { scope: "col", class: "n" }, name)))),
      body,
    ),
  );
  const figure = el("figure", {}, el("figcaption", {}, title), legend, drawing, details);
  /** @type {readonly Point[]} */
  let shown = [];

  const draw = () => {
    // Do not scale the drawing, because its text must have the size that the style sheet sets.
    const width = Math.max(drawing.clientWidth, 160);
    drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const top = ceilingOf(Math.max(atLeast, ...shown.flatMap((point) => point.values.map((value) => value ?? 0))));
    drawing.replaceChildren(...grid(width, top, format, spanOf(shown)), ...names.map((_, line) => path(shown, line, width, top)));
    const last = shown.at(-1);
    names.forEach((_, line) => {
      /** @type {HTMLElement} */ (present[line]).textContent = said(last?.values[line], format);
    });
    const words = names.map((name, line) => `${name} ${said(last?.values[line], format)}`).join(", ");
    drawing.setAttribute("aria-label", `${title}. Now: ${words}. The axis ends at ${format(top)}.`);
    if (details.open) {
      tell();
    }
  };
  const tell = () => {
    const last = shown.at(-1)?.at ?? 0;
    const rows = shown.slice(-tableRows).reverse();
    body.replaceChildren(
      ...rows.map(({ at, values }) =>
        el("tr", {}, el("th", { scope: "row" }, (last - at).toFixed(0)), ...values.map((value) => el("td", { class: "n" }, said(value, format)))),
      ),
    );
  };
  details.addEventListener("toggle", tell);
  new ResizeObserver(() => draw()).observe(figure);
  return {
    element: figure,

    /** @param {readonly Point[]} points oldest first */
    show(points) {
      shown = points;
      draw();
    },
  };
}

/** @param {number | null | undefined} value @param {(value: number) => string} format */
const said = (value, format) => (value === null || value === undefined ? "–" : format(value));

/** Returns the smallest value of the form 1, 2 or 5 × 10ⁿ that is at least `most`. @param {number} most */
export function ceilingOf(most) {
  if (!(most > 0)) {
    return 1;
  }
  const power = 10 ** Math.floor(Math.log10(most));
  return power * /** @type {number} */ ([1, 2, 5, 10].find((step) => step * power >= most * 0.999_999));
}

/** @param {readonly Point[]} points */
const spanOf = (points) => Math.max((points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0), 1);

/** @param {string} tag @param {Readonly<Record<string, string | number>>} attributes @param {string} [text] */
function shape(tag, attributes, text) {
  const made = document.createElementNS(svgSpace, tag);
  for (const [name, value] of Object.entries(attributes)) {
    made.setAttribute(name, String(value));
  }
  made.textContent = text ?? "";
  return made;
}

/** @param {number} width @param {number} top @param {(value: number) => string} format @param {number} span */
function grid(width, top, format, span) {
  const lines = Array.from({ length: gridLines }, (_, index) => {
    const share = index / (gridLines - 1);
    const y = height - margin.bottom - share * (height - margin.top - margin.bottom);
    return [
      shape("line", { class: "grid", x1: margin.left, x2: width - margin.right, y1: y, y2: y }),
      shape("text", { x: margin.left - 6, y: y + 4, "text-anchor": "end" }, format(top * share)),
    ];
  });
  return [
    ...lines.flat(),
    shape("text", { x: margin.left, y: height - 4 }, `${span.toFixed(0)} s ago`),
    shape("text", { x: width - margin.right, y: height - 4, "text-anchor": "end" }, "now"),
  ];
}

/** @param {readonly Point[]} points @param {number} line @param {number} width @param {number} top */
function path(points, line, width, top) {
  const first = points[0]?.at ?? 0;
  const span = spanOf(points);
  let drawn = "";
  let isApart = true;
  for (const { at, values } of points) {
    const value = values[line];
    if (value === null || value === undefined) {
      isApart = true;
      continue;
    }
    const x = margin.left + ((at - first) / span) * (width - margin.left - margin.right);
    const y = height - margin.bottom - (value / top) * (height - margin.top - margin.bottom);
    drawn += `${isApart ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`;
    isApart = false;
  }
  return shape("path", { class: `line-${line}`, d: drawn });
}
