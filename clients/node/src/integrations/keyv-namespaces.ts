import { CacheError } from "../client/errors.js";

/**
 * Maximum number of namespaces of one store over its lifetime. A name and a generation per namespace stay in memory.
 */
export const maxNamespaces = 1_000;

/**
 * The namespaces that Keyv instances have set on one store. Keyv passes the namespace only by assigning the store's
 * `namespace`. If several instances share a store, the store therefore does not know which instance is calling. In Keyv
 * 5, a key begins with its namespace, so the key identifies the namespace. If several namespaces are set, calls without
 * such a key are rejected, because they could reach another instance's entries.
 */
export class KeyvNamespaces {
  readonly #names = new Set<string | undefined>();
  #current: string | undefined;

  /**
   * Creates an empty set of namespaces.
   * @param areKeysPrefixed - Whether Keyv prefixes keys with the namespace.
   */
  constructor(private readonly areKeysPrefixed: boolean) {}

  /** Returns the namespace that was set last. */
  get current(): string | undefined {
    return this.#current;
  }

  /**
   * Adds a namespace. Undefined means that the instance has no namespace.
   * @throws RangeError if there are too many namespaces.
   * @throws TypeError if the namespace is not a string.
   */
  use(namespace: string | undefined): void {
    if (namespace !== undefined && typeof namespace !== "string") throw new TypeError("a namespace must be a string");
    if (!this.#names.has(namespace) && this.#names.size >= maxNamespaces)
      throw new RangeError(
        `a KeyvLarder serves at most ${maxNamespaces} namespaces; create a KeyvLarder for each Keyv instance`,
      );
    this.#names.add(namespace);
    this.#current = namespace;
  }

  /**
   * Returns the namespace of a call without a key.
   * @throws CacheError if there are several namespaces.
   */
  only(call: string): string | undefined {
    if (this.#names.size > 1) throw ambiguous(call);
    return this.#current;
  }

  /**
   * Returns the namespace of a key.
   * @throws CacheError if there are several namespaces and the key does not identify one.
   */
  of(key: string): string | undefined {
    if (this.#names.size <= 1) return this.#current;
    if (!this.areKeysPrefixed) throw ambiguous("a call");
    // Search for the longest matching namespace, because a namespace may itself contain colons.
    for (let end = key.lastIndexOf(":"); end > 0; end = key.lastIndexOf(":", end - 1)) {
      const name = key.slice(0, end);
      if (this.#names.has(name)) return name;
    }
    if (this.#names.has(undefined)) return undefined;
    throw ambiguous("a call");
  }
}

function ambiguous(call: string): CacheError {
  return new CacheError(
    "FailedPrecondition",
    `Keyv instances with different namespaces share one KeyvLarder, and ${call} does not identify the namespace; ` +
      "create a KeyvLarder for each Keyv instance, all with the same client",
  );
}
