import { readFile } from "./read-file.ts";
import { UsageError } from "./usage-error.ts";

/** The default port of `billing-mock`. */
export const DEFAULT_PORT = 4010;

/** The environment variable for the password of the control API. */
export const PASSWORD_VARIABLE = "BILLING_MOCK_PASSWORD";

/**
 * Reads the password of the control API from the file that an option names, otherwise from the environment; undefined
 * without either.
 *
 * @throws UsageError when the file cannot be read, or the password is empty.
 */
export function readPassword(
  flag: string,
  file: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const password = file === undefined ? env[PASSWORD_VARIABLE] : readFile(flag, file).trim();
  if (password !== "") return password;
  throw new UsageError(`The password of the control API is empty; check ${file ?? PASSWORD_VARIABLE}.`);
}
