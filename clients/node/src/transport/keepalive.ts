import { clearInterval, clearTimeout, startInterval, startTimer } from "../calls/system-timers.js";
import type { Configuration } from "../configuration/configuration.js";

/**
 * Sends pings on one connection. If a ping is not acknowledged in time, the connection is closed, because the network
 * may drop packets silently.
 */
export class Keepalive {
  #interval: NodeJS.Timeout | null = null;
  #timeout: NodeJS.Timeout | null = null;

  constructor(
    private readonly settings: Pick<Configuration, "keepaliveIntervalMs" | "keepaliveTimeoutMs">,
    private readonly ping: () => void,
    private readonly late: (error: Error) => void,
  ) {}

  start(): void {
    const { keepaliveIntervalMs, keepaliveTimeoutMs } = this.settings;
    if (keepaliveIntervalMs === "off") return;
    this.#interval = startInterval(() => {
      if (this.#timeout !== null) return;
      const error = new Error(`no response to a ping within ${keepaliveTimeoutMs} ms`);
      this.#timeout = startTimer(() => this.late(error), keepaliveTimeoutMs).unref();
      this.ping();
    }, keepaliveIntervalMs).unref();
  }

  answered(): void {
    if (this.#timeout !== null) clearTimeout(this.#timeout);
    this.#timeout = null;
  }

  stop(): void {
    this.answered();
    if (this.#interval !== null) clearInterval(this.#interval);
    this.#interval = null;
  }
}
