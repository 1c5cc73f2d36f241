// @ts-check
import { el, section } from "./dom.js";
import { count } from "./format.js";
import { visible } from "./keytext.js";
import { table } from "./table.js";

/** @typedef {import("./answers").AuditEntries} AuditEntries */
/** @typedef {import("./answers").Session} Session */
/** @typedef {import("./answers").TokenUses} TokenUses */
/** @typedef {import("./answers").View} View */

/** The displayed names of the audit's event kinds. @type {Readonly<Record<string, string>>} */
const kinds = {
  Unauthenticated: "unknown token",
  Denied: "denied",
  DoorShut: "throttled",
  Reloaded: "reloaded",
  NotReloaded: "reload failed",
  TokenGiven: "token issued",
  ConsoleAction: "console",
};

/** Returns whether entries of this kind are about callers without a known token. @param {string} kind */
const isStranger = (kind) => kind === "Unauthenticated" || kind === "DoorShut";

/**
 * Creates the read-only view of the tokens, their usage, and the rejected callers.
 * @param {import("./api.js").Api} api
 * @param {() => Session | undefined} session
 * @returns {View}
 */
export function accessView(api, session) {
  const tokens = table(
    "Tokens",
    [
      { name: "Id" },
      { name: "May" },
      { name: "Ends" },
      { name: "Calls", numeric: true },
      { name: "Streams", numeric: true },
      { name: "Last seen" },
      { name: "From" },
    ],
    "This server has no token file (--tokens).",
  );
  const noted = table(
    "Changes and rejected calls",
    [
      { name: "What" },
      { name: "Who" },
      { name: "From" },
      { name: "Call or option" },
      { name: "Cache" },
      { name: "Times", numeric: true },
      { name: "First" },
      { name: "Last" },
    ],
    "No call was rejected and nothing was changed since the server started.",
  );
  const strangers = table(
    "Calls with a missing or unknown token",
    [{ name: "Event" }, { name: "Address" }, { name: "Latest call" }, { name: "Count", numeric: true }, { name: "First" }, { name: "Last" }],
    "No call was rejected because of its token since the server started.",
  );
  const more = el("p", { class: "muted" });
  const hint = el("p", { class: "muted" }, "Enter the admin token to see tokens and permissions.");
  const parts = el(
    "div",
    { hidden: true },
    section("Tokens in use", tokens.element, more),
    section("Changes and rejected calls", noted.element),
    section("Missing or unknown tokens", strangers.element),
  );
  let isAsking = false;

  const read = async () => {
    const mayAct = session()?.mayAct === true;
    parts.hidden = !mayAct;
    hint.hidden = mayAct;
    if (!mayAct || isAsking) {
      return;
    }
    isAsking = true;
    try {
      const uses = /** @type {TokenUses} */ (await api.get("tokens"));
      tokens.fill(uses.tokens.map((use) => ({ key: use.id, cells: cellsOf(use) })));
      more.textContent = uses.total > uses.tokens.length ? `The first ${count(uses.tokens.length)} of ${count(uses.total)}.` : "";
      const { entries } = /** @type {AuditEntries} */ (await api.get("audit"));
      noted.fill(
        entries
          .filter(({ kind }) => !isStranger(kind))
          .map(({ kind, who, address, what, cache, first, last, count: times }) => ({
            key: JSON.stringify([kind, who, address, what, cache]),
            cells: [kinds[kind] ?? kind, visible(who), address, visible(what), visible(cache), count(times), moment(first), moment(last)],
          })),
      );
      strangers.fill(
        entries
          .filter(({ kind }) => isStranger(kind))
          .map(({ kind, address, what, first, last, count: times }, row) => ({
            key: String(row),
            cells: [kinds[kind] ?? kind, address, visible(what), count(times), moment(first), moment(last)],
          })),
      );
    } catch {
      // Ignore the error here. The next poll, one second later, reports it.
    } finally {
      isAsking = false;
    }
  };

  return { id: "access", title: "Access", element: el("div", {}, hint, parts), show: () => void read(), update: () => void read() };
}

/** @param {TokenUses["tokens"][number]} use */
function cellsOf({ id, grants, moreGrants, expires, hasExpired, calls, streams, lastSeen, address }) {
  const may = `${grants.map((grant) => visible(grant)).join(", ")}${moreGrants > 0 ? ` and ${count(moreGrants)} more` : ""}`;
  const ends = expires === null ? "never" : `${hasExpired ? "ended " : ""}${moment(expires)}`;
  return [visible(id), may, ends, count(calls), count(streams), lastSeen === null ? "not yet" : moment(lastSeen), address];
}

/** Formats a time with a precision of one second. @param {string} time */
const moment = (time) => new Date(time).toISOString().slice(0, 19).replace("T", " ");
