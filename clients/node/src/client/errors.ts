/** Error codes, the same in every Larder client (protocol/spec/errors.md). */
export type CacheErrorCode =
  | "InvalidArgument"
  | "NotFound"
  | "AlreadyExists"
  | "PermissionDenied"
  | "Unauthenticated"
  | "LimitExceeded"
  | "FailedPrecondition"
  | "Timeout"
  | "Cancelled"
  | "Unavailable"
  | "ClientOverloaded"
  | "DecodingFailed"
  | "Internal"
  | "Unknown";

/** The error of a call. Decide by `code`; `message` is for people; `cause` is the server's `err` trailer or the underlying error. */
export class CacheError extends Error {
  override readonly name = "CacheError";

  constructor(
    readonly code: CacheErrorCode,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
  }

  /** Returns code and message for `JSON.stringify`, without the cause. */
  toJSON(): { code: CacheErrorCode; message: string } {
    return { code: this.code, message: this.message };
  }
}

/** The gRPC status codes, by number. */
export const Status = {
  ok: 0,
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  alreadyExists: 6,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  outOfRange: 11,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  dataLoss: 15,
  unauthenticated: 16,
} as const;

const codesByStatus: readonly CacheErrorCode[] = [
  "Unknown",
  "Cancelled",
  "Unknown",
  "InvalidArgument",
  "Timeout",
  "NotFound",
  "AlreadyExists",
  "PermissionDenied",
  "LimitExceeded",
  "FailedPrecondition",
  "Internal",
  "InvalidArgument",
  "Unknown",
  "Internal",
  "Unavailable",
  "Internal",
  "Unauthenticated",
];

/** The code of a gRPC status (ERR-2); a status that is not known is `Unknown`. */
export function codeOfStatus(status: number): CacheErrorCode {
  return codesByStatus[status] ?? "Unknown";
}

/** The gRPC status of an HTTP answer that is none of gRPC's: as gRPC's "HTTP to gRPC Status Code Mapping" has it. */
export function statusOfHttp(http: number): number {
  switch (http) {
    case 400:
      return Status.internal;
    case 401:
      return Status.unauthenticated;
    case 403:
      return Status.permissionDenied;
    case 404:
      return Status.unimplemented;
    case 429:
    case 502:
    case 503:
    case 504:
      return Status.unavailable;
    default:
      return Status.unknown;
  }
}

/** How one attempt of a call failed. */
export interface Failure {
  /** gRPC status code. */
  readonly status: number;
  readonly message: string;
  /** The server's `err` trailer, or the underlying error. */
  readonly cause?: unknown;
  /** Whether the call provably never ran (RETRY-3). */
  readonly notExecuted: boolean;
  /** Whether the server could not be reached for longer than a restart takes: sending again would only fail again. */
  readonly unreachable?: boolean;
  /** The number of the provider's token that was shown, where the server refused it. */
  readonly shown?: number | undefined;
}

/** The failure of a call that could not be written: its bytes changed since they were measured, and nothing has left. */
export function unsendable(error: unknown): Failure {
  const message = `its key or value cannot be sent: ${error instanceof Error ? error.message : String(error)}`;
  return { status: Status.invalidArgument, message, cause: error, notExecuted: true };
}

/** The failure of what a lost connection carried, or of what found none. */
export function lost(message: string, cause: unknown, notExecuted: boolean): Failure {
  return { status: Status.unavailable, message, cause, notExecuted };
}
