import { Checks } from "../errors/checks.ts";
import { AccessTokenError } from "../errors/index.ts";
import { describeType } from "../values/describe.ts";
import type { AccessToken } from "./options.ts";
import { sanitizeError } from "./redact.ts";

const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** Checks an access token, or a function that returns one. The error never contains the token. */
export function checkAccessToken(check: Checks, value: unknown): AccessToken {
  if (typeof value === "function") return value as AccessToken;
  const describe = () => (value === undefined ? "undefined (is its environment variable set?)" : describeType(value));
  check.must(typeof value === "string", "accessToken", "be a string or a function that returns one", value, describe);
  return checkToken(check, value as string);
}

function checkToken(check: Checks, token: string): string {
  if (VISIBLE_ASCII.test(token)) return token;
  throw check.fail(
    "accessToken",
    'must be visible ASCII characters, without spaces, line breaks or "Bearer"; trim the value',
  );
}

type TokenFunction = Exclude<AccessToken, string>;

/** The call that needs a token: its operation, and the tokens that it has sent. */
interface TokenCall {
  readonly request: { readonly operation: string };
  readonly tokens: readonly string[];
}

/** How long a renewal is shared while it is pending, in milliseconds: one that hangs must not fail every call. */
const SHARED_FOR = 5_000;

interface Renewal {
  /** The token that was rejected. */
  readonly rejected: string | undefined;
  readonly token: Promise<string>;
  readonly started: number;
  /** When the token arrived; undefined before. */
  ended?: number;
  hasFailed?: boolean;
}

/** The last renewal of each token function. */
const renewals = new WeakMap<TokenFunction, Renewal>();

/**
 * Calls the token function. The previous tokens are redacted in its errors.
 *
 * @param started When the call began, to renew a token that was rejected: once for all concurrent calls.
 */
export async function askForToken(
  { request: { operation }, tokens }: TokenCall,
  ask: TokenFunction,
  started: number | undefined,
): Promise<string> {
  let token: string;
  try {
    token = await (started === undefined ? ask({ renew: false }) : renew(ask, tokens[0], started));
  } catch (error) {
    const cause = sanitizeError(error, tokens);
    throw new AccessTokenError(`${operation}: the accessToken function failed; see \`cause\``, { operation, cause });
  }
  const check = new Checks({ operation });
  check.must(typeof token === "string", "accessToken", "return a string", token);
  return checkToken(check, token);
}

function renew(ask: TokenFunction, rejected: string | undefined, started: number): Promise<string> {
  const last = renewals.get(ask);
  if (last?.rejected === rejected && isShared(last as Renewal, started)) return (last as Renewal).token;
  const renewal: Renewal = { rejected, token: (async () => ask({ renew: true }))(), started: performance.now() };
  renewals.set(ask, renewal);
  renewal.token.then(
    () => {
      renewal.ended = performance.now();
    },
    () => {
      renewal.hasFailed = true;
    },
  );
  return renewal.token;
}

/** Whether a call uses a renewal: a pending one that does not hang, or one that ended after the call had begun. */
function isShared({ started, ended, hasFailed }: Renewal, callStarted: number): boolean {
  if (hasFailed) return false;
  return ended === undefined ? performance.now() < started + SHARED_FOR : callStarted <= ended;
}
