import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { VERSION as CURRENT } from "#current/names";
import { VERSION as DEPRECATED } from "#deprecated/names";
import { VERSION as NEXT } from "#next/names";
import { suggestName } from "../../src/values/describe.ts";
import type { EnvironmentVariables } from "./terminal.ts";

/** The versions that the package holds: Deprecated, Current and Next. */
export const versionNames = [DEPRECATED, CURRENT, NEXT] as const;

/** The name of an API version that the package holds. */
export type PackagedVersion = (typeof versionNames)[number];

export { CURRENT };

/** Thrown when the arguments of a command are invalid. The command then exits with 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The default port of `billing mock`. */
export const DEFAULT_PORT = 4010;

/** The environment variable for the password of a mock's control API. */
export const PASSWORD_VARIABLE = "BILLING_MOCK_PASSWORD";

/** Returns the password of the control API, if it has one. Throws a UsageError if it is empty. */
export function passwordFrom(env: EnvironmentVariables): string | undefined {
  const password = env[PASSWORD_VARIABLE];
  if (password !== "") return password;
  throw new UsageError(`${PASSWORD_VARIABLE} is empty; set the password of the control API, or unset it.`);
}

type Parsed<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options; allowPositionals: true }>
>;

/** The values of options. */
export type Values<Options extends ParseArgsOptionsConfig> = Parsed<Options>["values"];

/** Returns an entry with the same option for each name: `each({ type: "string" }, "url", "data")`. */
export function each<const Option, const Name extends string>(option: Option, ...names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, option])) as { readonly [Key in Name]: Option };
}

/**
 * Parses the arguments of a command; `maximum` is the number of those that are not options. No message shows an argument that
 * is not an option: it may be a token.
 *
 * @throws UsageError when an option is unknown or has no value; it suggests the option that was probably meant.
 */
export function parseOptions<const Options extends ParseArgsOptionsConfig>(
  options: Options,
  args: readonly string[],
  maximum = 0,
): Parsed<Options> {
  const parsed = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  for (const token of parsed.tokens) {
    if (token.kind !== "option") continue;
    const { name, rawName, value, inlineValue } = token;
    const type = Object.hasOwn(options, name) ? options[name]?.type : undefined;
    const flags = Object.keys(options).map((each) => `--${each}`);
    if (type === undefined) throw new UsageError(`unknown option ${suggestName(rawName, flags)}`);
    const isMissing = value === undefined || (!inlineValue && /^-./.test(value));
    if (type === "string" && isMissing)
      throw new UsageError(`${rawName} has no value. If it begins with "-", write ${rawName}=<value>.`);
    if (type === "boolean" && value !== undefined) throw new UsageError(`${rawName} does not take a value.`);
  }
  const { length } = parsed.positionals;
  if (length <= maximum) return parsed as unknown as Parsed<Options>;
  const expected = maximum === 1 ? "1 argument" : "no argument";
  throw new UsageError(`expected ${expected} without an option; received ${length}. Quote values with spaces.`);
}

/**
 * Reads the value of an option that takes an integer; undefined without a value.
 *
 * @throws UsageError unless it is an integer from `min` to `max`.
 */
export function readInteger(flag: string, text: string | undefined, min: number, max: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^-?\d+$/.test(text) && value >= min && value <= max) return value;
  throw new UsageError(`${flag} must be an integer from ${min} to ${max}, not "${text}".`);
}

/** What a token, or a webhook secret, looks like. */
const SECRET = /^bearer\s|^eyJ[\w-]+\.|^whsec_|(?:^|_)(?:oat|pat|oidc)_\w{16,}$/i;

/**
 * Rejects arguments that look like a token: other users of the machine see the arguments of a process, and shells save them.
 *
 * @param advice Where a secret belongs instead.
 * @throws UsageError without the argument.
 */
export function rejectTokens(args: readonly string[], advice: string): void {
  const index = args.findIndex((arg) => SECRET.test(arg.replace(/^--?[\w-]+=/, "")));
  if (index < 0) return;
  throw new UsageError(`argument ${index + 1} looks like a token or a secret. ${advice}`);
}

/**
 * Reads the value of an option that takes a version; undefined without a value.
 *
 * @throws UsageError unless the package holds the version; it suggests the one that was probably meant.
 */
export function readVersion(flag: string, given: string | undefined): PackagedVersion | undefined {
  const version = versionNames.find((name) => name === given);
  if (version !== undefined || given === undefined) return version;
  throw new UsageError(`${flag}: unknown API version ${suggestName(given, versionNames)}`);
}
