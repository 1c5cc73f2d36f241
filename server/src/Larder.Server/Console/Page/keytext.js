// @ts-check

// Invisible characters, and characters that change the text around them: control characters, direction marks, joiners, and the byte order mark.
const unseen =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this matches control characters
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ud800-\udfff\ufeff\ufff9-\ufffb]/gu;

const names = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

/** Decodes base64. @param {string} text @returns {Uint8Array} */
export const fromBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** @param {Uint8Array} bytes @returns {string} */
export function toBase64(bytes) {
  let letters = "";
  for (const byte of bytes) {
    letters += String.fromCharCode(byte);
  }
  return btoa(letters);
}

/**
 * Decodes UTF-8. Returns null if the bytes are not valid UTF-8.
 * @param {Uint8Array} bytes
 * @param {boolean} [isCut] whether the bytes are truncated, so that the last character may be incomplete
 */
export function textOf(bytes, isCut = false) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut });
  } catch {
    return null;
  }
}

/** Replaces invisible characters with escapes. @param {string} text @param {string} [keeping] characters that are not replaced */
export const visible = (text, keeping = "") =>
  text.replace(unseen, (letter) =>
    keeping.includes(letter) ? letter : (names.get(letter) ?? `\\u{${/** @type {number} */ (letter.codePointAt(0)).toString(16)}}`),
  );

/**
 * Shortens a long name to fit on one line: replaces the middle of the name with an ellipsis.
 * @param {string} name
 * @param {number} [most] the maximum number of characters
 */
export function shortened(name, most = 60) {
  const letters = [...name];
  const end = Math.floor(most / 3);
  return letters.length <= most ? name : `${letters.slice(0, most - end - 1).join("")}…${letters.slice(-end).join("")}`;
}

/**
 * Formats a key for display: as text if the key is valid UTF-8, otherwise as hexadecimal digits.
 * @param {Uint8Array} bytes the first bytes of the key
 * @param {number} length the length of the whole key in bytes
 */
export function keyText(bytes, length) {
  const isCut = length > bytes.length;
  const text = textOf(bytes, isCut);
  const shown = text === null ? `0x${hex(bytes)}` : visible(text);
  return isCut ? `${shown} … (${length} bytes)` : shown;
}

/** @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Decodes pairs of hexadecimal digits. Returns null if the text is invalid. @param {string} text @returns {Uint8Array | null} */
export function fromHex(text) {
  const digits = text.replace(/\s|^0x/g, "");
  return /^([0-9a-f]{2})*$/i.test(digits) ? Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)) : null;
}

/** Formats a hex dump with lines of 16 bytes: offset, hexadecimal digits and ASCII characters. @param {Uint8Array} bytes */
export function hexDump(bytes) {
  const lines = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const line = bytes.subarray(at, at + 16);
    const digits = Array.from(line, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const letters = Array.from(line, (byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".")).join("");
    lines.push(`${at.toString(16).padStart(6, "0")}  ${digits.padEnd(47)}  ${letters}`);
  }
  return lines.join("\n");
}

/** Indents JSON without changing its numbers. Returns null if the text is not JSON. @param {string} text */
export function jsonText(text) {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  let shown = "";
  let depth = 0;
  const newLine = () => `\n${"  ".repeat(Math.min(depth, 100))}`;
  tokens.forEach((token, index) => {
    const before = tokens[index - 1] ?? "";
    if ("}]".includes(token)) {
      depth--;
    }
    const opens = "{[".includes(before) && before !== "";
    const closes = "}]".includes(token);
    shown += (opens !== closes && !(opens && closes)) || before === "," ? newLine() : before === ":" ? " " : "";
    shown += token;
    if ("{[".includes(token)) {
      depth++;
    }
  });
  return shown;
}
