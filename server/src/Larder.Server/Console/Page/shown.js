// @ts-check
import { count } from "./format.js";
import { hex, hexDump, jsonText, textOf, visible } from "./keytext.js";

/** The maximum number of bytes that are shown in hexadecimal. Users rarely need more. */
const hexBytes = 8 * 1024;

/** The maximum numbers of lines and characters that a table cell shows before the user requests the whole value. */
const cellLines = 8;
const cellLetters = 600;

/** The display forms of values. @type {readonly ("Text" | "JSON" | "Hex")[]} */
export const forms = ["Text", "JSON", "Hex"];

/**
 * Formats a value in the given display form. Returns the text and a note, for example that the text is truncated.
 * @param {string} form
 * @param {Uint8Array} held the beginning of the value
 * @param {number} whole the size of the whole value in bytes
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
    return ["", "These bytes are not UTF-8 text; select Hex to see them."];
  }
  if (form === "JSON") {
    const json = jsonText(text);
    return json === null ? ["", `The value is not valid JSON${cut ? ", or its end is missing" : ""}. ${cut}`.trim()] : [visible(json, "\n\t"), cut];
  }
  return [visible(text, "\n\t"), cut];
}

/**
 * Formats one of several values that are shown together. If the value cannot be shown in the given form, it is shown as text. If it is not text, it is shown as
 * hexadecimal digits.
 * @param {string} form
 * @param {Uint8Array} held the beginning of the value
 * @param {number} whole the size of the whole value in bytes
 * @returns {[string, string]}
 */
export function amongOthers(form, held, whole) {
  const [text, why] = shownAs(form, held, whole);
  if (text !== "" || whole === 0) {
    return [text, why];
  }
  const [plain, cut] = shownAs("Text", held, whole);
  if (plain !== "") {
    return [plain, `This is not JSON. ${cut}`.trim()];
  }
  const shown = held.subarray(0, hexBytes);
  return [`0x${hex(shown)}`, cutAt(shown.length, whole)];
}

/** Returns the part of a text that a cell shows at first. Returns the whole text if it is short. @param {string} text */
export function beginningOf(text) {
  const lines = text.split("\n", cellLines + 1);
  const few = lines.length > cellLines ? lines.slice(0, cellLines).join("\n") : text;
  // Remove the first half of a surrogate pair at the end, because the cut may split the pair.
  return few.length > cellLetters ? few.slice(0, cellLetters).replace(/[\ud800-\udbff]$/, "") : few;
}

/** @param {number} shown @param {number} whole */
const cutAt = (shown, whole) => (whole > shown ? `Truncated: the first ${count(shown)} of ${count(whole)} bytes.` : "");
