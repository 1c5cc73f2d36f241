import { Buffer } from "node:buffer";
import * as grpc from "@grpc/grpc-js";
import type { Configuration } from "./configuration.js";
import type { CredentialProvider } from "./credential-provider.js";

// LIM-4: as much as the server reads, so that a value that is too large is refused by a status.
const maxMessageBytes = 11_010_048;
// RETRY-7.
const firstReconnectMs = 100;

/** How messages are written to a channel and read from it: they are bytes already, by the client's own codec. */
export const asIs = (bytes: Buffer) => bytes;

/** A channel of unary calls, with a connection of its own. It connects when it is first used. */
export function unaryChannel(credentials: CredentialProvider, configuration: Configuration): grpc.Client {
  const { keepaliveIntervalMs, maxBackOffMs } = configuration;
  const authority = credentials.certificateAuthority;
  const security = credentials.tls
    ? grpc.credentials.createSsl(authority === undefined ? null : Buffer.from(authority))
    : grpc.credentials.createInsecure();
  return new grpc.Client(credentials.target, security, {
    ...(credentials.address === undefined
      ? {}
      : {
          "grpc.default_authority": credentials.endpoint,
          "grpc.ssl_target_name_override": credentials.hostName ?? "",
        }),
    // Channels with equal options share connections, unless each has a pool of its own.
    "grpc.use_local_subchannel_pool": 1,
    "grpc.max_send_message_length": maxMessageBytes,
    "grpc.max_receive_message_length": maxMessageBytes,
    "grpc.service_config_disable_resolution": 1,
    "grpc.initial_reconnect_backoff_ms": Math.min(firstReconnectMs, maxBackOffMs),
    "grpc.max_reconnect_backoff_ms": maxBackOffMs,
    ...(keepaliveIntervalMs === "off"
      ? {}
      : {
          "grpc.keepalive_time_ms": keepaliveIntervalMs,
          "grpc.keepalive_timeout_ms": configuration.keepaliveTimeoutMs,
          "grpc.keepalive_permit_without_calls": 1,
        }),
  });
}

/** Whether the channel has a connection. */
export function isReady(channel: grpc.Client): boolean {
  return channel.getChannel().getConnectivityState(false) === grpc.connectivityState.READY;
}
