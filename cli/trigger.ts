import type { Readable } from "node:stream";
import { connectMock } from "../mock/connect.ts";
import type { MockNames } from "../mock/generated/names.ts";
import type { Delivery } from "../mock/state/records.ts";
import { DEFAULT_PORT, each, PASSWORD_VARIABLE, parseOptions, passwordFrom, UsageError } from "./shared/arguments.ts";
import { inexactIn, readText } from "./shared/files.ts";
import { type EnvironmentVariables, EXIT_CODE, escapeControls, type Terminal } from "./shared/terminal.ts";

const DEFAULT_URL = `http://127.0.0.1:${DEFAULT_PORT}`;

/** The output of `billing trigger --help`. */
export const help = `billing trigger: make a running mock emit a webhook event

Usage:
  $ billing trigger <type> [options]
  $ billing trigger order.paid --data '{ "id": "ord_1" }'

Event:
      --data <json>            Data of the event; @file reads it from a file, @- from stdin (default: {})
      --organization <id>      Organization of the endpoints (default: the mock's default organization)

Mock:
      --url <url>              Base URL of the mock (default: ${DEFAULT_URL}); if its control API has a
                               password, set ${PASSWORD_VARIABLE}

Output:
      --json                   Print the result as one line of JSON

  -h, --help                   Print this help

The command waits for the first delivery to each endpoint.

Exit codes: 0 every endpoint accepted the event, 1 failed, for example because no mock is running,
            2 invalid arguments, 3 no endpoint is subscribed to the event, or a delivery failed
`;

const OPTIONS = {
  ...each({ type: "string" }, "data", "organization", "url"),
  ...each({ type: "boolean" }, "json"),
};

/** Runs `billing trigger`. */
export async function run(args: readonly string[], env: EnvironmentVariables, terminal: Terminal): Promise<number> {
  const { stdin } = terminal.streams;
  const { values, positionals } = parseOptions(OPTIONS, args, 1);
  const [type] = positionals;
  if (type === undefined) throw new UsageError("no event type given; pass one, such as order.paid.");
  const data = await readData(values.data, stdin);
  const events = await trigger(type, data, values, env).catch((error: Error) => {
    throw error instanceof TypeError ? new UsageError(error.message) : error;
  });
  await (values.json ? terminal.printJson({ type, events }) : terminal.print(format(type, events)));
  const isDelivered = events.length > 0 && events.every(({ status }) => status === "succeeded");
  return isDelivered ? EXIT_CODE.success : EXIT_CODE.rejected;
}

async function readData(given = "{}", stdin: Readable): Promise<unknown> {
  const text = given.startsWith("@") ? await readText(`--data ${given}`, given.slice(1), stdin) : given;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`--data is not JSON: ${(error as Error).message}.`);
  }
  const integer = inexactIn(text);
  if (integer === undefined) return value;
  throw new UsageError(`--data: the number ${integer} would be rounded; write it as a string.`);
}

type Triggered = Awaited<ReturnType<typeof trigger>>[number];

/** Emits an event, and returns it for each endpoint after the first attempt; `pending` means that the mock will retry. */
async function trigger(
  type: string,
  data: unknown,
  { url = DEFAULT_URL, organization }: { readonly url?: string; readonly organization?: string },
  env: EnvironmentVariables,
) {
  const { webhooks } = connectMock<MockNames>(url, { password: passwordFrom(env) });
  const emitted = await webhooks.emit(type, data, { organization });
  if (emitted.length > 0) await webhooks.idle();
  return Promise.all(
    emitted.map(async ({ id }) => {
      const event = await webhooks.events.get(id);
      if (!event) throw new Error("the mock was reset before the outcome could be read.");
      const { api_version, status, attempts } = event;
      const delivery = await webhooks.deliveries.get(`${id}:${attempts}`);
      const { url, response_status, error }: Partial<Delivery> = { ...delivery };
      return { id, url, api_version, status, attempts, response_status, error };
    }),
  );
}

function format(type: string, events: readonly Triggered[]): string {
  if (events.length === 0)
    return `No endpoint of the mock is subscribed to ${type}. Create one, for example in a seed file.\n`;
  const lines = events.map(({ id, url, api_version, status, response_status, error }) => {
    const reason = error ?? (response_status ? `status ${response_status}` : "no response");
    const failure = status === "pending" ? "failed, will be retried" : status;
    const outcome = status === "succeeded" ? `delivered (${response_status})` : `${failure} (${reason})`;
    return `${escapeControls(`${type} to ${url}: ${outcome}  ${id}, version ${api_version}`)}\n`;
  });
  return lines.join("");
}
