/** The environment variables of the process. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** A command of `billing`. */
export interface NamedCommand {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** The output of `--help`. */
  readonly help: string;
  /**
   * Runs the command, and returns its exit code.
   *
   * @throws UsageError when an argument is invalid.
   */
  run(args: readonly string[], env: EnvironmentVariables): Promise<number>;
}
