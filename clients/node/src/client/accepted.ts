import type { ErrorResponse } from "./responses.js";

/**
 * Returns a response that is not an error; throws the error of one that is. For adapters, whose callers expect a rejected
 * promise. The client may come from another copy of this package, whose classes differ: only `result` tells an error.
 */
export function accepted<R extends { readonly result: string }>(
  response: R | ErrorResponse,
): Exclude<R, ErrorResponse> {
  if (isError(response)) throw response.error;
  return response as Exclude<R, ErrorResponse>;
}

/** Whether a response, or another value in its place, is an error. */
export function isError(response: unknown): response is ErrorResponse {
  return (response as { readonly result?: unknown } | null | undefined)?.result === "error";
}
