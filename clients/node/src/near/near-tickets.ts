// NEAR-26: maximum number of tickets that are remembered.
const maxTickets = 65_536;

/**
 * Records which tickets were invalidated while near gets are in flight. The response to such a get may contain a ticket
 * that was invalidated before the response arrived (NEAR-23). A ticket is the number with which the server identifies a
 * key in an invalidation. For each ticket, the class stores the sequence number of the last event that invalidated it.
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
