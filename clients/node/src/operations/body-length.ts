import type { HeaderFields } from "../transport/grpc-status.js";

// 2^53 has sixteen digits.
const length = /^\d{1,15}$/;

/** What is said of an answer that does not keep to it. */
export const lengthBroken = "the server broke HTTP/2: the answer's body is not as long as its headers say";

/** How long an answer's body is by its `content-length`, and whether it keeps to that (RFC 9113, 8.1.1). */
export class BodyLength {
  // Below 0: it is over what was told, or what was told is no length.
  #left: number;

  private constructor(told: string) {
    this.#left = length.test(told) ? Number(told) : -1;
  }

  /** What the headers tell; null where they tell nothing, or are not an answer's head. */
  static of(headers: HeaderFields): BodyLength | null {
    const told = headers["content-length"];
    const status = headers[":status"];
    if (typeof told !== "string" || typeof status !== "string" || status.startsWith("1")) return null;
    return new BodyLength(told);
  }

  /** Counts bytes that came; whether there may be so many. */
  take(bytes: number): boolean {
    this.#left -= bytes;
    return this.#left >= 0;
  }

  /** Whether as much has come as was told. */
  get isWhole(): boolean {
    return this.#left === 0;
  }
}
