import type { HeaderFields } from "../transport/grpc-status.js";

// At most 15 digits, because 2^53 has 16 digits.
const length = /^\d{1,15}$/;

/** The error message for a body of the wrong length. */
export const contentLengthMismatch =
  "HTTP/2 protocol error from the server: the length of the response differs from its content-length";

/** Compares the length of a response's body with its `content-length` (RFC 9113, section 8.1.1). */
export class ContentLengthCheck {
  // Number of bytes that are still expected. Negative if the body is too long or the announced length is invalid.
  #left: number;

  private constructor(told: string) {
    this.#left = length.test(told) ? Number(told) : -1;
  }

  /**
   * Returns a check for the length that the headers announce. Returns null if the headers announce no length, have an
   * informational status (1xx), or are trailers.
   */
  static fromHeaders(headers: HeaderFields): ContentLengthCheck | null {
    const told = headers["content-length"];
    const status = headers[":status"];
    if (typeof told !== "string" || typeof status !== "string" || status.startsWith("1")) return null;
    return new ContentLengthCheck(told);
  }

  /** Counts received bytes. Returns whether the total is at most the announced length. */
  count(bytes: number): boolean {
    this.#left -= bytes;
    return this.#left >= 0;
  }

  /** Returns whether the whole body has been received. */
  get isWhole(): boolean {
    return this.#left === 0;
  }
}
