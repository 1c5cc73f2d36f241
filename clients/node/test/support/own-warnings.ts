import type { TestContext } from "node:test";

/** Process warnings of ours from here to the test's end. */
export function warningsIn(context: TestContext): string[] {
  const warnings: string[] = [];
  const listener = ({ name, message }: Error) => {
    if (name === "LarderWarning") warnings.push(message);
  };
  process.on("warning", listener);
  context.after(() => process.off("warning", listener));
  return warnings;
}
