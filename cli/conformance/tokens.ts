import type { ConformanceToken } from "../../conformance/index.ts";
import { type EnvironmentVariables, readFile, UsageError } from "../shared/arguments.ts";

/** The environment variables with a token of each kind. */
export const TOKEN_VARIABLES = {
  oidc: "BILLING_OIDC_TOKEN",
  pat: "BILLING_PAT_TOKEN",
  oat: "BILLING_OAT_TOKEN",
} as const;

type Kind = keyof typeof TOKEN_VARIABLES;

const KINDS = Object.keys(TOKEN_VARIABLES) as Kind[];
const FIELDS = ["kind", "token", "scopes", "organizationId"];

/** Where tokens belong. */
export const TOKEN_ADVICE = `Save tokens in a file for --tokens, or in ${Object.values(TOKEN_VARIABLES).join(", ")}.`;

/**
 * Reads the tokens from a JSON file, otherwise from the environment. No message shows what the file contains.
 *
 * @throws UsageError when the file cannot be read or is invalid, or when it contains no tokens.
 */
export function readTokens(path: string | undefined, env: EnvironmentVariables): readonly ConformanceToken[] {
  const tokens = path === undefined ? fromEnvironment(env) : fromFile(readFile("--tokens", path));
  if (tokens.length > 0) return tokens;
  throw new UsageError(
    path === undefined ? `no tokens given. ${TOKEN_ADVICE}` : "--tokens: the file contains no tokens.",
  );
}

function fromEnvironment(env: EnvironmentVariables): ConformanceToken[] {
  return KINDS.flatMap((kind) => {
    const token = env[TOKEN_VARIABLES[kind]];
    return token === undefined || token === "" ? [] : [readToken({ kind, token }, TOKEN_VARIABLES[kind])];
  });
}

/** Reads an array of tokens. */
function fromFile(text: string): ConformanceToken[] {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw new UsageError("--tokens: the file is not valid JSON.");
  }
  if (!Array.isArray(value)) throw new UsageError('--tokens: expected [{ "kind": "oat", "token": "…" }].');
  return value.map((each, index) => readToken(each, `--tokens: [${index}]`));
}

function readToken(given: unknown, place: string): ConformanceToken {
  const fields = Object(given) as Readonly<Record<string, unknown>>;
  const { kind, token, scopes, organizationId } = fields;
  const isString = (each: unknown) => typeof each === "string";
  const problem = [
    Object.keys(fields).every((name) => FIELDS.includes(name)) || `has an unknown field; expected ${FIELDS.join(", ")}`,
    KINDS.includes(kind as Kind) || `must have a kind: ${KINDS.join(", ")}`,
    (isString(token) && /^[\x21-\x7e]+$/.test(token as string)) || "must be a token of visible ASCII characters",
    scopes === undefined || (Array.isArray(scopes) && scopes.every(isString)) || "scopes must be an array of strings",
    organizationId === undefined || isString(organizationId) || "organizationId must be a string",
  ].find((each) => each !== true);
  if (problem === undefined) return fields as unknown as ConformanceToken;
  throw new UsageError(`${place} ${problem}.`);
}
