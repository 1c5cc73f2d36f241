import { setTimeout } from "node:timers/promises";
import type { Cache } from "../../src/index.js";
import type { Request } from "../line-agent.js";
import { bytesField, bytesFields, ttlField } from "./fields.js";

/** One key that many ask for at once, and the factory that makes its value; it counts the factories that were begun. */
export class GetOrSet {
  #begun = 0;

  /** The answer; null for another operation. */
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
