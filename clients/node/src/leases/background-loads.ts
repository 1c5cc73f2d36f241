// Maximum number of background loads of a client (GOC-13). Loads that callers wait for are not counted.
const maxRunning = 32;

/** Counts the background loads of a client and limits their number. */
export class BackgroundLoads {
  #running = 0;

  /**
   * Starts a background load. Returns false if the limit is reached. If it returns true, the caller must call `end`
   * once when the load has ended.
   */
  tryBegin(): boolean {
    if (this.#running >= maxRunning) return false;
    this.#running++;
    return true;
  }

  end(): void {
    this.#running--;
  }
}
