import { type Failure, Status } from "../client/errors.js";

/** Error codes of streams and connections (RFC 9113, section 7). */
export const Http2Code = {
  noError: 0,
  protocolError: 1,
  refusedStream: 7,
  cancel: 8,
  enhanceYourCalm: 11,
  inadequateSecurity: 12,
} as const;

const names = (
  "NO_ERROR PROTOCOL_ERROR INTERNAL_ERROR FLOW_CONTROL_ERROR SETTINGS_TIMEOUT STREAM_CLOSED FRAME_SIZE_ERROR " +
  "REFUSED_STREAM CANCEL COMPRESSION_ERROR CONNECT_ERROR ENHANCE_YOUR_CALM INADEQUATE_SECURITY HTTP_1_1_REQUIRED"
).split(" ");

/** Returns the name of an error code, or the hexadecimal code if it has no name. */
export function nameOfCode(code: number): string {
  return names[code] ?? `0x${code.toString(16)}`;
}

/**
 * Returns the failure of a call whose stream the server has reset, according to gRPC's mapping of error codes. If the
 * server refused the stream, the call was not executed (RETRY-3).
 */
export function failureOfReset(code: number): Failure {
  const message = `the server reset the stream (HTTP/2 error ${nameOfCode(code)})`;
  return { status: statusOfReset(code), message, notExecuted: code === Http2Code.refusedStream };
}

function statusOfReset(code: number): number {
  switch (code) {
    case Http2Code.refusedStream:
      return Status.unavailable;
    case Http2Code.cancel:
      return Status.cancelled;
    case Http2Code.enhanceYourCalm:
      return Status.resourceExhausted;
    case Http2Code.inadequateSecurity:
      return Status.permissionDenied;
    default:
      return Status.internal;
  }
}
