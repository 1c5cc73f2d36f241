import { readFile } from "node:fs/promises";

/**
 * Returns the token, a non-empty string of printable ASCII. The client calls the provider before the first call, and
 * again when the server rejects its token (AUTH-30). The signal aborts when the client stops waiting for the token:
 * after 30 s, or when the client is closed (AUTH-32). If the provider throws, its exception is the `cause` of the
 * call's error, but no error message contains the exception's text.
 */
export type TokenProvider = (options: { readonly signal: AbortSignal }) => string | Promise<string>;

/** Thrown if a token file cannot be read. The message contains no secrets. */
export class TokenFileError extends Error {
  override readonly name = "TokenFileError";
}

/** The token providers of this package. */
export const TokenProvider = {
  /**
   * Returns a provider that reads the token from a file each time the client requests the token. White space around the
   * token is ignored.
   */
  fromFile(path: string): TokenProvider {
    if (typeof path !== "string" || path === "")
      throw new TypeError("the path of the token file must be a non-empty string");
    return async ({ signal }) => {
      try {
        return (await readFile(path, { encoding: "utf8", signal })).trim();
      } catch (error) {
        throw new TokenFileError(`the token file '${path}' cannot be read: ${(error as NodeJS.ErrnoException).code}`);
      }
    };
  },
} as const;
