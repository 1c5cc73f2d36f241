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
    if (!/^.+:\d{1,5}$/.test(endpoint)) throw new RangeError(`endpoint must be host:port, not "${endpoint}"`);
    this.#token = token;
  }

  /** A server without TLS, on this machine unless `endpoint` says otherwise. Default `127.0.0.1:8080`. */
  static local(endpoint = "127.0.0.1:8080", token?: string): CredentialProvider {
    return new CredentialProvider(endpoint, false, token, undefined);
  }

  /** A server over TLS. */
  static fromString(
    endpoint: string,
    token: string,
    options: { readonly certificateAuthority?: string } = {},
  ): CredentialProvider {
    return new CredentialProvider(endpoint, true, token, options.certificateAuthority);
  }

  /** TLS unless `LARDER_TLS` is `0`; endpoint from `LARDER_ENDPOINT`, token from `LARDER_TOKEN` (or the names given). */
  static fromEnvironment(endpointName = "LARDER_ENDPOINT", tokenName = "LARDER_TOKEN"): CredentialProvider {
    const endpoint = process.env[endpointName];
    if (endpoint === undefined || endpoint === "") throw new RangeError(`${endpointName} is not set`);
    return new CredentialProvider(endpoint, process.env.LARDER_TLS !== "0", process.env[tokenName], undefined);
  }

  /** The token, for the `authorization` metadata. */
  token(): string | undefined {
    return this.#token;
  }
}
