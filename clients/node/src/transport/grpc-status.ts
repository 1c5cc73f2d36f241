import { type Failure, Status, statusOfHttp } from "../client/errors.js";
import { decodeMessage } from "./grpc-message.js";

/** The fields of a header block, by name. */
export type HeaderFields = Readonly<Record<string, unknown>>;

const statusPattern = /^\d{1,2}$/;
const grpcType = "application/grpc";
const ok: Failure = { status: Status.ok, message: "", notExecuted: false };

/** Returns the status in a header block as a failure, even if the status is OK. Null if there is no status. */
export function readStatus(headers: HeaderFields): Failure | null {
  const text = headers["grpc-status"];
  if (text === "0") return ok;
  if (typeof text !== "string" || !statusPattern.test(text)) return null;
  const message = decodeMessage(String(headers["grpc-message"] ?? ""));
  return { status: Number(text), message, cause: headers.err, notExecuted: false };
}

/** Returns a failure if a response does not start with the headers of a gRPC response. Otherwise returns null. */
export function notGrpc(headers: HeaderFields): Failure | null {
  const { ":status": http = 0, "content-type": type = "" } = headers;
  if (String(http) === "200" && String(type).startsWith(grpcType)) return null;
  const what = `HTTP status ${http}${type === "" ? "" : ` with content type ${type}`}`;
  const message = `the server returned ${what} instead of a gRPC response`;
  return { status: statusOfHttp(Number(http)), message, notExecuted: false };
}
