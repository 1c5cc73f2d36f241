import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { createSecureContext, type SecureContext } from "node:tls";
import { requireKnownNames } from "../client/validation.js";

/** Certificate files, all in PEM format. If a file changes, it is read again for new connections. */
export interface TlsOptions {
  /** Certificate authorities to trust instead of the system's authorities. */
  readonly authorityFiles?: string | readonly string[] | undefined;
  /** The client's certificate, followed by its intermediate certificates. Requires `keyFile`. */
  readonly certificateFile?: string | undefined;
  /** The certificate's private key. */
  readonly keyFile?: string | undefined;
  /** Password of the private key, if the key is encrypted. */
  readonly keyPassword?: string | undefined;
  /**
   * Name to send (SNI) and to expect in the server's certificate.
   * @defaultValue the host of the address
   */
  readonly serverName?: string | undefined;
}

const optionNames = ["authorityFiles", "certificateFile", "keyFile", "keyPassword", "serverName"];
const certificatePattern = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;
const keyPattern = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;

/**
 * Creates the TLS context from the certificate files. If a changed file is invalid, the previous context stays in use.
 */
export class TlsFiles {
  readonly serverName: string | undefined;
  readonly #options: TlsOptions;
  readonly #authorities: readonly string[];
  #context: SecureContext;
  #seen: string;

  /**
   * Reads and validates the files.
   * @param trusted - A PEM to use instead of `authorityFiles`.
   * @throws RangeError that names the invalid file.
   */
  constructor(
    options: TlsOptions,
    private readonly trusted: string | undefined,
  ) {
    requireKnownNames("TLS option", options, optionNames);
    const { authorityFiles = [], certificateFile, keyFile, keyPassword, serverName } = options;
    this.#authorities = typeof authorityFiles === "string" ? [authorityFiles] : [...authorityFiles];
    for (const text of [...this.#authorities, certificateFile, keyFile, keyPassword, serverName])
      if (text !== undefined && (typeof text !== "string" || text === ""))
        throw new TypeError("TLS options must be non-empty strings");
    if ((certificateFile === undefined) !== (keyFile === undefined))
      throw new RangeError("certificateFile and keyFile must be set together, but only one is set");
    if (keyPassword !== undefined && keyFile === undefined)
      throw new RangeError("keyPassword is set without keyFile; set both");
    if (serverName !== undefined && !/^[A-Za-z0-9_.:-]{1,253}$/.test(serverName))
      throw new RangeError(`serverName must be a host name, not '${serverName}'`);
    this.serverName = serverName;
    this.#options = { ...options };
    this.#seen = this.#state();
    this.#context = this.#read();
  }

  /** Returns the context for a new connection. */
  context(): SecureContext {
    const state = this.#state();
    if (state === this.#seen) return this.#context;
    try {
      this.#context = this.#read();
      this.#seen = state;
    } catch {
      // The files may be incomplete because they are being replaced. This connection uses the previous context. The
      // next connection reads the files again.
    }
    return this.#context;
  }

  get #paths(): readonly string[] {
    const { certificateFile, keyFile } = this.#options;
    return [...this.#authorities, certificateFile, keyFile].filter((path) => path !== undefined);
  }

  // Returns the state of the files. It follows symbolic links, because a mounted secret is updated by replacing its
  // link.
  #state(): string {
    return this.#paths
      .map((path) => {
        try {
          const { mtimeMs, size, ino } = statSync(path);
          return `${mtimeMs} ${size} ${ino}`;
        } catch {
          return "gone";
        }
      })
      .join("; ");
  }

  #read(): SecureContext {
    const { certificateFile, keyFile, keyPassword } = this.#options;
    const ca = this.trusted === undefined ? this.#authorities.flatMap(authoritiesOf) : [this.trusted];
    const identity = certificateFile === undefined ? {} : identityOf(certificateFile, keyFile!, keyPassword);
    return createSecureContext({ ...(ca.length === 0 ? {} : { ca }), ...identity });
  }
}

function authoritiesOf(path: string): readonly string[] {
  const found = certificatesOf(path, "the authority file");
  for (const pem of found) certificateOf(pem, path, "the authority file");
  return found;
}

function identityOf(certificateFile: string, keyFile: string, password: string | undefined) {
  const what = "the client certificate file";
  const chain = certificatesOf(certificateFile, what);
  const [own] = chain.map((pem) => certificateOf(pem, certificateFile, what));
  const { pem, key } = keyOf(keyFile, password);
  if (!own!.checkPrivateKey(key))
    throw new RangeError(`the key in '${keyFile}' does not match the certificate in '${certificateFile}'`);
  const now = Date.now();
  if (Date.parse(own!.validTo) < now)
    throw new RangeError(`the certificate in '${certificateFile}' expired on ${own!.validTo}; replace it`);
  if (Date.parse(own!.validFrom) > now)
    throw new RangeError(
      `the certificate in '${certificateFile}' is not valid before ${own!.validFrom}; check the system clock`,
    );
  return { cert: chain.join("\n"), key: pem, ...(password === undefined ? {} : { passphrase: password }) };
}

function textOf(path: string, what: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch (error) {
    throw new RangeError(`${what} '${path}' cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

function certificatesOf(path: string, what: string): readonly string[] {
  const text = textOf(path, what);
  const found = text.match(certificatePattern);
  if (found !== null) return found;
  const hint = keyPattern.test(text) ? " but a private key; check whether certificateFile and keyFile are swapped" : "";
  throw new RangeError(`${what} '${path}' contains no certificate (-----BEGIN CERTIFICATE-----)${hint}`);
}

function certificateOf(pem: string, path: string, what: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw new RangeError(`${what} '${path}' contains an invalid certificate`);
  }
}

function keyOf(path: string, password: string | undefined): { readonly pem: string; readonly key: KeyObject } {
  const what = "the key file";
  const pem = textOf(path, what);
  if (!keyPattern.test(pem)) {
    const hint = pem.includes("BEGIN CERTIFICATE")
      ? " but a certificate; check whether certificateFile and keyFile are swapped"
      : "";
    throw new RangeError(`${what} '${path}' contains no private key (-----BEGIN PRIVATE KEY-----)${hint}`);
  }
  const isEncrypted = pem.includes("ENCRYPTED");
  if (isEncrypted && password === undefined) throw new RangeError(`${what} '${path}' is encrypted; set keyPassword`);
  try {
    return { pem, key: createPrivateKey({ key: pem, ...(password === undefined ? {} : { passphrase: password }) }) };
  } catch {
    const why = isEncrypted ? "keyPassword is wrong" : "it is not a valid key";
    throw new RangeError(`${what} '${path}': ${why}`);
  }
}
