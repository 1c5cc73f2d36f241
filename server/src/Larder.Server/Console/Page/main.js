// @ts-check
import { accessView } from "./access.js";
import { Api, ApiError } from "./api.js";
import { cachesView } from "./caches.js";
import { askToken } from "./dialog.js";
import { announce, el } from "./dom.js";
import { fleetView } from "./fleet.js";
import { History } from "./history.js";
import { keysView } from "./keys.js";
import { overviewView } from "./overview.js";
import { topicsView } from "./topics.js";

/** @typedef {import("./answers").Overview} Overview */
/** @typedef {import("./answers").Session} Session */
/** @typedef {import("./answers").View} View */

const intervalMs = 1_000;

const api = new Api();
const history = new History();
/** @type {View[]} */
const views = [
  overviewView(history),
  cachesView(api, () => session),
  keysView(api, () => session),
  topicsView(api, () => session),
  fleetView(),
  accessView(api, () => session),
];
/** @type {View | undefined} */
let shown;
/** @type {Session | undefined} */
let session;
let isPaused = false;
let isAsking = false;
/** The last token that the server accepted. */
let acceptedToken = "";
/** The time at which the displayed data was read. */
let readAt = "";

const state = byId("state");
const notice = byId("notice");
const main = byId("main");

/** @param {string} id @returns {HTMLElement} */
function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

function showView() {
  const wanted = views.find(({ id }) => `#${id}` === location.hash) ?? /** @type {View} */ (views[0]);
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === `#${wanted.id}`) {
      link.setAttribute("aria-current", "page");
    } else {
      link.removeAttribute("aria-current");
    }
  }
  if (wanted === shown) {
    return;
  }
  shown?.hide?.();
  const isFirst = shown === undefined;
  shown = wanted;
  main.replaceChildren(el("h2", {}, wanted.title), wanted.element);
  document.title = `${wanted.title} – Larder console`;
  wanted.show?.();
  if (history.latest) {
    wanted.update?.(history.latest);
  }
  if (!isFirst) {
    main.focus();
  }
}

/**
 * Shows the server's state. An error is also shown in a notice that stays visible. Changes the state's text only if it is different, because screen readers
 * announce every change.
 * @param {string} text
 * @param {"good" | "bad"} kind
 * @param {string} [more]
 */
function say(text, kind, more = "") {
  notice.hidden = kind === "good";
  notice.textContent = notice.hidden ? "" : `${text}. ${more}`.trim();
  if (state.textContent !== text) {
    state.textContent = text;
    state.className = kind;
  }
}

async function begin() {
  try {
    session = await api.session();
    acceptedToken = api.token;
    byId("version").textContent = session.version;
    byId("token").hidden = session.mayAct && api.token === "";
    document.body.classList.toggle("read-only", !session.mayAct);
    return true;
  } catch (error) {
    await failed(error);
    return false;
  }
}

/** @param {unknown} error */
async function failed(error) {
  if (error instanceof ApiError && error.status === 401) {
    const isWrong = api.token !== "";
    say(isWrong ? "Wrong token" : "Token required", "bad");
    await changeToken(whyRefused(), isWrong);
  } else {
    const text = error instanceof Error ? error.message : "the request failed";
    say(text.charAt(0).toUpperCase() + text.slice(1), "bad", readAt === "" ? "" : `The figures are from ${readAt}.`);
  }
}

function whyRefused() {
  if (api.token === "") {
    return "This console needs a token.";
  }
  return api.token === acceptedToken
    ? "The server no longer accepts the token: it has expired or was replaced. Enter a new one."
    : "The token is wrong: the server does not accept it. Check it and enter it again.";
}

/** @param {string} why @param {boolean} [isWrong] whether the server rejected the current token */
async function changeToken(why, isWrong = false) {
  if (isAsking) {
    return;
  }
  isAsking = true;
  const given = await askToken(why, api.token !== "", isWrong);
  isAsking = false;
  if (given === null) {
    isPaused ||= session === undefined;
    return;
  }
  api.token = given;
  session = undefined;
  isPaused = false;
  await tick();
  const now = /** @type {Session | undefined} */ (session);
  if (given !== "" && now !== undefined) {
    announce(now.mayAct ? "Token accepted" : "Token accepted. It only shows statistics: keys and actions require the admin token.");
  }
}

async function tick() {
  if (isPaused || document.hidden || isAsking) {
    return;
  }
  try {
    if (session === undefined && !(await begin())) {
      return;
    }
    const overview = /** @type {Overview} */ (await api.get("overview"));
    const reading = { at: performance.now() / 1000, overview };
    if (overview.stats.uptimeSeconds < (history.latest?.overview.stats.uptimeSeconds ?? 0)) {
      session = undefined;
    }
    history.add(reading);
    readAt = new Date().toLocaleTimeString("en-GB");
    say(overview.whyNotReady === null ? "Ready" : `Not ready: ${overview.whyNotReady}`, overview.whyNotReady === null ? "good" : "bad");
    shown?.update?.(reading);
  } catch (error) {
    await failed(error);
  }
}

async function run() {
  const pause = byId("pause");
  pause.addEventListener("click", () => {
    isPaused = !isPaused;
    pause.setAttribute("aria-pressed", String(isPaused));
    announce(isPaused ? "Paused" : "Resumed");
  });
  byId("token").addEventListener("click", () => {
    void changeToken(session?.canAct ? "Enter the admin token to see keys and values and to run actions." : "Enter a different token.");
  });
  byId("views").append(...views.map(({ id, title }) => el("li", {}, el("a", { href: `#${id}` }, title))));
  addEventListener("hashchange", showView);
  showView();
  for (;;) {
    await tick();
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}

void run();
