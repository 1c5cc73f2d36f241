// What may be thrown has no bound; a warning has.
const toldCharacters = 200;

/** Anything that can be thrown as text; reading it may throw again. */
export function thrownText(error: unknown): string {
  try {
    return (error instanceof Error ? String(error.message) : String(error)).slice(0, toldCharacters);
  } catch {
    return "with a value that cannot be printed";
  }
}
