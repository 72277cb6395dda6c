import { Checks } from "../errors/checks.ts";
import { AccessTokenError } from "../errors/index.ts";
import { describeType } from "../values/describe.ts";
import type { AccessToken } from "./options.ts";
import { sanitizeError } from "./redact.ts";

/** Visible ASCII characters, except quotation marks and backslashes: these would have several forms in JSON. */
const TOKEN = /^[!#-[\]-~]+$/;

/** Checks an access token, or a function that returns one. The error never contains the token. */
export function checkAccessToken(check: Checks, value: unknown): AccessToken {
  if (typeof value === "function") return value as AccessToken;
  const describe = () => (value === undefined ? "undefined (is its environment variable set?)" : describeType(value));
  check.must(typeof value === "string", "accessToken", "be a string or a function that returns one", value, describe);
  return checkToken(check, value as string);
}

function checkToken(check: Checks, token: string): string {
  if (TOKEN.test(token)) return token;
  const allowed = 'visible ASCII characters, without spaces, line breaks, quotation marks, backslashes or "Bearer"';
  throw check.fail("accessToken", `must be ${allowed}; trim the value`);
}

/** Calls the token function. The previous tokens are redacted in its errors. */
export async function askForToken(
  {
    request: { operation },
    tokens,
  }: { readonly request: { readonly operation: string }; readonly tokens: readonly string[] },
  ask: Exclude<AccessToken, string>,
  renew: boolean,
): Promise<string> {
  let token: string;
  try {
    token = await ask({ renew });
  } catch (error) {
    const cause = sanitizeError(error, tokens);
    throw new AccessTokenError(`${operation}: the accessToken function failed; see \`cause\``, { operation, cause });
  }
  const check = new Checks({ operation });
  check.must(typeof token === "string", "accessToken", "return a string", token);
  return checkToken(check, token);
}
