/** A step of a release. */
export interface Step {
  /** What it does, as a sentence without a full stop. */
  readonly title: string;
  /** Throws if it fails. */
  readonly run: () => void;
  /** What to do when it fails, instead of undoing everything. */
  readonly repair?: string;
}

/** How to return to the last commit. Nothing else is lost, because the release starts from a clean tree. */
const UNDO = "git restore --staged --worktree . && git clean -fd";

/**
 * Runs steps in their order. With `dryRun`, only prints them.
 *
 * @throws Error when a step fails, with its number, the reason, and how to undo the steps before.
 */
export function runSteps(steps: readonly Step[], { dryRun }: { readonly dryRun: boolean }): void {
  for (const [index, { title, run, repair }] of steps.entries()) {
    console.log(`${index + 1}. ${title}`);
    if (dryRun) continue;
    try {
      run();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const help = repair ?? "Fix the cause, undo the steps, and start again.";
      throw new Error(
        `step ${index + 1} of ${steps.length} failed (${title}): ${reason} ${help} To undo all steps: ${UNDO}`,
      );
    }
  }
  console.log(
    dryRun ? "Nothing was changed (--dry-run)." : "Read the diff and commit it. docs/releasing.md says how to publish.",
  );
}
