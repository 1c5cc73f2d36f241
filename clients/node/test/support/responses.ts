import type { CacheErrorCode } from "../../src/client/errors.js";
import { type ErrorResponse, Hit } from "../../src/client/responses.js";

/** Returns the text of a hit, or the result of another response. */
export function textOf(response: { readonly result: string }): string {
  return response instanceof Hit ? response.value : response.result;
}

/** Returns the error code of a response. Null if the call has not failed. */
export function codeOf(response: { readonly result: string }): CacheErrorCode | null {
  return response.result === "error" ? (response as ErrorResponse).error.code : null;
}
