import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import fc from "fast-check";
import { Configurations } from "../../src/configuration/configurations.js";
import {
  type ItemVerdict,
  type SubscribeStart,
  type SubscriptionSettings,
  SubscriptionState,
} from "../../src/topics/subscription-state.js";
import { TopicDiscontinuity } from "../../src/topics/topic-events.js";

interface Step {
  readonly atMs?: number;
  readonly connect?: true;
  readonly opened?: string | null;
  readonly item?: { readonly number: string; readonly page: string };
  readonly discontinuity?: { readonly last: string; readonly new: string; readonly page: string };
  readonly heartbeat?: true;
  readonly failed?: number;
  readonly random?: number;
  readonly tick?: true;
  readonly resumed?: true;
  readonly closed?: true;
  readonly then?: object;
}
interface Case {
  readonly rule: string;
  readonly case: string;
  readonly options?: { readonly resumeAt?: string; readonly page?: string; readonly from?: "now"; heartbeats?: true };
  readonly settings?: Partial<SubscriptionSettings>;
  readonly steps: readonly Step[];
}

const path = new URL("../../../../../protocol/vectors/clients/topics.json", import.meta.url);
const cases = JSON.parse(readFileSync(path, "utf8")) as readonly Case[];

function stateOf({ options = {}, settings = {} }: Pick<Case, "options" | "settings">): SubscriptionState {
  const { resumeAt = "0", page = "0", from = "newest" } = options;
  return new SubscriptionState(
    { resumeAt: BigInt(resumeAt), page: BigInt(page), from },
    { ...Configurations.Laptop.latest(), ...settings },
  );
}

function gapOf(gap: ItemVerdict | null): object[] {
  if (!(gap instanceof TopicDiscontinuity)) return [];
  return [{ discontinuity: { last: `${gap.last}`, next: `${gap.next}`, page: `${gap.page}` } }];
}

/** Runs a step. Returns its effect in the format of the vectors. */
function done(state: SubscriptionState, step: Step, nowMs: number, heartbeats: boolean): object {
  const { item, discontinuity, failed, random = 1 } = step;
  if (step.connect) {
    const asked = state.connect(nowMs);
    return { ask: asked && { resumeAt: `${asked.resumeAt}`, page: `${asked.page}`, now: asked.now } };
  }
  if (step.opened !== undefined) state.opened(step.opened);
  if (step.resumed) state.resumed(nowMs);
  if (step.closed) state.closed();
  if (step.tick) return { lost: state.lost(nowMs) };
  if (step.heartbeat) return { events: state.heartbeat(nowMs) && heartbeats ? ["heartbeat"] : [] };
  if (discontinuity) {
    const [last, newest, page] = [discontinuity.last, discontinuity.new, discontinuity.page].map(BigInt);
    return { events: gapOf(state.discontinuity(last!, newest!, page!, nowMs)) };
  }
  if (item) {
    const verdict = state.item(BigInt(item.number), BigInt(item.page), nowMs);
    return { events: verdict === "dropped" ? [] : [...gapOf(verdict), { item: item.number }] };
  }
  if (failed === undefined) return {};
  const verdict = state.failed(failed, nowMs, () => random);
  return { waitMs: null, error: null, ...renamed(verdict) };
}

function renamed(verdict: ReturnType<SubscriptionState["failed"]>): object {
  if (verdict === null) return {};
  return "waitMs" in verdict ? verdict : { error: verdict.endsWith };
}

describe("SubscriptionState", () => {
  for (const given of cases) {
    test(`${given.rule}: ${given.case}`, () => {
      const state = stateOf(given);
      const { options = {} } = given;
      let nowMs = 0;
      for (const [index, step] of given.steps.entries()) {
        nowMs = step.atMs ?? nowMs;
        const told = done(state, step, nowMs, options.heartbeats === true);
        const { position } = state;
        const now = {
          phase: state.phase,
          position: position && `${position.page}-${position.number}`,
          error: null,
          ...told,
        } as Record<string, unknown>;
        for (const [name, expected] of Object.entries(step.then ?? {}))
          assert.deepEqual(now[name], expected, `step ${index + 1}: ${name}`);
      }
    });
  }

  test("random events stay in order, without duplicates or silent gaps", () => {
    const small = fc.bigInt(0n, 6n);
    const pages = fc.bigInt(1n, 3n);
    const said = fc.oneof(
      fc.record({ item: fc.record({ number: small, page: pages }) }),
      fc.record({ gap: fc.record({ last: small, newest: small, page: pages }) }),
      fc.record({ opened: fc.oneof(fc.constant(null), fc.tuple(pages, small)) }),
      fc.record({ failed: fc.constantFrom(0, 1, 2, 4, 6, 10, 11, 13, 14, 15) }),
      fc.constant({ heartbeat: true as const }),
    );
    const start = fc.record({ resumeAt: small, page: small, from: fc.constantFrom("newest" as const, "now" as const) });
    fc.assert(
      fc.property(start, fc.array(said, { maxLength: 60 }), (begins, sayings) => {
        const state = new SubscriptionState(begins, { ...Configurations.Laptop.latest(), requestTimeoutMs: 3_600_000 });
        // The position that the caller expects next, or undefined if any position is valid.
        let next: { number: bigint; page: bigint } | undefined;
        assert.notEqual(state.connect(0), null);
        for (const saying of sayings) {
          if ("item" in saying) {
            const { number, page } = saying.item;
            const verdict = state.item(number, page, 0);
            if (verdict === "dropped") continue;
            if (verdict === "given" && next !== undefined) assert.deepEqual({ number, page }, next);
            if (verdict instanceof TopicDiscontinuity) assert.deepEqual([verdict.next, verdict.page], [number, page]);
            next = { number: number + 1n, page };
          } else if ("gap" in saying) {
            const { last, newest, page } = saying.gap;
            const told = state.discontinuity(last, newest, page, 0);
            if (told !== null) next = { number: told.next, page: told.page };
            else if (next !== undefined) assert.deepEqual(next, { number: newest + 1n, page });
          } else if ("opened" in saying) state.opened(saying.opened?.join("-") ?? null);
          else if ("failed" in saying) {
            state.failed(saying.failed, 0, () => 1);
            const asked = state.connect(0);
            if (asked !== null && next !== undefined) assert.deepEqual(asked, asAsked(next));
          } else state.heartbeat(0);
          if (next !== undefined) assert.deepEqual(state.position, next);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

function asAsked({ number, page }: { number: bigint; page: bigint }): SubscribeStart {
  return { resumeAt: number, page, now: false };
}
