import type { Readable } from "node:stream";
import { type ControlCall, ControlError, controlCall } from "../mock/control/client.ts";
import type { Delivery, EmittedEvent } from "../mock/state/records.ts";
import { parseBaseUrl } from "../src/values/urls.ts";
import { DEFAULT_PORT, each, PASSWORD_VARIABLE, parseOptions, passwordFrom, UsageError } from "./shared/arguments.ts";
import { inexactIn, readText } from "./shared/files.ts";
import { type EnvironmentVariables, EXIT_CODE, escapeControls, type Part, type Terminal } from "./shared/terminal.ts";

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

The command waits for the first delivery to each endpoint, for at most four minutes.

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
  const body = { type, data: await readData(values.data, stdin), organization: values.organization };
  const url = readUrl(values.url);
  const call = controlCall({ url, password: passwordFrom(env), timeout: 240_000 });
  let events: Triggered[];
  try {
    const emitted = await call<readonly EmittedEvent[]>("POST /webhooks/emit", { body });
    if (emitted.length > 0) await call("POST /webhooks/idle");
    events = await Promise.all(emitted.map(({ id }) => readOutcome(call, id)));
  } catch (error) {
    throw explain(error as Error, url);
  }
  await (values.json ? terminal.printJson({ type, events }) : terminal.print(...format(type, events)));
  const isDelivered = events.length > 0 && events.every(({ status }) => status === "succeeded");
  return isDelivered ? EXIT_CODE.success : EXIT_CODE.rejected;
}

function readUrl(url = DEFAULT_URL): string {
  const address = parseBaseUrl(url);
  if (address !== undefined) return address;
  throw new UsageError(`--url must be the base URL of a mock, without a user name and a password: ${DEFAULT_URL}.`);
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

type Triggered = Awaited<ReturnType<typeof readOutcome>>;

class MockReset extends Error {}

/** Reads an event for one endpoint after the first attempt to deliver it; `pending` means that the mock will retry. */
async function readOutcome(call: ControlCall, id: string) {
  const event = await call<EmittedEvent | undefined>("GET /webhooks/events/{id}", { id });
  if (event === undefined) throw new MockReset();
  const { api_version, status, attempts } = event;
  const delivery = await call<Delivery | undefined>("GET /webhooks/deliveries/{id}", { id: `${id}:${attempts}` });
  const { url, response_status, error }: Partial<Delivery> = { ...delivery };
  return { id, url, api_version, status, attempts, response_status, error };
}

/** Returns an error that says what to do. */
function explain(error: Error, url: string): Error {
  const { code } = error as ControlError;
  if (code === "PasswordRequired") {
    return new Error(
      `the control API at ${url} requires a password; it was missing or wrong. Check ${PASSWORD_VARIABLE}.`,
    );
  }
  if (code === "InvalidInput") return new UsageError(error.message);
  if (error instanceof ControlError && code !== undefined) return error;
  if (error instanceof MockReset) return new Error(`the mock at ${url} was reset before the outcome could be read.`);
  const cause = error.cause as NodeJS.ErrnoException | undefined;
  const problem = error.name === "TimeoutError" ? "did not respond" : "does not serve the control API of a mock";
  if (cause === undefined) return new Error(`${url} ${problem}. Check --url.`);
  const advice = "Start it with npx @billing-service/sdk mock, or set --url.";
  return new Error(`cannot reach a mock at ${url} (${cause.code ?? cause.message}). ${advice}`);
}

function format(type: string, events: readonly Triggered[]): Part[] {
  if (events.length === 0)
    return [`No endpoint of the mock is subscribed to ${type}. Create one, for example in a seed file.\n`];
  return events.flatMap(({ id, url, api_version, status, response_status, error }) => {
    const reason = escapeControls(error ?? (response_status ? `status ${response_status}` : "no response"));
    const failure = status === "pending" ? "failed, will be retried" : status;
    return [
      escapeControls(`${type} to ${url}: `),
      status === "succeeded" ? ["green", `delivered (${response_status})`] : ["red", `${failure} (${reason})`],
      ["dim", escapeControls(`  ${id}, version ${api_version}`)],
      "\n",
    ];
  });
}
