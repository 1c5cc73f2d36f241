// Runs the cases of protocol/vectors against the fake server. The conformance runner runs the same cases against real
// servers.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { LarderAgentClient } from "../../agent/larder/larder-client.js";
import { AgentFailure } from "../../agent/line-agent.js";
import { kinds } from "../../src/operations/_generated/operation-kinds.js";
import { FakeServer, type FakeServerOptions } from "../../src/testing/fake.js";
import type { FakeCode, FakeOperation } from "../../src/testing/fake-faults.js";
import {
  difference,
  expandSizes,
  isObject,
  type Json,
  type JsonObject,
  Substitution,
  type Vector,
  vectors,
} from "../support/vectors.js";

/**
 * The cases that do not apply to the fake server: the rule, the pattern of the case names, the number of cases, and the
 * reason.
 */
const notApplicable: readonly (readonly [rule: RegExp, name: RegExp, cases: number, why: string])[] = [
  [/^AUTH-/, /./, 52, "a fake does not check tokens"],
  [/^TOP-9$/, /a message contains the id of its publisher/, 1, "without tokens, messages have no publisher"],
  [
    /^TOP-8$/,
    /fails after the injected number|the first heartbeat counts/,
    2,
    "a test ends subscriptions itself, with `endSubscriptions`",
  ],
  [/^ERR-2$/, /out of range|data loss|aborted|unimplemented/, 4, "a fake injects error codes, not gRPC statuses"],
];

const all = vectors();

function whyNot({ rule, case: name }: Vector): string | null {
  return notApplicable.find(([rules, names]) => rules.test(rule) && names.test(name))?.[3] ?? null;
}

describe("fake server and the protocol vectors", () => {
  for (const vector of all.filter((each) => whyNot(each) === null))
    test(`${vector.file}: ${vector.rule} ${vector.case}`, async () => {
      assert.equal(await broken(vector), null);
    });

  test("excluded cases match the list in the guide", () => {
    const guide = readFileSync(
      join(import.meta.dirname, "..", "..", "..", "..", "..", "docs", "guides", "node", "testing.md"),
      "utf8",
    );
    for (const [rules, names, cases, why] of notApplicable) {
      const found = all.filter(({ rule, case: name }) => rules.test(rule) && names.test(name));
      assert.equal(found.length, cases, `${rules} ${names}`);
      assert.ok(guide.includes(why), `the guide does not say: ${why}`);
    }
  });
});

/** Returns the failure of a case as a sentence, or null if it passes. */
async function broken(vector: Vector): Promise<string | null> {
  const fake = new FakeServer(serverOptions(vector.server ?? []));
  const substitution = new Substitution();
  const { headers, ...open } = substitution.fill(vector.open ?? {});
  if (isObject(headers)) injectAsHeadersSay(fake, headers);
  const agent = new LarderAgentClient(fake.credentials);
  await agent.open({ id: 0, op: "open", ...open });
  try {
    for (const step of vector.given) {
      const failed = await stepOf(fake, agent, substitution, step, step.then);
      if (failed !== null) return `given ${step.op}: ${failed}`;
    }
    return await stepOf(fake, agent, substitution, vector.when, vector.then);
  } finally {
    await agent.close();
  }
}

async function stepOf(
  fake: FakeServer,
  agent: LarderAgentClient,
  substitution: Substitution,
  { then: _, save, ...step }: JsonObject,
  expected: Json | undefined,
): Promise<string | null> {
  const request = substitution.fill(step);
  if (request.op === "wait") {
    await fake.advance(request.ms as number);
    return null;
  }
  const answer = await moved(fake, request.op === "together" ? together(agent, request) : ask(agent, request));
  if (isObject(save)) substitution.keep(save, answer);
  if (expected !== undefined) return difference(substitution.fill(expected), answer);
  return answer.result === "error" ? `answered ${JSON.stringify(answer.error)}` : null;
}

// Advances the fake server's time until the response arrives.
async function moved<T>(fake: FakeServer, answer: Promise<T>): Promise<T> {
  let over = false;
  const done = answer.finally(() => {
    over = true;
  });
  for (await fake.advance(0); !over; await fake.advance(20));
  return done;
}

async function ask(agent: LarderAgentClient, request: JsonObject): Promise<JsonObject> {
  const line = { id: 1, ...expandSizes(request) } as unknown as { id: number; op: string };
  try {
    return JSON.parse(JSON.stringify(await answered(agent, line))) as JsonObject;
  } catch (error) {
    const code = error instanceof AgentFailure ? error.code : "AgentError";
    return { result: "error", error: { code, message: String(error) } };
  }
}

function answered(agent: LarderAgentClient, line: { id: number; op: string }): object {
  if (line.op === "configuration") return agent.configuration(line);
  return line.op === "stats" ? { result: "success", ...agent.statistics() } : agent.operate(line);
}

async function together(agent: LarderAgentClient, { times, call }: JsonObject): Promise<JsonObject> {
  const calls = Array.from({ length: times as number }, () => ask(agent, call as JsonObject));
  const results: Record<string, Json> = {};
  for (const answer of await Promise.all(calls)) {
    const name = String((answer.error as JsonObject | undefined)?.code ?? answer.result);
    results[name] = Number(results[name] ?? 0) + 1;
  }
  return { results };
}

const units: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000 };
const options: Readonly<Record<string, (text: string) => FakeServerOptions>> = {
  "--max-ttl": (text) => ({ maxTtlMs: Number(text.slice(0, -1)) * units[text.at(-1)!]! }),
  "--max-topics": (text) => ({ maxTopics: Number(text) }),
  "--max-topic-subscribers": (text) => ({ maxTopicSubscribers: Number(text) }),
};

function serverOptions(server: readonly string[]): FakeServerOptions {
  return server.length === 0 ? {} : options[server[0]!]!(server[1]!);
}

// Configures the faults of the fake server according to the fault-injection metadata of a case.
function injectAsHeadersSay(fake: FakeServer, headers: JsonObject): void {
  const {
    "return-error": error,
    "error-count": count = Infinity,
    "delay-ms": delayMs,
  } = headers as Record<string, string>;
  const rpcs = String(headers["error-rpcs"] ?? headers["delay-rpcs"]);
  const code = error === undefined ? undefined : codeOf(error);
  for (const operation of operationsOf(rpcs)) {
    const times = Number(count);
    if (delayMs !== undefined)
      fake.delay(operation, Number(delayMs), { times, ...(code === undefined ? {} : { code }) });
    else fake.fail(operation, code!, { times });
  }
}

function codeOf(name: string): FakeCode {
  if (name === "resource-exhausted") return "LimitExceeded";
  return name.replace(/(?:^|-)[a-z]/g, (letters) => letters.at(-1)!.toUpperCase()) as FakeCode;
}

function operationsOf(rpc: string): readonly FakeOperation[] {
  if (rpc === "topic-publish") return ["publish"];
  if (rpc === "topic-subscribe") return ["subscribe"];
  const path = rpc.replace(/(?:^|-)[a-z]/g, (letters) => letters.at(-1)!.toUpperCase());
  const found = Object.values(kinds).filter((kind) => kind.path.endsWith(`/${path}`) && kind.name !== "keyExists");
  assert.ok(found.length > 0, rpc);
  return found.map((kind) => kind.name as FakeOperation);
}
