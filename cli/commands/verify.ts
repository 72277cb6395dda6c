import { escapeControls, type Part, print } from "../../terminal/output.ts";
import { type ParsedOptions, parseOptions } from "../../terminal/parse-options.ts";
import { readInteger } from "../../terminal/read-integer.ts";
import { readTime } from "../../terminal/read-time.ts";
import { UsageError } from "../../terminal/usage-error.ts";
import { EXIT_CODE } from "../exit-code.ts";
import type { EnvironmentVariables, NamedCommand } from "../named-command.ts";
import { readInput } from "../read-input.ts";
import { readDelivery } from "../verify/read-delivery.ts";
import { type Verification, type VerifyWith, verifyPasted } from "../verify/verify-pasted.ts";
import { readVersion } from "../versions.ts";

const DEFAULT_VARIABLE = "WEBHOOK_SECRET";
const DEFAULT_TOLERANCE = 300;
/** About 31 years, in seconds. */
const MAX_TOLERANCE = 1_000_000_000;
const MAX_INPUT = 16 * 1024 * 1024;

const help = `billing verify: find out why a webhook delivery is rejected

Usage:
  $ WEBHOOK_SECRET=… billing verify delivery.txt
  $ … | WEBHOOK_SECRET=… billing verify

Input, from a file or stdin: an HTTP request as received (headers, an empty line, the body), or JSON with
"headers" and "body", such as an entry of the mock's deliveries.

Options:
      --secret-variable <name>  Environment variable that holds the endpoint's secret; can be repeated
                                (default: ${DEFAULT_VARIABLE})
      --version <YYYY-MM>       API version that the receiver expects (default: any version of this package)
      --received <time>         Time at which the delivery arrived, such as 2025-01-31T12:00:00Z
                                (default: the time in the JSON of the mock, otherwise now)
      --tolerance <seconds>     Maximum difference between signing and arrival (default: ${DEFAULT_TOLERANCE})
      --json                    Print the result as one line of JSON
  -h, --help                    Print this help

Exit codes: 0 valid, 1 failed, 2 invalid arguments or unreadable input, 3 the delivery is rejected
`;

const OPTIONS = {
  "secret-variable": { type: "string", multiple: true },
  version: { type: "string" },
  received: { type: "string" },
  tolerance: { type: "string" },
  json: { type: "boolean" },
} as const;

type Values = ParsedOptions<typeof OPTIONS>["values"];

/** The command `billing verify`. */
export const verify: NamedCommand = {
  name: "verify",
  summary: "Find out why a webhook delivery is rejected",
  help,
  run: async (args, env) => {
    const { values, positionals } = parseOptions(args, {
      command: "billing verify",
      options: OPTIONS,
      allowPositionals: true,
    });
    if (positionals.length > 1) throw new UsageError(`expected one file; received ${positionals.length}.`);
    const { receivedAt, ...settings } = readSettings(values, env);
    const delivery = readDelivery(await readInput(positionals[0] ?? "-", MAX_INPUT));
    const arrival = receivedAt ?? delivery.receivedAt ?? Date.now();
    const verdict = await verifyPasted(delivery, { ...settings, receivedAt: arrival });
    await print(...(values.json ? [`${JSON.stringify(verdict)}\n`] : formatVerdict(verdict)));
    return verdict.valid ? EXIT_CODE.success : EXIT_CODE.rejected;
  },
};

interface Settings extends Omit<VerifyWith, "receivedAt"> {
  readonly receivedAt: number | undefined;
}

function readSettings(values: Values, env: EnvironmentVariables): Settings {
  return {
    version: readVersion(values.version),
    tolerance: readInteger("--tolerance", values.tolerance, 0, MAX_TOLERANCE) ?? DEFAULT_TOLERANCE,
    receivedAt: readTime("--received", values.received),
    secrets: (values["secret-variable"] ?? [DEFAULT_VARIABLE]).map((name) => readSecret(name, env)),
  };
}

function readSecret(name: string, env: EnvironmentVariables): string {
  const secret = env[name];
  if (!secret)
    throw new UsageError(`${name} is not set. Set it to the secret of the endpoint, or see --secret-variable.`);
  if (secret.trim() === secret) return secret;
  throw new UsageError(
    `${name} starts or ends with whitespace. Remove the whitespace here and in the receiver's configuration.`,
  );
}

function formatVerdict(verdict: Verification): Part[] {
  if (!verdict.valid) return [["red", `Rejected: ${verdict.reason}`], `\n${verdict.message}\n`];
  const { type, api_version, id, signed_at } = verdict;
  const facts = escapeControls(`version ${api_version}, id ${id}, signed at ${signed_at}`);
  return [["green", `Valid: ${escapeControls(type)}`], `\n${facts}\n`];
}
