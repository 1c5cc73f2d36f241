import { readFileSync } from "node:fs";
import {
  CacheClient,
  type CallOptions,
  type CallReport,
  type Configuration,
  Configurations,
  CredentialProvider,
  ErrorResponse,
  HashHit,
  Hit,
  version,
  withSettings,
} from "../../src/index.js";
import { type AgentClient, AgentFailure, type Request } from "../line-agent.js";
import type { LoadTarget } from "../load/load.js";
import { NearOperations } from "../near/near-operations.js";
import { callOf, resultNames } from "./_generated/calls.js";
import { collectionCallOf } from "./_generated/collection-calls.js";
import { collectionFields, listField as textsField } from "./collection-fields.js";
import { bytesField, bytesFields, listField, ttlField, withTtl } from "./fields.js";
import { GetOrSet } from "./get-or-set.js";
import { scanItems, scanKeys } from "./scans.js";
import { NamedSubscriptions } from "./topics.js";

const configurations: Readonly<Record<string, Configuration>> = {
  laptop: Configurations.Laptop.latest(),
  "laptop.v1": Configurations.Laptop.v1(),
  "inRegion.default": Configurations.InRegion.Default.latest(),
  "inRegion.default.v1": Configurations.InRegion.Default.v1(),
  "inRegion.lowLatency": Configurations.InRegion.LowLatency.latest(),
  "inRegion.lowLatency.v1": Configurations.InRegion.LowLatency.v1(),
  lambda: Configurations.Lambda.latest(),
  "lambda.v1": Configurations.Lambda.v1(),
};

/** Runs the agent's operations on the Larder client. */
export class LarderAgentClient implements AgentClient {
  readonly name = "node";
  #client: CacheClient | null = null;
  #cache = "cache";
  // The client reads this object at each call. `callEnded` is set only while a load records wire times.
  readonly #metrics: { callEnded?: (report: CallReport) => void } = {};
  readonly #subscriptions = new NamedSubscriptions();
  readonly #near = new NearOperations();
  readonly #getOrSet = new GetOrSet();
  readonly #cancellations = new Map<number, AbortController>();

  /**
   * Creates an agent client without an open connection.
   * @param credentials - Used instead of the endpoint and the token of the `open` request.
   */
  constructor(private readonly credentials: CredentialProvider | null = null) {}

  async open(request: Request): Promise<object> {
    const configuration = configurationOf(request);
    const endpoint = String(request.endpoint);
    const token = request.token === undefined ? undefined : String(request.token);
    this.#cache = typeof request.cache === "string" ? request.cache : "cache";
    this.#client = await CacheClient.create({
      credentials: this.credentials ?? credentialsOf(request, endpoint, token),
      configuration,
      defaultTtlMs: ttlDefault(request),
      metrics: this.#metrics,
    });
    return {
      version,
      transport: this.#client.statistics().pipelined ? "pipeline" : "unary",
      maxInFlight: this.#client.statistics().inFlightLimit,
      adaptiveTargetMs: configuration.adaptiveTargetMs === "off" ? null : configuration.adaptiveTargetMs,
      channels: configuration.channels,
    };
  }

  configuration(request: Request): object {
    try {
      const changes = (request.settings ?? {}) as Partial<Configuration>;
      return { result: "success", settings: withSettings(namedConfiguration(request), changes) };
    } catch (error) {
      if (error instanceof AgentFailure) throw error;
      throw new AgentFailure("InvalidArgument", (error as Error).message);
    }
  }

  async close(): Promise<void> {
    await this.#client?.close();
    this.#client = null;
    this.#subscriptions.clear();
  }

  statistics() {
    const client = this.#open();
    const { inFlight, inFlightLimit, queued, targetOutOfReach, connections } = client.statistics();
    return { inFlight, inFlightLimit, queued, targetOutOfReach, connections, near: client.nearCache };
  }

  target(): LoadTarget {
    const client = this.#open();
    const cache = client.cache(this.#cache);
    return {
      get: (key) => cache.get(key),
      set: (key, value, ttlMs) => cache.set(key, value, { ttlMs }),
      valueOf: (response) => (response instanceof Hit ? response.value : null),
      errorCode: (response) => (response instanceof ErrorResponse ? response.error.code : null),
      connections: () => client.statistics().connections,
      wire: (record) => {
        if (record === null) delete this.#metrics.callEnded;
        else
          this.#metrics.callEnded = ({ wireMs, attempts }) => {
            if (attempts > 0) record(wireMs * 1e6);
          };
      },
    };
  }

  async operate(request: Request): Promise<object> {
    if (request.op === "cancel") {
      this.#cancellations.get(Number(request.target))?.abort();
      return { result: "success" };
    }
    const controller = new AbortController();
    this.#cancellations.set(request.id, controller);
    try {
      const timeoutMs = request.timeoutMs as number | undefined;
      const response = await this.#operation(request, { signal: controller.signal, timeoutMs });
      const { result } = response as { readonly result?: string };
      const other = result === undefined ? undefined : resultNames[request.op]?.[result];
      return other === undefined ? answerOf(response) : { ...answerOf(response), result: other };
    } finally {
      this.#cancellations.delete(request.id);
    }
  }

  #open(): CacheClient {
    if (this.#client === null) throw new AgentFailure("AgentError", "no client is open; send open first");
    return this.#client;
  }

  async #operation(request: Request, options: CallOptions): Promise<object> {
    const client = this.#open();
    const cache = client.cache(typeof request.cache === "string" ? request.cache : this.#cache);
    const keys = () => listField(request, "keys").map((item) => bytesField(item, "key"));
    switch (request.op) {
      case "get":
        return cache.get(bytesField(request, "key"), options);
      case "set":
        return cache.set(bytesField(request, "key"), bytesField(request, "value"), withTtl(request, options));
      case "keyExists":
        return cache.keyExists(bytesField(request, "key"), options);
      case "keysExist":
        return cache.keysExist(keys(), options);
      case "getBatch":
        return cache.getBatch(keys(), options);
      case "setBatch": {
        const items = listField(request, "items").map(
          (item) => [bytesField(item, "key"), bytesField(item, "value"), ttlField(item) as number] as const,
        );
        const response = await cache.setBatch(items, withTtl(request, options));
        return response.result === "error" ? response : { ...response, responses: items.map(() => response) };
      }
      case "setWithLease": {
        const [key, value, tags] = [
          bytesField(request, "key"),
          bytesField(request, "value"),
          textsField(request, "tags"),
        ];
        return cache.setWithTags(key, value, tags, withTtl(request, options));
      }
      case "removeByTag":
        return cache.removeByTag(textsField(request, "tags"), options);
      case "scanKeys":
        return scanKeys(cache, request, options);
      case "scanItems":
        return scanItems(cache, request, options);
      case "publish":
        return cache.publish(request.topic as string, bytesField(request, "value"), options);
      case "subscribe":
        return this.#subscriptions.subscribe(cache, request);
      case "next":
        return this.#subscriptions.next(request);
      case "unsubscribe":
        return this.#subscriptions.unsubscribe(request);
      case "listCaches":
        return client.listCaches(options);
      default: {
        const own = this.#near.operate(client, cache, request) ?? this.#getOrSet.operate(cache, request);
        if (own !== null) return own;
        const call = callOf(client, cache, request, options) ?? collectionCallOf(cache, request, options);
        if (call === null) throw new AgentFailure("AgentError", `unknown operation "${request.op}"`);
        return call;
      }
    }
  }
}

