import { type Failure, Status } from "../client/errors.js";

/** Thrown if the fake server rejects a call. */
export class CallRejection extends Error {
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

export function invalid(message: string): CallRejection {
  return new CallRejection(Status.invalidArgument, message);
}

export function notFound(cacheName: string): CallRejection {
  return new CallRejection(Status.notFound, `cache '${cacheName}' does not exist; create it first`);
}

export function failedPrecondition(message: string): CallRejection {
  return new CallRejection(Status.failedPrecondition, message);
}

export function tooLarge(message: string, why = "request_size_limit_exceeded"): CallRejection {
  return new CallRejection(Status.resourceExhausted, message, why);
}

/** The message of calls that fail because the fake server is stopped. */
export const stoppedMessage = "the fake server was stopped";

/**
 * Converts an error that the fake server threw into the failure that the client reports. Any error other than a
 * `CallRejection` is a bug of the fake server.
 */
export function failureOf(error: unknown): Failure {
  if (error instanceof CallRejection)
    return { status: error.status, message: error.message, cause: error.why, notExecuted: false };
  const message = `the fake server failed: ${error instanceof Error ? error.message : String(error)}`;
  return { status: Status.internal, message, cause: error, notExecuted: false };
}
