// Maximum number of background loads of a client (GOC-13), in addition to the loads that callers wait for.
const maxRunning = 32;

/** Counts the values that a client loads in the background, and limits their number. */
export class BackgroundLoads {
  #running = 0;

  /** Starts a background load. Returns false if the limit is reached. Every load that was started must call `end`. */
  tryBegin(): boolean {
    if (this.#running >= maxRunning) return false;
    this.#running++;
    return true;
  }

  end(): void {
    this.#running--;
  }
}
