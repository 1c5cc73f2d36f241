// @ts-check
import { button, el } from "./dom.js";

/**
 * Asks the user to confirm an action that cannot be undone. The Cancel button has the initial focus.
 * @param {string} title
 * @param {string} text
 * @param {string} yes the label of the confirming button
 * @returns {Promise<boolean>}
 */
export function confirm(title, text, yes) {
  return open(title, (close) => [
    el("p", {}, text),
    el(
      "div",
      { class: "buttons" },
      button("Cancel", () => close(false), { autofocus: "" }),
      button(yes, () => close(true), { class: "danger" }),
    ),
  ]);
}

/**
 * Asks the user for the console's token.
 * @param {string} why
 * @param {boolean} hasToken whether a token is stored; if so, the user can also discard the stored token
 * @param {boolean} isWrong whether the server rejected the last token
 * @returns {Promise<string | null>} null if the user cancels; empty to discard the stored token
 */
export function askToken(why, hasToken, isWrong) {
  return open("The console's token", (close) => {
    const input = el("input", { id: "token-input", type: "password", autocomplete: "off", autofocus: "", required: true, "aria-describedby": "token-why" });
    if (isWrong) {
      input.setAttribute("aria-invalid", "true");
    }
    const form = el(
      "form",
      {},
      el("p", { id: "token-why", class: isWrong ? "bad" : "" }, why),
      el("label", { for: "token-input" }, "Token"),
      input,
      el("p", { class: "muted" }, "The token is kept in this tab until you close it, and sent only to this server."),
      el(
        "div",
        { class: "buttons" },
        button("Cancel", () => close(null)),
        ...(hasToken ? [button("Forget token", () => close(""))] : []),
        el("button", { type: "submit" }, "Use token"),
      ),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      close(input.value.trim());
    });
    return [form];
  });
}

/**
 * @template T
 * @param {string} title
 * @param {(close: (answer: T) => void) => Node[]} fill
 * @returns {Promise<T>}
 */
function open(title, fill) {
  return new Promise((resolve) => {
    /** @type {T} */
    let answer = /** @type {T} */ (null);
    const dialog = el("dialog", { "aria-labelledby": "dialog-title" }, el("h2", { id: "dialog-title" }, title));
    dialog.append(
      ...fill((given) => {
        answer = given;
        dialog.close();
      }),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(answer);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
