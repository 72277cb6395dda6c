import { readFileSync } from "node:fs";
import { DEFAULT_PORT, PASSWORD_VARIABLE, readPassword } from "../../terminal/mock-server.ts";
import { print } from "../../terminal/output.ts";
import { type ParsedOptions, parseOptions } from "../../terminal/parse-options.ts";
import { explainFileError } from "../../terminal/read-file.ts";
import { UsageError } from "../../terminal/usage-error.ts";
import { controlApiOf } from "../control-api.ts";
import { EXIT_CODE } from "../exit-code.ts";
import type { EnvironmentVariables, NamedCommand } from "../named-command.ts";
import { emitAndWait, type TriggeredEvent } from "../trigger/emit-and-wait.ts";
import { formatTriggered } from "../trigger/format-triggered.ts";

const DEFAULT_URL = `http://127.0.0.1:${DEFAULT_PORT}`;

const help = `billing trigger: make a running mock emit a webhook event

Usage:
  $ billing trigger <type> [options]
  $ billing trigger order.paid --data '{ "id": "ord_1" }'

Event:
      --data <json>            Data of the event; @file reads it from a file, @- from stdin (default: {})
      --organization <id>      Organization of the endpoints (default: the mock's default organization)

Mock:
      --url <url>              Base URL of the mock (default: ${DEFAULT_URL})
      --control-password-file <file>
                               Password of its control API; alternatively, set ${PASSWORD_VARIABLE}

Output:
      --json                   Print the result as one line of JSON

  -h, --help                   Print this help

The command waits for the first delivery to each endpoint.

Exit codes: 0 every endpoint accepted the event, 1 failed, for example because no mock is running,
            2 invalid arguments, 3 no endpoint is subscribed to the event, or a delivery failed
`;

const OPTIONS = {
  data: { type: "string" },
  organization: { type: "string" },
  url: { type: "string" },
  "control-password-file": { type: "string" },
  json: { type: "boolean" },
} as const;

type Values = ParsedOptions<typeof OPTIONS>["values"];

/** The command `billing trigger`. */
export const trigger: NamedCommand = {
  name: "trigger",
  summary: "Make a running mock emit a webhook event",
  help,
  run: async (args, env) => {
    const { values, positionals } = parseOptions(args, {
      command: "billing trigger",
      options: OPTIONS,
      allowPositionals: true,
    });
    const type = readType(positionals);
    const api = controlApiOf({ url: readUrl(values), password: passwordOf(values, env) });
    const events = await emitAndWait(api, { type, data: readData(values.data), organization: values.organization });
    await print(...(values.json ? [`${JSON.stringify({ type, events })}\n`] : formatTriggered(type, events)));
    return events.length > 0 && events.every(isDelivered) ? EXIT_CODE.success : EXIT_CODE.rejected;
  },
};

function isDelivered({ status }: TriggeredEvent): boolean {
  return status === "succeeded";
}

function readType([type, ...others]: readonly string[]): string {
  if (type === undefined) throw new UsageError("no event type given; pass one, such as order.paid.");
  if (others.length === 0) return type;
  throw new UsageError(`expected one event type; received ${others.length + 1} arguments. Quote the value of --data.`);
}

function readUrl({ url = DEFAULT_URL }: Values): string {
  const parsed = URL.parse(url);
  if (parsed && /^https?:$/.test(parsed.protocol)) return url.replace(/\/+$/, "");
  throw new UsageError(`--url must be the base URL of a mock, such as ${DEFAULT_URL}, not "${url}".`);
}

function passwordOf(values: Values, env: EnvironmentVariables): string | undefined {
  return readPassword("--control-password-file", values["control-password-file"], env);
}

function readData(given = "{}"): unknown {
  const text = given.startsWith("@") ? readSource(given.slice(1)) : given;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`--data is not JSON: ${(error as Error).message}.`);
  }
}

function readSource(path: string): string {
  try {
    return readFileSync(path === "-" ? 0 : path, "utf8");
  } catch (error) {
    throw new UsageError(`--data @${path}: ${explainFileError(error)}.`);
  }
}
