import type { Readable } from "node:stream";
import { UsageError } from "./arguments.ts";
import { readText } from "./files.ts";
import type { EnvironmentVariables } from "./terminal.ts";

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
export async function readPassword(
  file: string | undefined,
  env: EnvironmentVariables,
  stdin: Readable,
): Promise<string | undefined> {
  const password =
    file === undefined
      ? env[PASSWORD_VARIABLE]
      : (await readText(`--control-password-file ${file}`, file, stdin)).trim();
  if (password !== "") return password;
  throw new UsageError(`the password of the control API is empty; check ${file ?? PASSWORD_VARIABLE}.`);
}
