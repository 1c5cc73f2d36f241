import type { CredentialProvider } from "../configuration/credential-provider.js";
import type { HeaderField } from "../http2/header-encoder.js";

/** Whom a connection is to. */
export type Origin = Pick<CredentialProvider, "tls" | "endpoint">;

/** The fields that every call of a connection begins with (gRPC over HTTP/2). */
export function requestFields({ tls, endpoint }: Origin, path: string): readonly HeaderField[] {
  return [
    [":method", "POST"],
    [":scheme", tls ? "https" : "http"],
    [":path", path],
    [":authority", endpoint],
    ["te", "trailers"],
    ["content-type", "application/grpc"],
  ];
}
