import type { Clock } from "../calls/clock.js";

/** A channel in the pool: its load, and whether it still responds. */
export class PooledChannel<C> {
  inFlight = 0;
  /** Number of calls that timed out since the last response. */
  silent = 0;
  /**
   * The channel is not chosen before this time on the pool's clock, if another channel is available. 0 if the channel
   * is not set aside.
   */
  setAsideUntil = 0;

  constructor(public channel: C) {}
}

/** Maximum number of streams on one connection. A server allows at least this number (LIM-6). */
export const maxStreamsPerChannel = 100;
// If the last three calls of a channel all timed out, the channel has stalled. A single slow response does not prove
// that.
const silentCallsToStall = 3;
const setAsideMs = 5_000;

/**
 * Chooses the channel for each call. Each channel has its own connection and at most 100 calls. The channel with the
 * fewest calls is chosen. A stalled channel is set aside for a while: it is chosen only if no other channel is
 * available.
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

  /** Reserves a place on a channel. Returns null if each channel has 100 calls. */
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

  /** Frees the place of a call. Used if the end of the call does not show whether the channel works. */
  leave(pooled: PooledChannel<C>): void {
    pooled.inFlight--;
  }

  /** Frees the place of a call. `answered`: whether a response was received. */
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

  /** Throws if an invariant is broken. Used by tests. */
  assertValid(): void {
    for (const { inFlight } of this.channels)
      if (inFlight < 0 || inFlight > maxStreamsPerChannel)
        throw new Error(`invalid number of calls in flight on a channel: ${inFlight}`);
  }
}
