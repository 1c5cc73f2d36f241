/**
 * Returns the inclusive start and the exclusive end of a slice, both within the list. A negative index counts from the
 * end.
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
