import type { Clock } from "../calls/clock.js";

/** A channel as the pool sees it: how busy it is, and whether it still answers. */
export class PooledChannel<C> {
  inFlight = 0;
  /** Calls that ended by their deadline since the last answer. */
  silent = 0;
  /** On the pool's clock: not chosen before this time, where another can be. 0: in use. */
  setAsideUntil = 0;

  constructor(public channel: C) {}
}

/** How many streams a server allows on one connection, as ours and the published service do (LIM-6). */
export const maxStreamsPerChannel = 100;
// A channel whose last calls all ran out of time has stalled: three, so that one slow answer is not taken for it.
const silentCallsToStall = 3;
const setAsideMs = 5_000;

/**
 * Chooses among channels, each with a connection of its own: the least loaded with fewer than 100 calls; one that has
 * stalled is set aside for a while, unless all have.
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

  /** Takes a place on a channel; null when each has its 100 calls. */
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

  /** Gives a place back, whose call says nothing of the channel. */
  leave(pooled: PooledChannel<C>): void {
    pooled.inFlight--;
  }

  /** Gives a place back; `answered` says whether anything came back on it. */
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

  /** Throws if an invariant is broken; for tests. */
  assertValid(): void {
    for (const { inFlight } of this.channels)
      if (inFlight < 0 || inFlight > maxStreamsPerChannel) throw new Error(`${inFlight} calls on one channel`);
  }
}
