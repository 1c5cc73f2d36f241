/**
 * Marks the classes whose objects callers create and pass to the client: with two copies of this package in a process
 * (bundlers, hot reload), `instanceof` does not recognize an object of the other copy. A symbol of the process's registry
 * does.
 */
export const brand = Symbol.for("larder-cache");

/** Whether `value` is an object of the class that has the brand `name`, of any copy of this package. */
export function hasBrand(value: unknown, name: string): boolean {
  return typeof value === "object" && value !== null && (value as { readonly [brand]?: unknown })[brand] === name;
}
