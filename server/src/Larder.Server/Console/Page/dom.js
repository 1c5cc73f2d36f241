// @ts-check

/**
 * Makes an element. Strings among the children become text, whatever they hold; nothing is ever read as HTML.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Readonly<Record<string, string | number | boolean>>} [attributes] true sets an empty attribute, false sets none
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

/** From this length a word is shown in at most three lines. */
const longWord = /\S{25,}/;

/**
 * Text for a cell or a button. Text with a long word is cut after three lines, and shown whole while it has the focus.
 * @param {string} text
 * @param {Readonly<Record<string, string>>} [attributes] of the element around a long one
 * @returns {Node | string}
 */
export const nameText = (text, attributes = {}) => (longWord.test(text) ? el("span", { class: "name", title: text, ...attributes }, text) : text);

/**
 * A button that does something.
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
 * A part of a view under a heading.
 * @param {string} title
 * @param {...Node} children
 */
export function section(title, ...children) {
  const id = `h-${title.toLowerCase().replace(/[^a-z]+/g, "-")}`;
  return el("section", { "aria-labelledby": id }, el("h3", { id }, title), ...children);
}

/** Says something to who reads along, once, without taking them away from what they do. @param {string} text */
export function announce(text) {
  const news = document.getElementById("news");
  if (news) {
    news.textContent = text;
  }
}
