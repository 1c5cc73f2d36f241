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

const state = byId("state");
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

/** Says how the server is; who listens is told of changes alone. @param {string} text @param {string} kind */
function say(text, kind) {
  if (state.textContent !== text) {
    state.textContent = text;
    state.className = kind;
  }
}

async function begin() {
  try {
    session = await api.session();
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
    say("A token is needed", "bad");
    await changeToken("This console asks for its token.");
  } else {
    say(error instanceof Error ? error.message : "Something failed", "bad");
  }
}

/** @param {string} why */
async function changeToken(why) {
  if (isAsking) {
    return;
  }
  isAsking = true;
  const given = await askToken(why, api.token !== "");
  isAsking = false;
  if (given === null) {
    isPaused ||= session === undefined;
    return;
  }
  api.token = given;
  session = undefined;
  isPaused = false;
  await tick();
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
    announce(isPaused ? "Paused" : "Goes on");
  });
  byId("token").addEventListener("click", () => {
    void changeToken(session?.canAct ? "The admin token shows keys and values, and lets you act." : "Another token than the present one.");
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
