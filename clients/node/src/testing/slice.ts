/** Where a slice begins and ends, of so many: from an inclusive start to an exclusive end; negative ones count from the end. */
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
