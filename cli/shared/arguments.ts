import { createReadStream, readFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { closestName, suggestName } from "../../src/values/closest-name.ts";

/** The versions that the package holds: Deprecated, Current and Next. */
export const versionNames = ["2024-10", "2025-01", "2025-04"] as const;

/** The environment variables of the process. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** Thrown when the arguments of a command are invalid. The command then exits with 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
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
 * Parses the arguments of a command; `maximum` is the number of those that are not options.
 *
 * @throws UsageError when an option is unknown or has no value; it suggests the option that was probably meant.
 */
export function parseOptions<const Options extends ParseArgsOptionsConfig>(
  command: string,
  options: Options,
  args: readonly string[],
  maximum = 0,
): Parsed<Options> {
  let parsed: Parsed<Options>;
  try {
    const allowPositionals = maximum > 0;
    parsed = parseArgs({ args: [...args], options, allowPositionals }) as Parsed<Options>;
  } catch (error) {
    const { message } = error as Error;
    const [, option] = /use '(--.+)=-XYZ'/.exec(message) ?? [];
    if (option) throw new UsageError(`${option} has no value. If it begins with "-", write ${option}=<value>.`);
    // The other sentences of Node.js are advice that does not apply here.
    const [reason = ""] = message.split(/\.? To specify|\n|\. This command/);
    const [, unknown] = /^Unknown option '--(.+)'$/.exec(reason) ?? [];
    const meant = unknown === undefined ? undefined : closestName(unknown, Object.keys(options));
    const hint = meant === undefined ? `; see ${command} --help.` : `. Did you mean '--${meant}'?`;
    throw new UsageError(reason.replace(/\.$/, "") + hint);
  }
  if (parsed.positionals.length <= maximum) return parsed;
  throw new UsageError(
    `expected ${maximum} argument; received ${parsed.positionals.length}. Quote values with spaces.`,
  );
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

const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

/**
 * Reads the value of an option that takes a date, or a date and time with a time zone: without one, it would depend on the
 * machine. Returns milliseconds since 1970; undefined without a value.
 *
 * @throws UsageError unless it is one.
 */
export function readTime(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  // `Date` reads February 30 as March 2.
  const isDate = TIME.test(text) && new Date(text.slice(0, 10)).toJSON()?.startsWith(text.slice(0, 10));
  const time = isDate ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  const expected = "a date, or a date and time with a time zone, such as 2025-03-01T00:00:00Z";
  throw new UsageError(`${flag} must be ${expected}, not "${text}".`);
}

/** The name of an API version that the package holds. */
export type PackagedVersion = (typeof versionNames)[number];

/** The Current version. */
export const CURRENT = versionNames[1];

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

/** Explains why a file cannot be read or written, in a few words. */
export function explainFileError(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined ? message : (REASONS[code] ?? `cannot be read or written (${code})`);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "not found",
  EISDIR: "this is a folder",
  ENOTDIR: "this is not a folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  ELOOP: "this is a symbolic link",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
};

/**
 * Reads the file that an option names; `-` is stdin.
 *
 * @param argument The option and the path, as they were typed.
 * @throws UsageError when the file cannot be read.
 */
export function readFile(argument: string, path: string): string {
  try {
    return readFileSync(path === "-" ? 0 : path, "utf8");
  } catch (error) {
    throw new UsageError(`${argument}: ${explainFileError(error)}.`);
  }
}

/** Reads the bytes of a file, or of stdin for `-`. */
export async function readBytes(path: string): Promise<Buffer> {
  try {
    return await buffer(path === "-" ? process.stdin : createReadStream(path));
  } catch (error) {
    throw new UsageError(`${path}: ${explainFileError(error)}.`);
  }
}

/** The default port of `billing mock`. */
export const DEFAULT_PORT = 4010;

/** The environment variable for the password of the control API. */
export const PASSWORD_VARIABLE = "BILLING_MOCK_PASSWORD";

/**
 * Reads the password of the control API from the file that `--control-password-file` names, otherwise from the
 * environment; undefined without either.
 *
 * @throws UsageError when the file cannot be read, or the password is empty.
 */
export function readPassword(file: string | undefined, env: EnvironmentVariables): string | undefined {
  const password =
    file === undefined ? env[PASSWORD_VARIABLE] : readFile(`--control-password-file ${file}`, file).trim();
  if (password !== "") return password;
  throw new UsageError(`The password of the control API is empty; check ${file ?? PASSWORD_VARIABLE}.`);
}
