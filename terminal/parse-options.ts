import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { closestName } from "../src/errors/closest-name.ts";
import { UsageError } from "./usage-error.ts";

/** The parsed arguments: the values of the options, and the other arguments. */
export type ParsedOptions<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options; allowPositionals: true }>
>;

/** The command, for messages, and what it accepts. */
export interface OptionsToParse<Options extends ParseArgsOptionsConfig> {
  /** The name of the command, as in `billing ingest`. */
  readonly command: string;
  readonly options: Options;
  /** Whether there may be arguments that are not options. Not allowed by default. */
  readonly allowPositionals?: boolean;
}

/**
 * Parses the arguments of a command.
 *
 * @throws UsageError when an option is unknown or has no value; it suggests the option that was probably meant.
 */
export function parseOptions<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  { command, options, allowPositionals = false }: OptionsToParse<Options>,
): ParsedOptions<Options> {
  try {
    return parseArgs({ args: joinNegativeNumbers(args), options, allowPositionals }) as ParsedOptions<Options>;
  } catch (error) {
    // The other sentences of Node.js are advice that does not apply here.
    const [reason = ""] = (error as Error).message.split(/\.? To specify|\n|\. This command/);
    const [, unknown] = /^Unknown option '--(.+)'$/.exec(reason) ?? [];
    const meant = unknown === undefined ? undefined : closestName(unknown, Object.keys(options));
    const hint = meant === undefined ? `; see ${command} --help.` : `. Did you mean '--${meant}'?`;
    throw new UsageError(reason.replace(/\.$/, "") + hint);
  }
}

/** Joins an option and the negative number after it, which `parseArgs` would take for another option. */
function joinNegativeNumbers(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const [option] = (/^-\d/.test(arg) && /^(--[\w-]+|-[a-z])$/.exec(joined.at(-1) ?? "")) || [];
    if (option === undefined) joined.push(arg);
    else joined.splice(-1, 1, option + (option.startsWith("--") ? "=" : "") + arg);
  }
  return joined;
}
