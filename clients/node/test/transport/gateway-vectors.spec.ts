// The cases of protocol/vectors/clients/gateways.json, which all clients run.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { CredentialProvider } from "../../src/configuration/credential-provider.js";
import { chooseGateway } from "../../src/transport/gateway-choice.js";
import { GatewayHealth } from "../../src/transport/gateway-health.js";
import { gatewayAddresses } from "../../src/transport/gateway-resolver.js";

interface Case {
  readonly rule: string;
  readonly case: string;
  readonly list?: string;
  readonly resolved?: readonly string[];
  readonly inFlight?: readonly number[];
  readonly failedBy?: number;
  readonly draws?: readonly [number, number];
  readonly mostMs?: number;
  readonly steps?: readonly { refusedAtMs: number; random: number; then: { asideUntilMs: number } }[];
  readonly then?: {
    readonly gateways?: readonly string[];
    readonly tokens?: readonly string[];
    readonly refused?: string;
    readonly addresses?: readonly string[];
    readonly gateway?: number;
  };
}

const path = new URL("../../../../../protocol/vectors/clients/gateways.json", import.meta.url);
const cases = JSON.parse(readFileSync(path, "utf8")) as readonly Case[];

describe("gateway vectors", () => {
  for (const given of cases) {
    test(`${given.rule}: ${given.case}`, () => {
      const { list, resolved, inFlight } = given;
      if (list !== undefined) reads(list, given.then!);
      else if (resolved !== undefined) assert.deepEqual(gatewayAddresses(resolved), given.then!.addresses);
      else if (inFlight !== undefined) {
        const others = inFlight.map((_, gateway) => gateway).filter((gateway) => gateway !== given.failedBy);
        const some = others.length > 0 ? others : [given.failedBy!];
        const taken = chooseGateway(
          some.map((gateway) => inFlight[gateway]!),
          given.draws!,
        );
        assert.equal(some[taken], given.then!.gateway);
      } else {
        const health = new GatewayHealth(given.mostMs!);
        for (const { refusedAtMs, random, then } of given.steps!) {
          health.refused(refusedAtMs, () => random);
          assert.equal(health.asideUntilMs, then.asideUntilMs);
        }
      }
    });
  }

  for (const count of [64, 65])
    test(`GATEWAY-1: list of ${count} addresses is accepted: ${count === 64}`, () => {
      const list = Array.from({ length: count }, (_, index) => `http://127.0.0.1:${index + 1}`).join(",");
      if (count === 64) assert.equal(CredentialProvider.fromString(list).gateways().length, 64);
      else assert.throws(() => CredentialProvider.fromString(list), /65 addresses; at most 64/);
    });

  test("gateway list of the README is valid", () => {
    const readme = readFileSync("README.md", "utf8");
    const list = "http://gateway1:8080,http://gateway2:8080";
    assert.ok(readme.includes(`CredentialProvider.fromString("${list}")`));
    assert.deepEqual(
      CredentialProvider.fromString(list)
        .gateways()
        .map(({ endpoint }) => endpoint),
      ["gateway1:8080", "gateway2:8080"],
    );
  });
});

function reads(list: string, then: NonNullable<Case["then"]>): void {
  const { refused, tokens } = then;
  if (refused !== undefined) {
    assert.throws(
      () => CredentialProvider.fromString(list),
      ({ message }: Error) => message.includes(refused) && !message.includes("s3"),
    );
    return;
  }
  const gateways = CredentialProvider.fromString(list).gateways();
  assert.deepEqual(
    gateways.map(({ tls, endpoint }) => `${tls ? "https" : "http"}://${endpoint}`),
    then.gateways,
  );
  assert.doesNotMatch(String(CredentialProvider.fromString(list)), /s,cret/);
  if (tokens !== undefined)
    assert.deepEqual(
      gateways.map((gateway) => gateway.token() ?? ""),
      tokens,
    );
}
