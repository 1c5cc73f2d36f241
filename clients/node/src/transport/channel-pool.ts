import type { Clock } from "../calls/clock.js";

/** A channel in the pool: its load, and whether it still responds. */
export class PooledChannel<C> {
  inFlight = 0;
  /** Number of calls that timed out since the last response. */
  silent = 0;
  /** The channel is not chosen before this time, on the pool's clock, if another one is available. 0: in use. */
  setAsideUntil = 0;

  constructor(public channel: C) {}
}

/** Maximum number of streams on one connection, as Larder and the published service allow (LIM-6). */
export const maxStreamsPerChannel = 100;
// If a channel's last three calls all timed out, it has stalled. A single slow response is no evidence.
const silentCallsToStall = 3;
const setAsideMs = 5_000;

/**
 * Chooses among channels, each with its own connection: the least loaded one with fewer than 100 calls. A stalled
 * channel is set aside for a while, unless all have stalled.
 */
export class ChannelPool<C> {
  readonly channels: readonly PooledChannel<C>[];

  constructor(
    count: number,
    make: (index: number) => C,
    private readonly clock: Clock,
    private readonly onSetAside: (channel: C) => void,
  ) {
    this.channels = Array.from({ length: count }, (_, index) => new PooledChannel(make(index)));
  }

  /** Takes a place on a channel. Returns null if each has 100 calls. */
  acquire(): PooledChannel<C> | null {
    const now = this.clock.now();
    let best: PooledChannel<C> | null = null;
    for (const candidate of this.channels) {
      if (candidate.inFlight >= maxStreamsPerChannel) continue;
      if (best === null || this.#better(candidate, best, now)) best = candidate;
    }
    if (best !== null) best.inFlight++;
    return best;
  }

  /** Returns a place of a call that says nothing about the channel. */
  leave(pooled: PooledChannel<C>): void {
    pooled.inFlight--;
  }

  /** Returns a place. `answered`: whether a response was received. */
  release(pooled: PooledChannel<C>, answered: boolean): void {
    pooled.inFlight--;
    if (answered) {
      pooled.silent = 0;
      pooled.setAsideUntil = 0;
      return;
    }
    pooled.silent++;
    if (pooled.silent < silentCallsToStall || this.channels.length === 1) return;
    pooled.silent = 0;
    pooled.setAsideUntil = this.clock.now() + setAsideMs;
    this.onSetAside(pooled.channel);
  }

  #better(candidate: PooledChannel<C>, best: PooledChannel<C>, now: number): boolean {
    const candidateAside = candidate.setAsideUntil > now;
    const bestAside = best.setAsideUntil > now;
    if (candidateAside !== bestAside) return bestAside;
    return candidate.inFlight < best.inFlight;
  }

  /** Throws if an invariant is broken. For tests. */
  assertValid(): void {
    for (const { inFlight } of this.channels)
      if (inFlight < 0 || inFlight > maxStreamsPerChannel)
        throw new Error(`inconsistent number of calls on a channel: ${inFlight}`);
  }
}
