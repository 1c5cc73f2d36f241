import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * The reason to skip a test that needs certificates. Without openssl the test is skipped, because Node cannot create
 * certificates.
 */
export const skipWithoutOpenssl =
  spawnSync("openssl", ["version"]).status === 0 ? false : "SKIPPED: openssl is not installed: apt-get install openssl";

const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/** A certificate authority for one test, a server certificate that it issued, and client certificates on request. */
export class Certificates {
  readonly #folder = mkdtempSync(join(tmpdir(), "larder-tls-"));
  readonly certificatePath = join(this.#folder, "server.pem");
  readonly keyPath = join(this.#folder, "server.key");
  readonly authorityPath = join(this.#folder, "ca.pem");
  /** The authority's certificate in PEM. */
  readonly authority: string;

  constructor({ hostName = "localhost", expired = false } = {}) {
    const { authorityPath } = this;
    const subject = ["-subj", "/CN=Larder test authority", "-days", "2"];
    this.#openssl("req", "-x509", ...newKey, ...subject, "-keyout", this.path("ca.key"), "-out", authorityPath);
    this.issue("server", { hostName, expired });
    this.authority = readFileSync(authorityPath, "utf8");
  }

  /** Returns the path of the file `name` in the folder of the certificates. */
  path(name: string): string {
    return join(this.#folder, name);
  }

  /**
   * Creates NAME.pem and NAME.key. If `hostName` is given, the certificate is a server certificate. Otherwise it is a
   * client certificate with NAME as its subject.
   */
  issue(name: string, { hostName = "", expired = false } = {}): void {
    const subject = hostName === "" ? name : hostName;
    this.#openssl(
      "req",
      ...newKey,
      "-subj",
      `/CN=${subject}`,
      "-keyout",
      this.path(`${name}.key`),
      "-out",
      this.path("csr"),
    );
    const address = hostName === "localhost" ? ",IP:127.0.0.1" : "";
    const names = hostName === "" ? "" : `subjectAltName=DNS:${hostName}${address}\n`;
    writeFileSync(this.path("names"), `${names}extendedKeyUsage=${hostName === "" ? "clientAuth" : "serverAuth"}\n`);
    const authority = ["-CA", this.authorityPath, "-CAkey", this.path("ca.key"), "-CAcreateserial"];
    // A certificate that is issued for a negative number of days has already expired.
    const ends = ["-days", expired ? "-1" : "2", "-extfile", this.path("names")];
    this.#openssl("x509", "-req", "-in", this.path("csr"), ...authority, ...ends, "-out", this.path(`${name}.pem`));
  }

  /** Writes an encrypted copy of NAME.key, and returns the path of the copy. */
  encrypt(name: string, password: string): string {
    const path = this.path(`${name}.encrypted.key`);
    this.#openssl("pkcs8", "-topk8", "-in", this.path(`${name}.key`), "-out", path, "-passout", `pass:${password}`);
    return path;
  }

  /** Overwrites the certificate and the key of `to` with those of `from`. */
  swap(from: string, to: string): void {
    for (const ending of ["pem", "key"]) copyFileSync(this.path(`${from}.${ending}`), this.path(`${to}.${ending}`));
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }

  #openssl(...options: string[]): void {
    execFileSync("openssl", options, { stdio: "pipe" });
  }
}
