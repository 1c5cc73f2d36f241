import { type Failure, Status } from "../client/errors.js";

/** Thrown if the server rejects a call. */
export class Refusal extends Error {
  constructor(
    /** gRPC status code. */
    readonly status: number,
    message: string,
    /** The server's `err` trailer. */
    readonly why?: string,
  ) {
    super(message);
  }
}

export function invalid(message: string): Refusal {
  return new Refusal(Status.invalidArgument, message);
}

export function notFound(cacheName: string): Refusal {
  return new Refusal(Status.notFound, `Cache "${cacheName}" does not exist`);
}

export function failedPrecondition(message: string): Refusal {
  return new Refusal(Status.failedPrecondition, message);
}

export function tooLarge(message: string, why = "request_size_limit_exceeded"): Refusal {
  return new Refusal(Status.resourceExhausted, message, why);
}

/** The failure message of a stopped fake. */
export const away = "the fake server was stopped";

/** Returns an error as a client's failure. Any error other than a refusal is a bug of the fake. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Refusal)
    return { status: error.status, message: error.message, cause: error.why, notExecuted: false };
  const message = `the fake server failed: ${error instanceof Error ? error.message : String(error)}`;
  return { status: Status.internal, message, cause: error, notExecuted: false };
}
