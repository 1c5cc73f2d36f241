import { isIP } from "node:net";
import { createSecureContext, type SecureContext } from "node:tls";
import type { InProcessServer } from "../client/in-process-server.js";
import { brand } from "../client/package-brand.js";
import { TlsFiles, type TlsOptions } from "./tls-files.js";
import type { TokenProvider } from "./token-provider.js";

/** Options of a credential provider. */
export interface CredentialOptions {
  /** PEM of the certificate authority to trust instead of the system's authorities. */
  readonly certificateAuthority?: string;
}

// The default port of `larder serve`.
const defaultPort = 8080;
const form = "http[s]://[token@]host[:port]";
// The schemes of URLs and whether they use TLS. `larder` and `larders` are aliases of `http` and `https`.
const tlsOfScheme: Readonly<Record<string, boolean>> = { http: false, https: true, larder: false, larders: true };
const serverPattern = /^(\[[^\]\s]+\]|[^\s:@/?#[\]]+)(?::(\d+))?$/;

/** Maximum number of gateways in one list (GATEWAY-1). */
export const maxGateways = 64;

/** The value of the `brand` property by which the client recognizes a credential provider. */
export const credentialBrand = "CredentialProvider";

/** The settings that all servers of a list share. */
interface Shared {
  /** Provides the token for all servers. Undefined if each server has its own token or no token. */
  readonly provider?: TokenProvider | undefined;
  readonly tlsFiles?: TlsFiles | undefined;
  readonly inProcess?: InProcessServer | undefined;
}

// A host name: labels of letters, digits, - and _, separated by single dots. Or an IPv6 address in brackets.
const hostPattern = /^(\[[0-9a-f:.%a-z]+\]|[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*\.?)$/iu;

/**
 * The address of the server, or of several servers of one fleet (protocol/spec/gateways.md), with the token and the TLS
 * settings. The string forms of this object do not contain the token.
 */
export class CredentialProvider {
  readonly #token: string | undefined;
  readonly #others: readonly CredentialProvider[];
  readonly #shared: Shared;
  #first: CredentialProvider | undefined;
  #context: SecureContext | undefined;

  private constructor(
    /** `host:port` of the first server. */
    readonly endpoint: string,
    /** Whether the connection is encrypted. */
    readonly tls: boolean,
    token: string | undefined,
    /** PEM of the certificate authority to trust instead of the system's authorities. */
    readonly certificateAuthority: string | undefined,
    others: readonly CredentialProvider[] = [],
    /**
     * The address to connect to if the host name has several addresses. Undefined if any of them may be used.
     * @internal
     */
    readonly address?: string,
    shared: Shared = {},
  ) {
    this.#others = others;
    this.#shared = shared;
    const port = serverPattern.exec(endpoint)?.[2];
    if (port === undefined) throw new RangeError(`endpoint must be host:port, not '${withoutToken(endpoint)}'`);
    if (Number(port) < 1 || Number(port) > 65_535)
      throw new RangeError(`the port of '${endpoint}' must be from 1 to 65535`);
    if (!hostPattern.test(endpoint.slice(0, endpoint.lastIndexOf(":"))))
      throw new RangeError(`the host of '${endpoint}' is not a valid name or address`);
    requireToken(token);
    if (certificateAuthority !== undefined) requirePem(certificateAuthority);
    this.#token = token === "" ? undefined : token;
  }

  /**
   * The value by which the client recognizes a credential provider.
   * @internal
   */
  get [brand](): string {
    return credentialBrand;
  }

  /**
   * Returns credentials for a server without TLS.
   * @param endpoint - `host:port`. The default is `127.0.0.1:8080`.
   * @param token - If it is undefined or an empty string, no token is sent.
   */
  static local(endpoint = `127.0.0.1:${defaultPort}`, token?: string): CredentialProvider {
    if (typeof endpoint !== "string") throw new TypeError("the endpoint must be a string: host:port");
    return new CredentialProvider(endpoint, false, token, undefined);
  }

  /**
   * Parses a URL, or up to 64 URLs separated by commas.
   * @param text - `http[s]://[token@]host[:port]`, or the same with `larder[s]://`. The default port is 8080. The
   * characters `/`, `@`, `%` and `,` of the token are percent-encoded.
   * @throws RangeError if the text is invalid. The message does not contain the token.
   */
  static fromString(text: string, options: CredentialOptions = {}): CredentialProvider {
    if (typeof text !== "string") throw new TypeError(`a server address must be a string: ${form}`);
    const parts = text.split(",");
    if (parts.length === 1) return CredentialProvider.#parsed(text, options);
    if (parts.length > maxGateways)
      throw new RangeError(`the list has ${parts.length} addresses; at most ${maxGateways} are allowed`);
    const gateways: CredentialProvider[] = [];
    for (const [index, part] of parts.entries()) {
      try {
        gateways.push(CredentialProvider.#part(part, options, gateways));
      } catch (error) {
        const where = `part ${index + 1} of ${parts.length} of the address list`;
        throw new RangeError(`${where}: ${(error as Error).message} (in a token, write a comma as %2C)`);
      }
    }
    const [first, ...others] = gateways as [CredentialProvider, ...CredentialProvider[]];
    return new CredentialProvider(first.endpoint, first.tls, first.#token, first.certificateAuthority, others);
  }

  static #part(text: string, options: CredentialOptions, before: readonly CredentialProvider[]): CredentialProvider {
    if (text.trim() === "") throw new RangeError("the address is empty");
    const gateway = CredentialProvider.#parsed(text, options);
    if (before.some(({ tls }) => tls !== gateway.tls))
      throw new RangeError(
        `'${gateway.endpoint}' must have the same scheme as the first address; http and https cannot be mixed`,
      );
    if (before.some(({ endpoint }) => endpoint.toLowerCase() === gateway.endpoint.toLowerCase()))
      throw new RangeError(`'${gateway.endpoint}' is a duplicate`);
    return gateway;
  }

  static #parsed(text: string, options: CredentialOptions): CredentialProvider {
    const given = text.trim();
    const colon = given.indexOf("://");
    if (colon < 0)
      throw new RangeError(
        `a server address must be ${form}, but the value has no ://; if the value is a token, pass the address too`,
      );
    const scheme = given.slice(0, colon).toLowerCase();
    const rest = given.slice(colon + 3);
    const tls = Object.hasOwn(tlsOfScheme, scheme) ? tlsOfScheme[scheme] : undefined;
    if (tls === undefined) throw refused(given, "the scheme must be http, https, larder or larders");
    const authority = rest.split(/[/?#]/, 1)[0]!;
    if (rest !== authority && rest !== `${authority}/`)
      throw refused(given, "the address must have no path, query or fragment; in a token, write / as %2F");
    const server = authority.slice(authority.lastIndexOf("@") + 1);
    const match = serverPattern.exec(server);
    if (match === null) throw refused(given, server === "" ? "the host is missing" : "the host or port is invalid");
    const [, host, port = `${defaultPort}`] = match;
    if (Number(port) < 1 || Number(port) > 65_535)
      throw refused(given, `the port must be from 1 to 65535, not ${port}`);
    const token = decoded(authority.slice(0, -server.length - 1));
    return new CredentialProvider(`${host}:${port}`, tls, token, options.certificateAuthority);
  }

  /**
   * Parses the value of an environment variable, as `fromString` does.
   * @param name - The default is `LARDER_URL`.
   * @throws RangeError if the variable is not set or its value is invalid.
   */
  static fromEnvironmentVariable(name = "LARDER_URL", options: CredentialOptions = {}): CredentialProvider {
    const text = process.env[name];
    if (text === undefined || text.trim() === "")
      throw new RangeError(`the environment variable ${name} is not set; set it to ${form}`);
    try {
      return CredentialProvider.fromString(text, options);
    } catch (error) {
      throw new RangeError(`the environment variable ${name} is invalid: ${(error as Error).message}`);
    }
  }

  /**
   * Returns credentials for a server in this process.
   * @internal
   */
  static ofInProcess(server: InProcessServer): CredentialProvider {
    return new CredentialProvider("in-process:1", false, undefined, undefined, [], undefined, { inProcess: server });
  }

  /**
   * Returns one credential provider per server.
   * @internal
   */
  gateways(): readonly CredentialProvider[] {
    if (this.#others.length === 0) return [this];
    this.#first ??= this.#copy({ others: [] });
    return [this.#first, ...this.#others];
  }

  /**
   * Returns credentials for the same servers with another token or with a token provider. The client calls the provider
   * before the first call, and again when the server rejects the token, at most once a second (protocol/spec/auth.md).
   * @param token - An empty string removes the token.
   */
  withToken(token: string | TokenProvider): CredentialProvider {
    if (typeof token !== "string" && typeof token !== "function")
      throw new TypeError("the token must be a string or a function that returns it");
    const isText = typeof token === "string";
    const shared = { ...this.#shared, provider: isText ? undefined : token };
    const own = { token: isText ? token : undefined, shared };
    return this.#copy({ ...own, others: this.#others.map((other) => other.#copy(own)) });
  }

  /**
   * Returns credentials for the same servers with certificate files. The files are read and checked now. If they
   * change, they are read again for new connections.
   * @throws RangeError if a file is invalid, or if the servers do not use TLS.
   */
  withTls(options: TlsOptions): CredentialProvider {
    if (!this.tls)
      throw new RangeError(`TLS options need an https:// address, but '${this.endpoint}' does not use TLS`);
    if (this.certificateAuthority !== undefined && options.authorityFiles !== undefined)
      throw new RangeError("certificateAuthority and authorityFiles are mutually exclusive; set one of them");
    const shared = { ...this.#shared, tlsFiles: new TlsFiles(options, this.certificateAuthority) };
    return this.#copy({ shared, others: this.#others.map((other) => other.#copy({ shared })) });
  }

  /**
   * Returns credentials for the same server at one of its addresses.
   * @internal
   */
  at(address: string): CredentialProvider {
    return this.#copy({ others: [], address });
  }

  #copy(changed: {
    readonly token?: string | undefined;
    readonly shared?: Shared;
    readonly others?: readonly CredentialProvider[];
    readonly address?: string;
  }): CredentialProvider {
    return new CredentialProvider(
      this.endpoint,
      this.tls,
      "token" in changed ? changed.token : this.#token,
      this.certificateAuthority,
      changed.others ?? this.#others,
      changed.address ?? this.address,
      changed.shared ?? this.#shared,
    );
  }

  /**
   * The host name to resolve. Null if the host is an IP address.
   * @internal
   */
  get hostName(): string | null {
    if (this.#shared.inProcess !== undefined) return null;
    const host = this.endpoint.slice(0, this.endpoint.lastIndexOf(":"));
    return isIP(host.replace(/^\[|\]$/g, "")) === 0 ? host : null;
  }

  /** Returns the addresses of the servers, without tokens. */
  toString(): string {
    return this.gateways()
      .map(({ endpoint, address }) => (address === undefined ? endpoint : `${endpoint} (${address})`))
      .join(", ");
  }

  /**
   * Returns the token for the `authorization` metadata. Undefined if there is no token, or if the token comes from a
   * token provider.
   * @internal
   */
  token(): string | undefined {
    return this.#token;
  }

  /**
   * Returns the token provider. Undefined if there is none.
   * @internal
   */
  tokenProvider(): TokenProvider | undefined {
    return this.#shared.provider;
  }

  /**
   * Returns the server in this process. Null if the server is remote.
   * @internal
   */
  inProcess(): InProcessServer | null {
    return this.#shared.inProcess ?? null;
  }

  /**
   * The server name to send in the TLS handshake and to expect in the server's certificate.
   * @internal
   */
  get serverName(): string {
    const host = this.endpoint.slice(0, this.endpoint.lastIndexOf(":")).replace(/^\[|\]$/g, "");
    return this.#shared.tlsFiles?.serverName ?? host;
  }

  /**
   * Returns the trusted authorities and the client's certificate. Undefined if the system's authorities are trusted and
   * there is no certificate.
   * @internal
   */
  secureContext(): SecureContext | undefined {
    const { tlsFiles } = this.#shared;
    if (tlsFiles !== undefined) return tlsFiles.context();
    if (this.certificateAuthority === undefined) return undefined;
    this.#context ??= createSecureContext({ ca: this.certificateAuthority });
    return this.#context;
  }
}

function requireToken(token: unknown): void {
  if (token !== undefined && typeof token !== "string") throw new TypeError("the token must be a string");
  if (token !== undefined && !/^[\x21-\x7e]*$/.test(token))
    throw new RangeError("the token must be printable ASCII, because it is sent in a header");
}

// Checks the PEM, so that an invalid PEM is reported now as a RangeError, and not later as failing connections.
function requirePem(pem: unknown): void {
  if (typeof pem !== "string") throw new TypeError("certificateAuthority must be a string, the content of a PEM file");
  try {
    createSecureContext({ ca: pem });
    if (pem.includes("-----BEGIN CERTIFICATE-----")) return;
  } catch {
    // Ignore OpenSSL's message, because it is not helpful here.
  }
  throw new RangeError("certificateAuthority contains no valid certificate (-----BEGIN CERTIFICATE-----)");
}

function refused(given: string, why: string): RangeError {
  return new RangeError(`invalid server address '${withoutToken(given)}': ${why}; use ${form}`);
}

/**
 * Returns an address for error messages. Omits the text before the last @ and the text after a ?, because it may be a
 * token.
 */
function withoutToken(given: string): string {
  const scheme = /^[a-z]+:\/\//i.exec(given)?.[0] ?? "";
  const at = given.lastIndexOf("@");
  const shown = at > scheme.length ? `${scheme}…${given.slice(at)}` : given;
  return shown.replace(/[?#].+/s, "?…");
}

// Decodes percent-encoding. As in the other clients, text with an invalid percent-encoding is returned unchanged.
function decoded(token: string): string {
  return token.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}
