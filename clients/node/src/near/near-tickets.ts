// NEAR-26: maximum number of tickets that are remembered.
const maxTickets = 65_536;

/**
 * Records, for each ticket, the sequence number of the last event that invalidated it. Used only while near gets are in
 * flight. The response to such a get may contain a ticket that was invalidated before the response arrived (NEAR-23).
 */
export class NearTickets {
  readonly #receivedAt = new Map<number, number>();

  get count(): number {
    return this.#receivedAt.size;
  }

  /** Records that an event invalidated a ticket. Returns false if the maximum number of tickets is already recorded. */
  remember(ticket: number, event: number): boolean {
    if (this.#receivedAt.size === maxTickets && !this.#receivedAt.has(ticket)) return false;
    this.#receivedAt.set(ticket, event);
    return true;
  }

  wasReceivedAfter(ticket: number, event: number): boolean {
    return (this.#receivedAt.get(ticket) ?? 0) > event;
  }

  clear(): void {
    if (this.#receivedAt.size > 0) this.#receivedAt.clear();
  }
}
