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

/**
 * The error of a call. Programs should use `code`. `message` is for people. `cause` is the value of the gRPC trailer
 * `err` that the server sent, or the underlying error. `cause` is undefined if there is neither.
 */
export class CacheError extends Error {
  override readonly name = "CacheError";

  constructor(
    readonly code: CacheErrorCode,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
  }

  /** Returns the code and the message for `JSON.stringify`, without the cause. */
  toJSON(): { code: CacheErrorCode; message: string } {
    return { code: this.code, message: this.message };
  }
}

// A symbol of the global registry, because both the ES modules and the CommonJS modules of this package may be loaded.
const unsupported = Symbol.for("larder-cache.unsupported");

/** Records that the server does not support the call (`UNIMPLEMENTED`). */
export function markUnsupported(error: CacheError): void {
  Object.defineProperty(error, unsupported, { value: true });
}

/** Returns whether the server does not support the call. The code `Unknown` also stands for other failures. */
export function isUnsupported(error: CacheError): boolean {
  return unsupported in error;
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

/** Returns the error code of a gRPC status (ERR-2). Returns `Unknown` for an unknown status. */
export function codeOfStatus(status: number): CacheErrorCode {
  return codesByStatus[status] ?? "Unknown";
}

/**
 * Returns the gRPC status of an HTTP response that is not a gRPC response, according to gRPC's "HTTP to gRPC Status
 * Code Mapping".
 */
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

/** The failure of one attempt of a call. */
export interface Failure {
  /** gRPC status code. */
  readonly status: number;
  readonly message: string;
  /** The server's `err` trailer, or the underlying error. */
  readonly cause?: unknown;
  /** Whether it is certain that the call was not executed (RETRY-3). */
  readonly notExecuted: boolean;
  /** Whether the server has been unreachable for longer than a restart takes. A retry would then also fail. */
  readonly unreachable?: boolean;
  /** The version of the provider's token that the server rejected. Undefined if the server rejected no token. */
  readonly rejectedTokenVersion?: number | undefined;
}

/**
 * Returns the failure of a call that could not be encoded, because its bytes changed after their length was measured.
 * Nothing was sent.
 */
export function encodingFailure(error: unknown): Failure {
  const message = `the key or value cannot be sent: ${error instanceof Error ? error.message : String(error)}`;
  return { status: Status.invalidArgument, message, cause: error, notExecuted: true };
}

/** Returns the failure of a call whose connection was lost, or that had no connection. */
export function connectionLost(message: string, cause: unknown, notExecuted: boolean): Failure {
  return { status: Status.unavailable, message, cause, notExecuted };
}
