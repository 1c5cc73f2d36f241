import type { Clock } from "./clock.js";
import { setImmediate } from "./system-timers.js";

// If the timer of a deadline runs late by this much or more, the process was busy and may have unread data.
const busyMs = 100;

/** Measures how long a connection has received nothing while calls waited for a response. */
export class SilenceDetector {
  // The time at which the silence began, on the transport's clock. -1 if something was received after the last call was
  // sent.
  #since = -1;

  /** Records that something was received. */
  received(): void {
    this.#since = -1;
  }

  /** Records that a call has begun to wait for a response. */
  begin(now: number): void {
    if (this.#since < 0) this.#since = now;
  }

  /**
   * Checks the connection after the deadline of a sent call has passed. Calls `broken` if nothing was received for
   * `limitMs`. A passed deadline alone does not prove that the connection is broken, because a deadline may be short.
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

/** Returns the log message for a connection that was replaced because of silence. */
export function silenceMessage(limitMs: number): string {
  return `a call timed out and the connection received nothing for ${limitMs} ms or longer; replacing the connection`;
}
