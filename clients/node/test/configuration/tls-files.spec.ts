// Tests TLS files over both transports, against a server in this process that requests a client certificate.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { ErrorResponse } from "../../src/client/responses.js";
import { withSettings } from "../../src/configuration/configuration-check.js";
import { Configurations } from "../../src/configuration/configurations.js";
import { CredentialProvider } from "../../src/configuration/credential-provider.js";
import type { TlsOptions } from "../../src/configuration/tls-files.js";
import { Certificates, skipWithoutOpenssl } from "../support/certificates.js";
import { clientOf, FakeServer, until } from "../support/fake-server.js";

describe("TLS files", { skip: skipWithoutOpenssl }, () => {
  let files: Certificates;
  let others: Certificates;

  before(() => {
    files = new Certificates();
    others = new Certificates();
    for (const name of ["alice", "bob", "rotated", "carol"]) files.issue(name);
    files.issue("stale", { expired: true });
    others.issue("mallory");
  });
  after(() => {
    files.remove();
    others.remove();
  });

  const of = (name: string, from = files): TlsOptions => ({
    authorityFiles: files.authorityPath,
    certificateFile: from.path(`${name}.pem`),
    keyFile: from.path(`${name}.key`),
  });

  const credentials = (options: TlsOptions, endpoint = "127.0.0.1:1") =>
    CredentialProvider.fromString(`https://${endpoint}`).withTls(options);

  /** Returns a server that requests a client certificate, unless `requestCert` is false. */
  const server = (name = "server", requestCert = true) =>
    new FakeServer({
      cert: readFileSync(files.path(`${name}.pem`)),
      key: readFileSync(files.path(`${name}.key`)),
      ca: files.authority,
      requestCert,
      rejectUnauthorized: requestCert,
    }).start();

  const refused = (options: TlsOptions, message: RegExp) => assert.throws(() => credentials(options), message);

  test("AUTH-35: error names the invalid TLS file and its fault", () => {
    const alice = of("alice");
    refused(
      { ...alice, certificateFile: files.path("nowhere") },
      /the client certificate file '.*nowhere' cannot be read: ENOENT/,
    );
    refused(
      { ...alice, keyFile: files.path("bob.key") },
      /the key in '.*bob.key' does not match the certificate in '.*alice.pem'/,
    );
    refused(
      { ...alice, certificateFile: alice.keyFile, keyFile: alice.certificateFile },
      /contains no certificate .* but a private key; check whether .* are swapped/,
    );
    refused(
      { ...alice, keyFile: alice.certificateFile },
      /contains no private key .* but a certificate; check whether .* are swapped/,
    );
    refused(of("stale"), /the certificate in '.*stale.pem' expired on /);
    refused({ certificateFile: alice.certificateFile }, /certificateFile and keyFile must be set together/);
    refused({ authorityFiles: files.path("alice.key") }, /the authority file '.*alice.key' contains no certificate/);
    refused({ serverName: "no name" }, /serverName must be a host name, not 'no name'/);
    refused({ serverName: "" }, /must be non-empty strings/);
    refused({ rejectUnauthorized: false } as never, /rejectUnauthorized/);
    assert.throws(() => CredentialProvider.local().withTls({}), /does not use TLS/);
    writeFileSync(files.path("broken.pem"), "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    refused({ authorityFiles: files.path("broken.pem") }, /contains an invalid certificate/);
  });

  test("AUTH-35: encrypted key needs its password, which stays secret", () => {
    const keyFile = files.encrypt("alice", "open sesame");
    refused({ ...of("alice"), keyFile }, /is encrypted; set keyPassword/);
    refused({ ...of("alice"), keyFile, keyPassword: "wrong" }, /': keyPassword is wrong$/);
    credentials({ ...of("alice"), keyFile, keyPassword: "open sesame" });
  });

  for (const transport of ["unary", "pipeline"] as const) {
    const configuration = withSettings(Configurations.Laptop.latest(), { transport, requestTimeoutMs: 30_000 });
    const made = (served: FakeServer, options: TlsOptions) =>
      clientOf(served, transport, { credentials: credentials(options, served.endpoint), configuration });

    /** Returns the error message of a get with these options. */
    async function failure(served: FakeServer, options: TlsOptions): Promise<string> {
      const client = made(served, options);
      const response = await client.cache("cache").get("key");
      await client.close();
      await served.stop();
      assert.ok(response instanceof ErrorResponse, response.result);
      assert.equal(response.error.code, "Unavailable", response.error.message);
      return response.error.message;
    }

    test(`AUTH-34: sends the certificate but no IP as SNI, ${transport}`, async () => {
      const warnings: Error[] = [];
      const listen = (warning: Error) => warnings.push(warning);
      process.on("warning", listen);
      const served = await server();
      const client = made(served, of("alice"));
      assert.equal((await client.cache("cache").set("key", "value")).result, "success");
      assert.deepEqual([...new Set(served.shown.map(({ client }) => client))], ["alice"]);
      assert.ok(
        served.shown.every(({ serverName }) => !serverName),
        JSON.stringify(served.shown),
      );
      await client.close();
      await served.stop();
      process.off("warning", listen);
      assert.deepEqual(
        warnings.filter(({ message }) => message.includes("ServerName")),
        [],
      );
    });

    test(`AUTH-34: serverName replaces the host name in verification, ${transport}`, async () => {
      files.issue("named", { hostName: "cache.example" });
      const served = await server("named");
      const client = made(served, { ...of("alice"), serverName: "cache.example" });
      assert.equal((await client.cache("cache").set("key", "value")).result, "success");
      assert.ok(served.shown.every(({ serverName }) => serverName === "cache.example"));
      await client.close();
      await served.stop();
      const without = await failure(await server("named"), of("alice"));
      assert.match(without, /the server's certificate is for another host name: .*127.0.0.1/);
    });

    test(`AUTH-35: rejects untrusted and expired server certificates, ${transport}`, async () => {
      const unknown = await failure(await server(), { ...of("alice"), authorityFiles: [others.authorityPath] });
      assert.match(unknown, /the server's certificate is from an authority that this client does not trust/);
      files.issue("old", { hostName: "localhost", expired: true });
      assert.match(await failure(await server("old"), of("alice")), /certificate has expired/);
    });

    test(`AUTH-35: error explains a missing or untrusted client certificate, ${transport}`, async () => {
      const none = await failure(await server(), { authorityFiles: files.authorityPath });
      assert.match(none, /the server requires a client certificate/);
      const unknown = await failure(await server(), of("mallory", others));
      assert.match(unknown, /does not trust the authority|may require a different client certificate|TLS channels/);
    });

    test(`AUTH-36: next connection uses changed files if valid, ${transport}`, async () => {
      files.swap("carol", "rotated");
      const served = await server();
      const client = made(served, of("rotated"));
      const shownBy = async () => {
        const before = served.shown.length;
        served.breakConnections();
        await until(() => client.statistics().connections === 0 || served.shown.length > before);
        while (
          (await client.cache("cache").set("key", "value")).result !== "success" ||
          served.shown.length === before
        );
        return served.shown.at(-1)?.client;
      };
      assert.equal(await shownBy(), "carol");
      files.swap("bob", "rotated");
      assert.equal(await shownBy(), "bob");
      writeFileSync(files.path("rotated.key"), "half written");
      assert.equal(await shownBy(), "bob");
      files.swap("alice", "rotated");
      assert.equal(await shownBy(), "alice");
      await client.close();
      await served.stop();
    });
  }
});
