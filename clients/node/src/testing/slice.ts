/**
 * Returns the inclusive start and the exclusive end of a slice, both within the list. A negative index counts from the
 * end. If `start` is undefined, the slice starts at the first element. If `end` is undefined, it includes the last one.
 */
export function sliceOf(
  length: number,
  start: number | undefined,
  end: number | undefined,
): { readonly start: number; readonly end: number } {
  return { start: within(length, start ?? 0), end: within(length, end ?? length) };
}

function within(length: number, index: number): number {
  return Math.min(length, Math.max(0, index < 0 ? length + index : index));
}
