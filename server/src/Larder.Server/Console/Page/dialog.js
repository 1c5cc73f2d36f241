// @ts-check
import { button, el } from "./dom.js";

/**
 * Asks before something is done that cannot be undone. The safe answer has the focus.
 * @param {string} title
 * @param {string} text
 * @param {string} yes what the button says that does it
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
 * Asks for the console's token.
 * @param {string} why
 * @param {boolean} hasToken whether there is one to forget
 * @param {boolean} isWrong whether the server refused the last one
 * @returns {Promise<string | null>} null where nothing was said; empty to forget it
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
      el("p", { class: "muted" }, "It is kept in this tab until the tab is closed, and sent to this server alone."),
      el(
        "div",
        { class: "buttons" },
        button("Cancel", () => close(null)),
        ...(hasToken ? [button("Forget it", () => close(""))] : []),
        el("button", { type: "submit" }, "Use it"),
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
