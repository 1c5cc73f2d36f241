// @ts-check
import { count } from "./format.js";
import { hex, hexDump, jsonText, textOf, visible } from "./keytext.js";

/** Bytes that are shown as digits: what is beyond is seldom read so. */
const hexBytes = 8 * 1024;

/** What a cell of a table shows of a value before all of it is asked for. */
const cellLines = 8;
const cellLetters = 600;

/** The forms that values are shown in. @type {readonly ("Text" | "JSON" | "Hex")[]} */
export const forms = ["Text", "JSON", "Hex"];

/**
 * A value in one form, and what has to be said of it.
 * @param {string} form
 * @param {Uint8Array} held its beginning
 * @param {number} whole bytes of all of it
 * @returns {[string, string]}
 */
export function shownAs(form, held, whole) {
  if (whole === 0) {
    return ["", "The value is empty."];
  }
  const cut = cutAt(held.length, whole);
  if (form === "Hex") {
    const shown = held.subarray(0, hexBytes);
    return [hexDump(shown), cutAt(shown.length, whole)];
  }
  const text = textOf(held, whole > held.length);
  if (text === null) {
    return ["", "These bytes are no UTF-8 text; Hex shows them."];
  }
  if (form === "JSON") {
    const json = jsonText(text);
    return json === null ? ["", `This is no JSON${cut ? ", or its end is missing" : ""}. ${cut}`.trim()] : [visible(json, "\n\t"), cut];
  }
  return [visible(text, "\n\t"), cut];
}

/**
 * A value among others, of which each may be of another kind: what is no JSON is shown as text, and what is no text as digits.
 * @param {string} form
 * @param {Uint8Array} held its beginning
 * @param {number} whole bytes of all of it
 * @returns {[string, string]}
 */
export function amongOthers(form, held, whole) {
  const [text, why] = shownAs(form, held, whole);
  if (text !== "" || whole === 0) {
    return [text, why];
  }
  const [plain, cut] = shownAs("Text", held, whole);
  if (plain !== "") {
    return [plain, `No JSON. ${cut}`.trim()];
  }
  const shown = held.subarray(0, hexBytes);
  return [`0x${hex(shown)}`, cutAt(shown.length, whole)];
}

/** What a cell shows of a text at first; all of it where that is short. @param {string} text */
export function beginningOf(text) {
  const lines = text.split("\n", cellLines + 1);
  const few = lines.length > cellLines ? lines.slice(0, cellLines).join("\n") : text;
  // Not between the halves of a letter.
  return few.length > cellLetters ? few.slice(0, cellLetters).replace(/[\ud800-\udbff]$/, "") : few;
}

/** @param {number} shown @param {number} whole */
const cutAt = (shown, whole) => (whole > shown ? `Cut: the first ${count(shown)} of ${count(whole)} bytes.` : "");
