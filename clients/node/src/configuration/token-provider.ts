import { readFile } from "node:fs/promises";

/**
 * Gives the token, now or later: a string of printable ASCII, not empty. It is asked before the first call, and again when
 * the server refuses what it gave (AUTH-30). Its signal aborts when nobody waits for the answer any more. What it throws
 * is the `cause` of the call's error, and in no text.
 */
export type TokenProvider = (options: { readonly signal: AbortSignal }) => string | Promise<string>;

/** Why a token's file gave none, in words that may be told. */
export class TokenFileError extends Error {
  override readonly name = "TokenFileError";
}

/** Providers that come with the client. */
export const TokenProvider = {
  /** A file that holds the token alone; white space around it is left out. It is read anew each time. */
  fromFile(path: string): TokenProvider {
    if (typeof path !== "string" || path === "") throw new TypeError("a token's file is given by its path");
    return async ({ signal }) => {
      try {
        return (await readFile(path, { encoding: "utf8", signal })).trim();
      } catch (error) {
        throw new TokenFileError(`the token's file '${path}' cannot be read: ${(error as NodeJS.ErrnoException).code}`);
      }
    };
  },
} as const;
