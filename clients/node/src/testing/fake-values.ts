import { Buffer } from "node:buffer";
import type { ItemType } from "../client/responses.js";

/** Bytes as a latin1 string, which can be the key of a map. The order of such strings is the order of the bytes. */
export type Name = string;

export function nameOf(bytes: Buffer): Name {
  return bytes.toString("latin1");
}

export function bytesOf(name: Name): Buffer {
  return Buffer.from(name, "latin1");
}

export interface Scalar {
  readonly type: "scalar";
  readonly value: Buffer;
}
export interface Dictionary {
  readonly type: "dictionary";
  readonly fields: Map<Name, Buffer>;
}
export interface ElementSet {
  readonly type: "set";
  readonly elements: Set<Name>;
}
export interface List {
  readonly type: "list";
  elements: Buffer[];
  /**
   * The position of the first element, for scans. If elements are added at the front, it decreases. If elements are
   * removed at the front, it increases.
   */
  base: number;
  /** Number of elements that were removed from the middle of the list. */
  removed: number;
}
export interface SortedSet {
  readonly type: "sortedSet";
  readonly scores: Map<Name, number>;
}

/** The contents of an item. */
export type FakeValue = Scalar | Dictionary | ElementSet | List | SortedSet;

/** The item types, in the order of their numbers in the protocol. */
export const itemTypes: readonly ItemType[] = ["scalar", "dictionary", "set", "list", "sortedSet"];

/** Returns the size in bytes of a scalar's value, or of all contents of a collection. */
export function sizeOf(held: FakeValue): number {
  switch (held.type) {
    case "scalar":
      return held.value.length;
    case "dictionary":
      return sum([...held.fields].map(([name, value]) => name.length + value.length));
    case "set":
      return sum([...held.elements].map((name) => name.length));
    case "list":
      return sum(held.elements.map((element) => element.length));
    case "sortedSet":
      return sum([...held.scores.keys()].map((name) => name.length + 8));
  }
}

/** Returns whether a collection is empty and must be removed. */
export function isEmpty(held: FakeValue): boolean {
  switch (held.type) {
    case "scalar":
      return false;
    case "dictionary":
      return held.fields.size === 0;
    case "set":
      return held.elements.size === 0;
    case "list":
      return held.elements.length === 0;
    case "sortedSet":
      return held.scores.size === 0;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
