import { ErrorResponse } from "./responses.js";

/** What a call answered; thrown where that is an error: for adapters, of which the callers want a rejection. */
export function accepted<R extends { readonly result: string }>(
  response: R | ErrorResponse,
): Exclude<R, ErrorResponse> {
  if (response instanceof ErrorResponse) throw response.error;
  return response as Exclude<R, ErrorResponse>;
}