function credentialsOf(request: Request, endpoint: string, token: string | undefined): CredentialProvider {
  if (endpoint.includes(","))
    return CredentialProvider.fromString(
      endpoint
        .split(",")
        .map((gateway) => `http://${gateway}`)
        .join(","),
    );
  if (request.tls !== true) return CredentialProvider.local(endpoint, token);
  const ca = typeof request.caFile === "string" ? { certificateAuthority: readFileSync(request.caFile, "utf8") } : {};
  return CredentialProvider.fromString(`https://${encodeURIComponent(token ?? "")}@${endpoint}`, ca);
}

function namedConfiguration(request: Request): Configuration {
  const named = configurations[String(request.configuration ?? "laptop")];
  if (named === undefined) throw new AgentFailure("AgentError", `unknown configuration "${request.configuration}"`);
  return named;
}

function configurationOf(request: Request): Configuration {
  const changes: Record<string, unknown> = { eagerConnect: request.eagerConnect !== false };
  for (const name of [
    "transport",
    "queueLimit",
    "channels",
    "maxRetries",
    "requestTimeoutMs",
    "adaptiveTargetMs",
    "headers",
  ])
    if (request[name] !== undefined) changes[name] = request[name];
  if (Number(request.nearCacheBytes ?? 0) > 0) changes.nearCache = { maxBytes: request.nearCacheBytes };
  const cap = request.maxInFlight;
  if (cap !== undefined) Object.assign(changes, { maxInFlightUnary: cap, maxInFlightPipeline: cap });
  const nearBytes = Number(request.nearCacheBytes ?? 0);
  if (nearBytes > 0) changes.nearCache = { maxBytes: nearBytes };
  return withSettings(namedConfiguration(request), changes);
}

function ttlDefault(request: Request): number {
  return request.defaultTtlMs === undefined ? 60_000 : Number(request.defaultTtlMs);
}

/** Returns a response in protocol form. */
function answerOf(response: object): object {
  if (response instanceof ErrorResponse) {
    const { code, message, cause } = response.error;
    return { result: "error", error: { code, message, cause: cause === undefined ? null : String(cause) } };
  }
  if (response instanceof Hit) {
    const hash = response instanceof HashHit ? { hashBase64: response.hash.toString("base64") } : {};
    return { result: "hit", ...bytesFields("value", response.valueBytes), ...hash };
  }
  const collection = collectionFields(response);
  if (collection !== null) return collection;
  const fields = Object.entries(response).flatMap(([name, value]): [string, unknown][] => {
    if (name === "hash") return [["hashBase64", (value as Buffer).toString("base64")]];
    if (name === "value" && typeof value === "bigint") return [["number", value.toString()]];
    if (typeof value === "bigint") return [[name, value.toString()]];
    if (Buffer.isBuffer(value)) return Object.entries(bytesFields(name, value));
    if (name === "caches") return [[name, (value as { name: string }[]).map((cache) => cache.name)]];
    if (name === "responses") return [[name, (value as object[]).map(answerOf)]];
    return [[name, value]];
  });
  return Object.fromEntries(fields);
}
