import { setTimeout } from "node:timers/promises";
import type { Cache } from "../../src/index.js";
import type { Request } from "../line-agent.js";
import { bytesField, bytesFields, ttlField } from "./fields.js";

/** Runs concurrent `getOrSet` calls for one key, and counts the calls of the factory. */
export class GetOrSet {
  #begun = 0;

  /** Runs an operation of this class and returns its response. Returns null for any other operation. */
  operate(cache: Cache, request: Request): Promise<object> | object | null {
    if (request.op === "made") return { result: "success", made: this.#begun };
    return request.op === "getOrSet" ? this.#ask(cache, request) : null;
  }

  async #ask(cache: Cache, request: Request): Promise<object> {
    const [key, value] = [bytesField(request, "key"), bytesField(request, "value")];
    const make = async () => {
      this.#begun++;
      await setTimeout(Number(request.makesMs ?? 0));
      return value;
    };
    const leaseMs = request.leaseMs === undefined ? undefined : Number(request.leaseMs);
    const ask = () => cache.getOrSet(key, make, { ttlMs: ttlField(request), leaseMs });
    const answers = await Promise.all(Array.from({ length: Number(request.callers ?? 1) }, ask));
    const each = new Map(answers.map((answer) => [answer.toString("base64"), answer]));
    return { result: "success", values: [...each.values()].map((answer) => bytesFields("value", answer)) };
  }
}
