import { backOffMs } from "../calls/back-off.js";

const firstWaitMs = 20;
// If a gateway has refused no calls for this time, the next refusal counts as the first one.
const memoryMs = 10_000;

/**
 * Computes how long a gateway is set aside. A gateway is set aside if it is reachable but refuses calls (GATEWAY-9).
 * The time depends only on the gateway's refusals and on a monotonic clock.
 */
export class GatewayHealth {
  #refusals = 0;
  /** The time, in ms, until which the gateway is not chosen if another gateway is up. 0 if it was never set aside. */
  asideUntilMs = 0;

  constructor(private readonly longestMs: number) {}

  /** Records that the gateway refused a call. `random` returns a number from 0 to 1. */
  refused(nowMs: number, random: () => number): void {
    if (nowMs < this.asideUntilMs) return;
    this.#refusals = nowMs - this.asideUntilMs < memoryMs ? this.#refusals + 1 : 1;
    this.asideUntilMs = nowMs + backOffMs(this.#refusals, firstWaitMs, this.longestMs, random);
  }
}
