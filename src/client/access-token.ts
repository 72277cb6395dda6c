import { AccessTokenError, InvalidInputError } from "../errors/index.ts";
import type { AccessToken } from "./options.ts";
import { sanitizeError } from "./redact.ts";

const PLACE = "accessToken";
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** Refuses what cannot be an access token, or a function that gives one. No message holds the token's text. */
export function checkAccessToken(value: unknown, operation?: string): AccessToken {
  if (typeof value === "function") return value as AccessToken;
  if (typeof value === "string") return checkToken(value, operation);
  throw new InvalidInputError(PLACE, `is ${kindOf(value)}; give a string, or a function that gives one`, { operation });
}

/**
 * Asks a function for the token of one attempt.
 *
 * @param renew Whether the service rejected the token of the attempt before.
 * @param last That token, kept out of the error when the function fails.
 */
export async function askForToken(
  ask: Exclude<AccessToken, string>,
  operation: string,
  renew: boolean,
  last: string,
): Promise<string> {
  const token: unknown = await answerOf(() => ask({ renew }), operation, last);
  if (typeof token === "string") return checkToken(token, operation);
  throw new InvalidInputError(PLACE, `is a function whose result is ${typeOf(token)}; let it give a string`, {
    operation,
  });
}

async function answerOf(ask: () => unknown, operation: string, last: string): Promise<unknown> {
  try {
    return await ask();
  } catch (error) {
    const cause = sanitizeError(error, last);
    throw new AccessTokenError(`${operation}: the accessToken function failed; see the cause`, { operation, cause });
  }
}

function checkToken(token: string, operation: string | undefined): string {
  if (VISIBLE_ASCII.test(token)) return token;
  throw new InvalidInputError(PLACE, problemOf(token), { operation });
}

function problemOf(token: string): string {
  if (token === "") return "is empty";
  if (/[\r\n]/.test(token)) return "holds a line break; trim what you read it from";
  if (/^bearer /i.test(token)) return 'starts with "Bearer"; give the token alone';
  if (token.includes(" ")) return "holds a space";
  return "holds a character that is not visible ASCII";
}

function kindOf(value: unknown): string {
  return value === undefined ? "undefined (is its environment variable set?)" : typeOf(value);
}

function typeOf(value: unknown): string {
  return value === null || value === undefined ? String(value) : `of type ${typeof value}`;
}
