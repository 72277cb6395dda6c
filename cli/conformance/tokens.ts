import type { Readable } from "node:stream";
import type { ConformanceToken } from "../../conformance/index.ts";
import { KINDS, TOKEN_FIELDS } from "../../conformance/options.ts";
import { UsageError } from "../shared/arguments.ts";
import { readText } from "../shared/files.ts";
import type { EnvironmentVariables } from "../shared/terminal.ts";

/** The environment variables with a token of each kind. */
export const TOKEN_VARIABLES = {
  oidc: "BILLING_OIDC_TOKEN",
  pat: "BILLING_PAT_TOKEN",
  oat: "BILLING_OAT_TOKEN",
} as const;

/** Where tokens belong. */
export const TOKEN_ADVICE = `Save tokens in a file for --tokens, or in ${Object.values(TOKEN_VARIABLES).join(", ")}.`;

/**
 * Reads the tokens from a JSON file, otherwise from the environment. No message shows what the file contains. The run checks
 * the values of fields.
 *
 * @throws UsageError when the file cannot be read or is invalid, or when it contains no tokens.
 */
export async function readTokens(
  path: string | undefined,
  env: EnvironmentVariables,
  stdin: Readable,
): Promise<readonly ConformanceToken[]> {
  const tokens = path === undefined ? fromEnvironment(env) : fromFile(await readText("--tokens", path, stdin));
  if (tokens.length > 0) return tokens;
  throw new UsageError(
    path === undefined ? `no tokens given. ${TOKEN_ADVICE}` : "--tokens: the file contains no tokens.",
  );
}

function fromEnvironment(env: EnvironmentVariables): ConformanceToken[] {
  return KINDS.flatMap((kind) => {
    const [name, token = ""] = [TOKEN_VARIABLES[kind], env[TOKEN_VARIABLES[kind]]];
    if (/^[\x21-\x7e]*$/.test(token)) return token === "" ? [] : { kind, token };
    throw new UsageError(`${name} must be a token of visible ASCII characters.`);
  });
}

/** Reads an array of tokens. */
function fromFile(text: string): ConformanceToken[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError("--tokens: the file is not valid JSON.");
  }
  if (!Array.isArray(value)) throw new UsageError('--tokens: expected [{ "kind": "oat", "token": "…" }].');
  const known: readonly string[] = TOKEN_FIELDS;
  const unknown = value.findIndex((each) => Object.keys(Object(each)).some((name) => !known.includes(name)));
  if (unknown === -1) return value;
  throw new UsageError(`--tokens: [${unknown}] has an unknown field; expected ${known.join(", ")}.`);
}
