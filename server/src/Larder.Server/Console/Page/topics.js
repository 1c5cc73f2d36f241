// @ts-check
import { el } from "./dom.js";
import { bytes, count, rate } from "./format.js";
import { visible } from "./keytext.js";
import { table } from "./table.js";

/** @typedef {import("./answers").Session} Session */
/** @typedef {import("./answers").Topics} Topics */
/** @typedef {import("./answers").View} View */

/**
 * Creates the read-only view of the topics. It shows the subscribers, the rates, and how far subscribers are behind.
 * @param {import("./api.js").Api} api
 * @param {() => Session | undefined} session
 * @returns {View}
 */
export function topicsView(api, session) {
  const rows = table(
    "Topics",
    [
      { name: "Topic" },
      { name: "Cache" },
      ...["Subscribers", "Newest", "Messages/s", "Deliveries/s", "Gaps", "Slowest behind", "Kept", "Kept size"].map((name) => ({ name, numeric: true })),
    ],
    "No topics. In the last 10 minutes, no messages were published and no clients subscribed.",
  );
  const more = el("p", { class: "muted" });
  const sum = el("p", {});
  const hint = el("p", { class: "muted" }, "Enter the admin token to see topics.");
  const parts = el("div", { hidden: true }, rows.element, more);
  let isAsking = false;
  /** @type {{ at: number, told: Topics } | undefined} */
  let before;

  const read = async () => {
    const mayAct = session()?.mayAct === true;
    parts.hidden = !mayAct;
    hint.hidden = mayAct;
    if (!mayAct || isAsking) {
      return;
    }
    isAsking = true;
    try {
      const told = /** @type {Topics} */ (await api.get("topics"));
      const now = { at: performance.now() / 1000, told };
      const last = before;
      before = now;
      const seconds = last === undefined ? 0 : now.at - last.at;
      const named = new Map((last?.told.topics ?? []).map((topic) => [keyOf(topic), topic]));
      rows.fill(told.topics.map((topic) => ({ key: keyOf(topic), cells: cellsOf(topic, named.get(keyOf(topic)), seconds) })));
      more.textContent = told.total > told.topics.length ? `The first ${count(told.topics.length)} of ${count(told.total)}.` : "";
    } catch {
      // Ignore the error here. The next poll, one second later, reports it.
    } finally {
      isAsking = false;
    }
  };

  return {
    id: "topics",
    title: "Topics",
    element: el("div", {}, sum, hint, parts),
    show: () => void read(),
    update: ({ overview: { stats } }) => {
      const { topics, subscribers, gaps, usedBytes, limitBytes } = stats.topics;
      sum.textContent = `${count(topics)} topics, ${count(subscribers)} subscribers, ${count(gaps)} gaps reported. ${bytes(usedBytes)} of ${bytes(limitBytes)} are used.`;
      void read();
    },
  };
}

/** @param {Topics["topics"][number]} topic */
const keyOf = ({ cache, topic }) => JSON.stringify([cache, topic]);

/** @param {Topics["topics"][number]} topic @param {Topics["topics"][number] | undefined} before @param {number} seconds */
function cellsOf(topic, before, seconds) {
  /** Returns the increase of a counter per second, or a dash if it is unknown or the counter was reset. @param {number} now @param {number | undefined} then */
  const rise = (now, then) => (then === undefined || now < then || seconds <= 0 ? "–" : rate((now - then) / seconds));
  return [
    visible(topic.topic),
    visible(topic.cache),
    count(topic.subscribers),
    count(topic.newest),
    rise(topic.messages, before?.messages),
    rise(topic.deliveries, before?.deliveries),
    count(topic.gaps),
    count(topic.slowestBehind),
    count(topic.kept),
    bytes(topic.keptBytes),
  ];
}
