import type { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import * as grpc from "@grpc/grpc-js";
import type { Configuration } from "./configuration.js";
import type { CredentialProvider } from "./credential-provider.js";
import { plainTlsError, tlsOptions } from "./tls-connection.js";

// LIM-4: as much as the server reads, so that a value that is too large is refused by a status.
const maxMessageBytes = 11_010_048;
// RETRY-7.
const firstReconnectMs = 100;

/** How messages are written to a channel and read from it: they are bytes already, by the client's own codec. */
export const asIs = (bytes: Buffer) => bytes;

/** TLS that is made anew for each connection: files are read again, and an address is not asked for as a name. */
class FreshTls extends grpc.ChannelCredentials {
  constructor(
    private readonly credentials: CredentialProvider,
    private readonly failed: (message: string) => void,
  ) {
    super();
  }

  override _isSecure(): boolean {
    return true;
  }

  override _equals(other: grpc.ChannelCredentials): boolean {
    return other === this;
  }

  override _createSecureConnector(): ReturnType<grpc.ChannelCredentials["_createSecureConnector"]> {
    const none = grpc.CallCredentials.createEmpty();
    return {
      connect: async (socket) => ({ socket: await this.#secured(socket), secure: true }),
      waitForReady: () => Promise.resolve(),
      getCallCredentials: () => none,
      destroy() {},
    };
  }

  #secured(socket: Socket): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const secured = connectTls({ socket, ...tlsOptions(this.credentials) }, () => resolve(secured));
      secured.on("error", (error) => {
        // Also where the server refuses us once TLS is up, of which grpc-js says nothing.
        this.failed(plainTlsError(error).message.trim());
        reject(error);
      });
    });
  }
}

/** A channel of unary calls, with a connection of its own. It connects when it is first used. `failed`: why TLS did. */
export function unaryChannel(
  credentials: CredentialProvider,
  configuration: Configuration,
  failed: (message: string) => void,
): grpc.Client {
  const { keepaliveIntervalMs, maxBackOffMs } = configuration;
  const security = credentials.tls ? new FreshTls(credentials, failed) : grpc.credentials.createInsecure();
  return new grpc.Client(credentials.target, security, {
    ...(credentials.address === undefined ? {} : { "grpc.default_authority": credentials.endpoint }),
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
