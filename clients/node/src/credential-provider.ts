/** What a credential provider is made of. */
export interface CredentialOptions {
  /** PEM of the authority to trust instead of the system's. */
  readonly certificateAuthority?: string;
}

// `larder serve` listens there unless told otherwise.
const defaultPort = 8080;
const form = "http[s]://[token@]host[:port]";
// larder: and larders: are what the Python client calls the same two schemes.
const pattern = /^(https?|larders?):\/\/(?:([^@/]*)@)?(\[[^\]]+\]|[^:@/[\]]+)(?::(\d{1,5}))?\/?$/;

/** Where the server is, and what to show it. Its token is in no text or log that it makes. */
export class CredentialProvider {
  readonly #token: string | undefined;

  private constructor(
    /** `host:port`. */
    readonly endpoint: string,
    readonly tls: boolean,
    token: string | undefined,
    /** PEM of the authority to trust instead of the system's. */
    readonly certificateAuthority: string | undefined,
  ) {
    const port = /^.+:(\d{1,5})$/.exec(endpoint)?.[1];
    if (port === undefined || Number(port) < 1 || Number(port) > 65_535)
      throw new RangeError(`endpoint must be host:port, not "${endpoint}"`);
    this.#token = token === "" ? undefined : token;
  }

  /** A server without TLS, on this machine unless `endpoint` says otherwise. Default `127.0.0.1:8080`. */
  static local(endpoint = `127.0.0.1:${defaultPort}`, token?: string): CredentialProvider {
    return new CredentialProvider(endpoint, false, token, undefined);
  }

  /** Reads `http[s]://[token@]host[:port]`, the port 8080 where none is given; a RangeError for anything else. */
  static fromString(text: string, options: CredentialOptions = {}): CredentialProvider {
    const match = pattern.exec(text.trim());
    // The text may hold a token, so the message does not repeat it.
    if (match === null) throw new RangeError(`the credentials must read ${form}`);
    const [, scheme, token = "", host, port = defaultPort] = match;
    const tls = scheme === "https" || scheme === "larders";
    return new CredentialProvider(`${host}:${port}`, tls, decodeURIComponent(token), options.certificateAuthority);
  }

  /** Reads the environment variable as `fromString` does; a RangeError where it is not set. Default `LARDER_URL`. */
  static fromEnvironmentVariable(name = "LARDER_URL", options: CredentialOptions = {}): CredentialProvider {
    const text = process.env[name];
    if (text === undefined || text.trim() === "")
      throw new RangeError(`the environment variable ${name} is not set; it must read ${form}`);
    return CredentialProvider.fromString(text, options);
  }

  /** The token, for the `authorization` metadata. */
  token(): string | undefined {
    return this.#token;
  }
}
