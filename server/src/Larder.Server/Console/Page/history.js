// @ts-check
/** @typedef {import("./answers").Reading} Reading */

/** Readings that are kept: five minutes at one a second. */
export const kept = 300;

/** Seconds that latencies and rates in tables are of. */
export const windowSeconds = 10;

/** The readings of the last minutes, oldest first. It begins anew where the server did. */
export class History {
  /** @type {Reading[]} */
  #readings = [];

  /** @param {Reading} reading */
  add(reading) {
    const last = this.latest;
    if (last && reading.overview.stats.uptimeSeconds < last.overview.stats.uptimeSeconds) {
      this.#readings = [];
    }
    this.#readings.push(reading);
    if (this.#readings.length > kept) {
      this.#readings.shift();
    }
  }

  /** @returns {readonly Reading[]} */
  get readings() {
    return this.#readings;
  }

  /** @returns {Reading | undefined} */
  get latest() {
    return this.#readings.at(-1);
  }

  /** The latest reading with one at most a window before it; null while there is one alone. @returns {[Reading, Reading] | null} */
  get window() {
    const latest = this.latest;
    const before = this.#readings.find((reading) => latest && reading.at >= latest.at - windowSeconds);
    return latest && before && before !== latest ? [before, latest] : null;
  }
}
