import { CacheError } from "../client/errors.js";

/** Most namespaces of one store, over its life: each keeps a name and a generation in memory. */
export const maxNamespaces = 1_000;

/**
 * The namespaces that Keyv instances have set on one store. Keyv names the namespace only by assigning the store's
 * `namespace`, so a store that several instances share cannot tell which of them calls. Keys of Keyv 5 begin with their
 * namespace, which tells it; other calls are refused then, because they would reach another instance's entries.
 */
export class KeyvNamespaces {
  readonly #names = new Set<string | undefined>();
  #current: string | undefined;

  /** `areKeysPrefixed`: whether Keyv puts the namespace in front of keys. */
  constructor(private readonly areKeysPrefixed: boolean) {}

  /** The namespace that was set last. */
  get current(): string | undefined {
    return this.#current;
  }

  /** Adds a namespace; undefined: none. Throws a RangeError past the most, a TypeError for one that is not a string. */
  use(namespace: string | undefined): void {
    if (namespace !== undefined && typeof namespace !== "string") throw new TypeError("a namespace must be a string");
    if (!this.#names.has(namespace) && this.#names.size >= maxNamespaces)
      throw new RangeError(
        `a KeyvLarder serves at most ${maxNamespaces} namespaces; create one for each Keyv instance`,
      );
    this.#names.add(namespace);
    this.#current = namespace;
  }

  /** The namespace of a call without a key. Throws a CacheError if there are several. */
  only(call: string): string | undefined {
    if (this.#names.size > 1) throw ambiguous(call);
    return this.#current;
  }

  /** The namespace of a key. Throws a CacheError if there are several and the key does not tell which. */
  of(key: string): string | undefined {
    if (this.#names.size <= 1) return this.#current;
    if (!this.areKeysPrefixed) throw ambiguous("a call");
    // The longest that the key begins with: a namespace may contain colons too.
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
    `Keyv instances with different namespaces share one KeyvLarder, and ${call} does not tell which of them is meant; ` +
      "create a KeyvLarder for each, over the same client",
  );
}
