import { backOffMs } from "../calls/back-off.js";

const firstWaitMs = 20;
// A refusal so long after the last is one of another trouble.
const memoryMs = 10_000;

/** How long a gateway that is there and refuses calls is set aside: a function of its refusals and of a clock that only grows (GATEWAY-9). */
export class GatewayHealth {
  #refusals = 0;
  /** No attempt is drawn from it before then, where another is up. */
  asideUntilMs = 0;

  constructor(private readonly longestMs: number) {}

  /** It refused. `random` draws from 0 to 1. */
  refused(nowMs: number, random: () => number): void {
    if (nowMs < this.asideUntilMs) return;
    this.#refusals = nowMs - this.asideUntilMs < memoryMs ? this.#refusals + 1 : 1;
    this.asideUntilMs = nowMs + backOffMs(this.#refusals, firstWaitMs, this.longestMs, random);
  }
}
