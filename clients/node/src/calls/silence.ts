import type { Clock } from "./clock.js";
import { setImmediate } from "./system-timers.js";

// A deadline that is noticed this late was delayed by the process itself, which may not have read what has arrived meanwhile.
const busyMs = 100;

/** How long a connection has received nothing while calls were waiting for an answer. */
export class Silence {
  // On the transport's clock; -1: something was received after the last call was sent.
  #since = -1;

  /** Anything was received. */
  received(): void {
    this.#since = -1;
  }

  /** A call waits for an answer. */
  begin(now: number): void {
    if (this.#since < 0) this.#since = now;
  }

  /**
   * To be called when the deadline of a call that was sent has passed: calls `broken` if the silence has lasted as long as
   * a ping may remain unanswered. A single short deadline is no evidence.
   */
  deadlinePassed(deadlineAt: number, clock: Clock, limitMs: number, broken: () => void): void {
    const now = clock.now();
    this.begin(now);
    const judge = () => {
      if (this.#since >= 0 && clock.now() - this.#since >= limitMs) broken();
    };
    if (now - deadlineAt < busyMs) judge();
    else setImmediate(judge);
  }
}

/** Why a connection was replaced, for logs. */
export function silentMessage(limitMs: number): string {
  return `nothing was received for ${limitMs} ms or longer while a call's deadline passed; the connection is replaced`;
}
