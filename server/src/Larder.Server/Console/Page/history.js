// @ts-check
/** @typedef {import("./answers").Reading} Reading */

/** The maximum number of stored readings: five minutes at one reading per second. */
export const kept = 300;

/** The length in seconds of the window over which the latencies and rates in tables are computed. */
export const windowSeconds = 10;

/** The readings of the last minutes, oldest first. If the server restarts, the earlier readings are removed. */
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

  /** The oldest reading of the window and the latest reading; null if the window contains only one reading. @returns {[Reading, Reading] | null} */
  get window() {
    const latest = this.latest;
    const before = this.#readings.find((reading) => latest && reading.at >= latest.at - windowSeconds);
    return latest && before && before !== latest ? [before, latest] : null;
  }
}
