import type { CredentialProvider } from "../configuration/credential-provider.js";
import type { HeaderField } from "../http2/header-encoder.js";

/** The endpoint of a connection's server, and whether the connection uses TLS. */
export type Origin = Pick<CredentialProvider, "tls" | "endpoint">;

/** Returns the header fields that begin every call of a connection (gRPC over HTTP/2). */
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
