import { readFile } from "node:fs/promises";

/**
 * Returns the token, a non-empty string of printable ASCII. The client calls it before the first call, and again when
 * the server rejects its token (AUTH-30). Its signal aborts when no call waits for the token any more. Its exception is
 * the `cause` of the call's error and appears in no text.
 */
export type TokenProvider = (options: { readonly signal: AbortSignal }) => string | Promise<string>;

/** A token file could not be read. Its message contains no secret. */
export class TokenFileError extends Error {
  override readonly name = "TokenFileError";
}

/** Token providers of this package. */
export const TokenProvider = {
  /** Returns a provider that reads the token from a file each time. White space around it is ignored. */
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
