import type { Clock, ScheduledTask } from "./clock.js";

/**
 * A member of a deadline queue. It expires at its deadline unless it is removed before. The queue links its members in
 * lists.
 */
export interface Expiring {
  /** The deadline in milliseconds, on the queue's clock. */
  deadlineAt: number;
  expiresBefore: Expiring | null;
  expiresAfter: Expiring | null;
  /** Called once, after the deadline has passed and the member has left the queue. */
  expired(): void;
}

// Empty lists are removed only while there are more lists than this. A program normally uses few different timeouts,
// but a program that computes its timeouts may use any number of them.
const maxEmptyLists = 64;

/**
 * The deadlines of many calls, with few timers. Calls with the same timeout expire in the order in which they started.
 * Therefore each timeout has a list of calls, and one timer for the first call in the list. A call that ends in time
 * needs no timer of its own. The memory is bounded by the number of members, because an empty list is removed if there
 * are more than 64 lists.
 */
export class DeadlineQueue {
  readonly #lists = new Map<number, ExpiryList>();

  constructor(private readonly clock: Clock) {}

  /** Returns the number of members that have neither been removed nor expired. Takes linear time. */
  get size(): number {
    let size = 0;
    for (const list of this.#lists.values()) size += list.size;
    return size;
  }

  /** Returns the number of lists, which is the number of different timeouts. */
  get lists(): number {
    return this.#lists.size;
  }

  /** Adds a member that expires `timeoutMs` from now. */
  add(member: Expiring, timeoutMs: number): void {
    let list = this.#lists.get(timeoutMs);
    if (list === undefined) {
      const made = new ExpiryList(this.clock, () => {
        // Another list for the same timeout may have replaced this list.
        if (this.#lists.get(timeoutMs) === made) this.#lists.delete(timeoutMs);
      });
      this.#lists.set(timeoutMs, made);
      list = made;
    }
    list.push(member);
  }

  /** Removes a member that was added with `timeoutMs` and has not expired. */
  remove(member: Expiring, timeoutMs: number): void {
    const list = this.#lists.get(timeoutMs);
    if (list === undefined) return;
    list.remove(member);
    if (this.#lists.size <= maxEmptyLists || !list.isEmpty) return;
    list.stop([]);
    this.#lists.delete(timeoutMs);
  }

  /** Stops every timer and returns the remaining members. Nothing expires afterwards. */
  close(): Expiring[] {
    const members: Expiring[] = [];
    for (const list of this.#lists.values()) list.stop(members);
    this.#lists.clear();
    return members;
  }
}

class ExpiryList {
  #first: Expiring | null = null;
  #last: Expiring | null = null;
  #timer: ScheduledTask | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly emptied: () => void,
  ) {}

  get size(): number {
    let size = 0;
    for (let member = this.#first; member !== null; member = member.expiresAfter) size++;
    return size;
  }

  get isEmpty(): boolean {
    return this.#first === null;
  }

  push(member: Expiring): void {
    member.expiresBefore = this.#last;
    member.expiresAfter = null;
    if (this.#last === null) this.#first = member;
    else this.#last.expiresAfter = member;
    this.#last = member;
    if (this.#timer === null) this.#arm(member);
    else if (this.#first === member) this.#timer.ref?.();
  }

  remove(member: Expiring): void {
    if (member.expiresBefore === null) this.#first = member.expiresAfter;
    else member.expiresBefore.expiresAfter = member.expiresAfter;
    if (member.expiresAfter === null) this.#last = member.expiresBefore;
    else member.expiresAfter.expiresBefore = member.expiresBefore;
    member.expiresBefore = null;
    member.expiresAfter = null;
    // An empty list must not keep the process alive with its timer.
    if (this.#first === null) this.#timer?.unref?.();
  }

  stop(members: Expiring[]): void {
    this.#timer?.cancel();
    this.#timer = null;
    for (let member = this.#first; member !== null; member = this.#first) {
      this.remove(member);
      members.push(member);
    }
  }

  #arm(head: Expiring): void {
    this.#timer = this.clock.schedule(() => this.#fire(), Math.max(0, head.deadlineAt - this.clock.now()));
  }

  #fire(): void {
    this.#timer = null;
    const now = this.clock.now();
    while (this.#first !== null && this.#first.deadlineAt <= now) {
      const member = this.#first;
      this.remove(member);
      member.expired();
    }
    // The expired members may have added a new member, which started the timer.
    if (this.#timer !== null) return;
    if (this.#first === null) this.emptied();
    else this.#arm(this.#first);
  }
}
