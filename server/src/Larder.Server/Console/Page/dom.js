// @ts-check

/**
 * Creates an element. A child that is a string becomes a text node and is never parsed as HTML.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Readonly<Record<string, string | number | boolean>>} [attributes] true sets an empty attribute, false omits the attribute
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...children);
  return element;
}

/** Matches a word of at least 25 characters. The style sheet limits a text with such a word to three lines. */
const longWord = /\S{25,}/;

/**
 * Creates the text of a cell or a button. A text with a long word is truncated after three lines. It is shown in full while it has the focus.
 * @param {string} text
 * @param {Readonly<Record<string, string>>} [attributes] the attributes of the element around a long text
 * @returns {Node | string}
 */
export const nameText = (text, attributes = {}) => (longWord.test(text) ? el("span", { class: "name", title: text, ...attributes }, text) : text);

/**
 * Creates a button.
 * @param {string} text
 * @param {() => void} act
 * @param {Readonly<Record<string, string>>} [attributes]
 */
export function button(text, act, attributes = {}) {
  const made = el("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", act);
  return made;
}

/**
 * Creates a section of a view, with a heading.
 * @param {string} title
 * @param {...Node} children
 */
export function section(title, ...children) {
  const id = `h-${title.toLowerCase().replace(/[^a-z]+/g, "-")}`;
  return el("section", { "aria-labelledby": id }, el("h3", { id }, title), ...children);
}

/** Announces a message once to screen readers, without moving the focus. @param {string} text */
export function announce(text) {
  const news = document.getElementById("news");
  if (news) {
    news.textContent = text;
  }
}
