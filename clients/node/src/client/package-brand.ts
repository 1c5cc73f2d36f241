/**
 * Marks the classes whose objects callers create and pass to the client. If a process loads this package twice
 * (bundlers, hot reload), `instanceof` does not recognize an object of the other copy. A symbol of the global registry
 * does.
 */
export const brand = Symbol.for("larder-cache");

/** Returns whether `value` is an object of the class with the brand `name`, from any copy of this package. */
export function hasBrand(value: unknown, name: string): boolean {
  return typeof value === "object" && value !== null && (value as { readonly [brand]?: unknown })[brand] === name;
}
