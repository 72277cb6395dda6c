import { isInvalidInputError, isVersionMismatchError, isWebhookVerificationError } from "../src/errors/index.ts";
import { verifyForVersion, WEBHOOK_HEADERS, type WebhookDelivery } from "../src/webhooks/index.ts";
import { CURRENT, each, parseOptions, rejectTokens, UsageError, versionNames } from "./shared/arguments.ts";
import { readText } from "./shared/files.ts";
import { type EnvironmentVariables, EXIT_CODE, escapeControls, messageOf, type Terminal } from "./shared/terminal.ts";

const VARIABLE = "WEBHOOK_SECRET";

/** The output of `billing verify --help`. */
export const help = `billing verify: find out why a webhook delivery is rejected

Usage:
  $ ${VARIABLE}=… billing verify delivery.json
  $ … | ${VARIABLE}=… billing verify

Input, from a file or stdin: a JSON object with "headers" (an object) and "body" (a string, exactly as
received), such as a delivery of the mock. The environment variable holds the endpoint's secret. The age of
the delivery does not matter.

Options:
      --json    Print the result as one line of JSON
  -h, --help    Print this help

Exit codes: 0 valid, 1 failed, 2 invalid arguments or unreadable input, 3 the delivery is rejected
`;

type Verdict = Awaited<ReturnType<typeof verify>>;

/** Runs `billing verify`. */
export async function run(args: readonly string[], env: EnvironmentVariables, terminal: Terminal): Promise<number> {
  rejectTokens(args, `Save it in the environment variable ${VARIABLE}.`);
  const { values, positionals } = parseOptions(each({ type: "boolean" }, "json"), args, 1);
  const [path = "-"] = positionals;
  const delivery = readDelivery(await readText(path === "-" ? "stdin" : path, path, terminal.streams.stdin));
  const verdict = await verify(delivery, env[VARIABLE]);
  await (values.json ? terminal.printJson(verdict) : terminal.print(format(verdict)));
  return verdict.valid ? EXIT_CODE.success : EXIT_CODE.rejected;
}

function readDelivery(text: string): WebhookDelivery {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`the delivery is not JSON in UTF-8 or UTF-16: ${(error as Error).message}. ${ADVICE}`);
  }
  const { headers, body } = Object(value) as WebhookDelivery;
  if (typeof headers === "object" && headers !== null && body !== undefined) return { headers, body };
  throw new UsageError(`the delivery must have "headers" (an object) and "body" (a string). ${ADVICE}`);
}

const ADVICE = "In your server, write it with JSON.stringify({ headers, body }).";

/** Verifies a delivery as a receiver would at the time of signing: a copied one is usually old. */
async function verify({ headers, body }: WebhookDelivery, secret: string | undefined) {
  const [, seconds] = Object.entries(headers).find(([name]) => name.toLowerCase() === WEBHOOK_HEADERS.timestamp) ?? [];
  const signedAt = 1000 * Number(seconds);
  try {
    const { id, type, api_version } = await verifyForVersion(
      { name: CURRENT, types: [] },
      { headers, body },
      { secret, versions: versionNames, now: () => signedAt },
    );
    const signed_at = new Date(signedAt).toISOString();
    return { valid: true, id, type: String(type), api_version, signed_at } as const;
  } catch (error) {
    if (isInvalidInputError(error)) throw new UsageError(`${VARIABLE} ${error.problem}`);
    const isMismatch = isVersionMismatchError(error);
    if (!isMismatch && !isWebhookVerificationError(error)) throw error;
    return { valid: false, reason: isMismatch ? "version-mismatch" : error.reason, message: messageOf(error) } as const;
  }
}

function format(verdict: Verdict): string {
  if (!verdict.valid) return `Rejected: ${verdict.reason}\n${verdict.message}\n`;
  const { type, api_version, id, signed_at } = verdict;
  const facts = escapeControls(`version ${api_version}, id ${id}, signed at ${signed_at}`);
  return `Valid: ${escapeControls(type)}\n${facts}\nA receiver accepts it for five minutes.\n`;
}
