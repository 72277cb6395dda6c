import { describeType } from "../errors/describe-value.ts";
import { AccessTokenError, InvalidInputError } from "../errors/index.ts";
import type { AccessToken } from "./options.ts";
import { sanitizeError } from "./redact.ts";

const PATH = "accessToken";
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/**
 * Checks an access token, or a function that returns one.
 *
 * @throws {@link InvalidInputError} when it is invalid. The message never contains the token.
 */
export function checkAccessToken(value: unknown, operation?: string): AccessToken {
  if (typeof value === "function") return value as AccessToken;
  if (typeof value === "string") return checkToken(value, operation);
  const hint = value === undefined ? " (is its environment variable set?)" : "";
  const problem = `must be a string or a function that returns one; received ${describeType(value)}${hint}`;
  throw new InvalidInputError(PATH, problem, { operation });
}

/**
 * Calls a token function for one attempt.
 *
 * @param renew Whether the service rejected the token of the previous attempt.
 * @param last That token, redacted in the error when the function fails.
 */
export async function askForToken(
  ask: Exclude<AccessToken, string>,
  operation: string,
  renew: boolean,
  last: string,
): Promise<string> {
  const token: unknown = await answerOf(() => ask({ renew }), operation, last);
  if (typeof token === "string") return checkToken(token, operation);
  throw new InvalidInputError(PATH, `must return a string; received ${describeType(token)}`, { operation });
}

async function answerOf(ask: () => unknown, operation: string, last: string): Promise<unknown> {
  try {
    return await ask();
  } catch (error) {
    const cause = sanitizeError(error, last);
    throw new AccessTokenError(`${operation}: the accessToken function failed; see \`cause\``, { operation, cause });
  }
}

function checkToken(token: string, operation: string | undefined): string {
  if (VISIBLE_ASCII.test(token)) return token;
  throw new InvalidInputError(PATH, problemOf(token), { operation });
}

function problemOf(token: string): string {
  if (token === "") return "must not be empty";
  if (/[\r\n]/.test(token)) return "must not contain a line break; trim the value";
  if (/^bearer /i.test(token)) return 'must not start with "Bearer"; pass only the token';
  if (token.includes(" ")) return "must not contain a space";
  return "must contain only visible ASCII characters";
}
