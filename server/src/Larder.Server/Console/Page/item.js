// @ts-check
import { confirm } from "./dialog.js";
import { announce, button, el } from "./dom.js";
import { elementsPanel } from "./elements.js";
import { bytes, duration } from "./format.js";
import { fromBase64, fromHex, keyText, shortened, textOf, visible } from "./keytext.js";
import { forms, shownAs } from "./shown.js";

/** @typedef {import("./answers").Item} Item */

/**
 * Creates the panel of one item. The panel shows the item's type, and its value or elements as text, JSON or hexadecimal digits. It also has a button that
 * deletes the item.
 * @param {import("./api.js").Api} api
 * @param {(key: string) => void} onDeleted
 */
export function itemPanel(api, onDeleted) {
  const title = el("h3", { id: "item-title", tabindex: "0" });
  const facts = el("p");
  const value = el("pre", { tabindex: "0", "aria-label": "Value" });
  const note = el("p", { class: "muted" });
  const elements = elementsPanel(api);
  const choices = forms.map((form) => el("input", { type: "radio", name: "form", id: `form-${form}`, value: form }));
  const choice = el(
    "fieldset",
    { class: "forms" },
    el("legend", {}, "Format"),
    ...choices.map((input, index) => el("span", {}, input, el("label", { for: input.id }, forms[index] ?? ""))),
  );
  const remove = button("Delete item", () => void askAndDelete(), { class: "danger" });
  const element = el("section", { "aria-labelledby": "item-title", hidden: true }, title, facts, choice, value, note, elements.element, remove);
  /** @type {{ cache: string, key: string, name: string } | null} */
  let open = null;
  /** @type {Uint8Array | null} */
  let held = null;
  let whole = 0;

  const draw = () => {
    const form = choices.find(({ checked }) => checked)?.value ?? "Text";
    const [text, why] = held === null ? ["", ""] : shownAs(form, held, whole);
    value.textContent = text;
    value.hidden = text === "";
    note.textContent = why;
    elements.draw(form);
  };
  for (const input of choices) {
    input.addEventListener("change", draw);
  }

  const close = () => {
    element.hidden = true;
    elements.close();
  };

  const askAndDelete = async () => {
    if (open === null || !(await confirm(`Delete ${open.name}?`, `This deletes the item from cache ${visible(open.cache)} immediately.`, "Delete"))) {
      return;
    }
    const { cache, key, name } = open;
    try {
      await api.delete("item", { cache, key });
      announce(`Deleted ${name}`);
      close();
      onDeleted(key);
    } catch (error) {
      announce(`Failed: ${error instanceof Error ? error.message : error}`);
    }
  };

  return {
    element,
    close,

    /** @param {string} cache @param {string} key in base64 */
    async show(cache, key) {
      const name = keyText(fromBase64(key), fromBase64(key).length);
      try {
        const item = /** @type {Item} */ (await api.post("item", { cache, key }));
        open = { cache, key, name };
        held = item.value === null ? null : fromBase64(item.value);
        whole = item.bytes ?? 0;
        title.textContent = name;
        facts.textContent = `${item.type}${item.bytes === null ? "" : `, ${bytes(item.bytes)}`}, ${duration(item.remainingMs / 1000)} left, in ${shortened(visible(cache))}`;
        const first = held !== null && textOf(held, whole > held.length) === null ? "Hex" : "Text";
        for (const input of choices) {
          input.checked = input.value === first;
        }
        elements.close();
        draw();
        element.hidden = false;
        title.focus();
        if (held === null) {
          await elements.show(cache, key, item.type);
        }
      } catch (error) {
        close();
        announce(`${name}: ${error instanceof Error ? error.message : error}`);
      }
    },
  };
}

/** Converts the text of an input field to bytes. Returns null if the text is invalid. @param {string} text @param {boolean} isHex */
export const bytesOf = (text, isHex) => (isHex ? fromHex(text) : new TextEncoder().encode(text));
