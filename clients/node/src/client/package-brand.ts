/**
 * Marks the classes whose objects callers create and pass to the client. A process may load this package twice, for
 * example because of a bundler or a hot reload. In that case `instanceof` does not recognize an object that the other
 * copy created. A symbol from the global registry is the same in both copies.
 */
export const brand = Symbol.for("larder-cache");

/**
 * Returns whether `value` is an object of the class with the brand `name`. The class may belong to any copy of this
 * package.
 */
export function hasBrand(value: unknown, name: string): boolean {
  return typeof value === "object" && value !== null && (value as { readonly [brand]?: unknown })[brand] === name;
}
