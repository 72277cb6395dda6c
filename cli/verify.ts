import { isInvalidInputError, isVersionMismatchError, isWebhookVerificationError } from "../src/errors/index.ts";
import { verifyForVersion, WEBHOOK_HEADERS, type WebhookDelivery } from "../src/webhooks/index.ts";
import {
  CURRENT,
  each,
  parseOptions,
  readTime,
  readVersion,
  rejectTokens,
  UsageError,
  versionNames,
} from "./shared/arguments.ts";
import { readBytesOf } from "./shared/files.ts";
import {
  type EnvironmentVariables,
  EXIT_CODE,
  escapeControls,
  messageOf,
  type Part,
  type Terminal,
} from "./shared/terminal.ts";

const DEFAULT_VARIABLE = "WEBHOOK_SECRET";

/** The output of `billing verify --help`. */
export const help = `billing verify: find out why a webhook delivery is rejected

Usage:
  $ WEBHOOK_SECRET=… billing verify delivery.txt
  $ … | WEBHOOK_SECRET=… billing verify

Input, from a file or stdin: an HTTP request as received (headers, an empty line, the body), or JSON with
"headers" and "body", such as an entry of the mock's deliveries.

Options:
      --secret-variable <name>  Environment variable that holds the endpoint's secret; repeatable
                                (default: ${DEFAULT_VARIABLE})
      --version <YYYY-MM>       API version that the receiver expects (default: any version of this package)
      --received <time>         Time at which the delivery arrived, such as 2025-01-31T12:00:00Z
                                (default: the time in the JSON of the mock, otherwise now)
      --json                    Print the result as one line of JSON
  -h, --help                    Print this help

Exit codes: 0 valid, 1 failed, 2 invalid arguments or unreadable input, 3 the delivery is rejected
`;

const OPTIONS = {
  ...each({ type: "string", multiple: true }, "secret-variable"),
  ...each({ type: "string" }, "version", "received"),
  ...each({ type: "boolean" }, "json"),
};

interface Options {
  readonly secrets: readonly string[];
  /** Undefined allows every version of the package. */
  readonly version: string | undefined;
  /** The time of arrival, in milliseconds since 1970. */
  readonly receivedAt: number;
}

/** A delivery that somebody pasted. */
interface Pasted {
  /** The headers, with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** A string or bytes, if the body is raw. */
  readonly body: unknown;
  /** The time of its arrival, if the input contains it. */
  readonly receivedAt?: number | undefined;
}

type Verdict = Awaited<ReturnType<typeof verifyBody>>;

/** Runs `billing verify`. */
export async function run(args: readonly string[], env: EnvironmentVariables, terminal: Terminal): Promise<number> {
  rejectTokens(args, "Save it in an environment variable, and pass the variable's name.");
  const { values, positionals } = parseOptions(OPTIONS, args, 1);
  const { "secret-variable": variables = [DEFAULT_VARIABLE] } = values;
  const version = readVersion("--version", values.version);
  const secrets = variables.map((name) => readSecret(name, env));
  const received = readTime("--received", values.received);
  const [path = "-"] = positionals;
  const delivery = readDelivery(await readBytesOf(path === "-" ? "stdin" : path, path, terminal.streams.stdin));
  const receivedAt = received ?? delivery.receivedAt ?? Date.now();
  const verdict = await explain(delivery, { version, secrets, receivedAt }).catch((error: unknown) => {
    if (!isInvalidInputError(error)) throw error;
    throw new UsageError(`${variables[Number(/\d+/.exec(error.path))]} ${error.problem}`);
  });
  await (values.json ? terminal.printJson(verdict) : terminal.print(...format(verdict)));
  return verdict.valid ? EXIT_CODE.success : EXIT_CODE.rejected;
}

function readSecret(name: string, env: EnvironmentVariables): string {
  const secret = env[name];
  if (!secret)
    throw new UsageError(`${name} is not set. Set it to the secret of the endpoint, or see --secret-variable.`);
  if (secret.trim() === secret) return secret;
  throw new UsageError(`${name} starts or ends with whitespace. Remove it here and in the receiver's configuration.`);
}

function format(verdict: Verdict): Part[] {
  if (!verdict.valid) return [["red", `Rejected: ${verdict.reason}`], `\n${verdict.message}\n`];
  const { type, api_version, id, signed_at } = verdict;
  const facts = escapeControls(`version ${api_version}, id ${id}, signed at ${signed_at}`);
  return [["green", `Valid: ${escapeControls(type)}`], `\n${facts}\n`];
}

const EXPECTED = "expected an HTTP request (headers, an empty line, the body), or JSON with headers and body";

function readDelivery(input: Buffer): Pasted {
  const text = input.toString("utf8").trim();
  if (text === "") throw new UsageError(`the delivery is empty; ${EXPECTED}.`);
  return text.startsWith("{") || text.startsWith("[") ? readJson(text) : readHttp(input);
}

/** Reads an object with `headers` and `body`, or an array with one of them. */
function readJson(text: string): Pasted {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`the delivery starts like JSON but is not JSON: ${(error as Error).message}.`);
  }
  const list = [value].flat();
  if (list.length !== 1) throw new UsageError(`the JSON is an array of ${list.length} deliveries; pass one of them.`);
  const { headers: given, body, at } = Object(list[0]) as Readonly<Record<string, unknown>>;
  if (typeof given !== "object" || given === null || Array.isArray(given) || body === undefined) {
    const problem = `the JSON must have "headers" (an object) and "body"; ${EXPECTED}`;
    throw new UsageError(`${problem}. The body alone cannot be verified.`);
  }
  const headers = Object.entries(given).map(([name, each]) => {
    const value = Array.isArray(each) ? each.join(" ") : each;
    if (typeof value === "string") return [name.toLowerCase(), value];
    throw new UsageError(`the header "${name}" in the JSON must be a string.`);
  });
  const time = typeof at === "string" ? Date.parse(at) : Number.NaN;
  return { headers: Object.fromEntries(headers), body, receivedAt: Number.isNaN(time) ? undefined : time };
}

/** The length of the lines between headers and body. */
const [LF, CRLF] = [Buffer.from("\n\n"), Buffer.from("\n\r\n")];

/** Reads an optional request line, headers, an empty line and the body, with LF or CRLF. Takes time linear in the input. */
function readHttp(input: Buffer): Pasted {
  const [end, start] = [CRLF, LF]
    .map((blank) => [input.indexOf(blank), input.indexOf(blank) + blank.length] as const)
    .filter(([at]) => at !== -1)
    .sort(([one], [other]) => one - other)[0] ?? [-1, -1];
  if (end === -1)
    throw new UsageError("the request has no empty line between its headers and its body. Paste it as received.");
  const headers: Record<string, string> = {};
  for (const [index, line] of input.toString("utf8", 0, end).split("\n").entries()) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) headers[name] = name in headers ? `${headers[name]} ${value}` : value;
    else if (index > 0 || !/^[A-Z]+ \S/.test(line))
      throw new UsageError(`line ${index + 1} of the request is not a header; expected "name: value".`);
  }
  const body = input.subarray(start);
  if (headers["transfer-encoding"] && /^[\da-f]+[\r\n;]/i.test(body.toString("latin1", 0, 16)))
    throw new UsageError("the body is in chunks, as it was sent. Paste the decoded body.");
  // Something may follow the body, for example the line break that an editor adds.
  const length = /^\d+$/.test(headers["content-length"] ?? "") ? Number(headers["content-length"]) : body.length;
  return { headers, body: body.subarray(0, length) };
}

/**
 * Verifies a delivery as a receiver does. A copied delivery is usually old: if only its age is wrong, the message says so;
 * otherwise the other reason is returned, because it matters more.
 */
async function explain(delivery: Pasted, options: Options): Promise<Verdict> {
  const verdict = await verify(delivery, options);
  if (verdict.valid || !["timestamp-too-old", "timestamp-too-new"].includes(verdict.reason)) return verdict;
  const receivedAt = 1000 * Number(delivery.headers[WEBHOOK_HEADERS.timestamp]);
  const inTime = await verify(delivery, { ...options, receivedAt });
  if (!inTime.valid) return inTime;
  const advice = "If the delivery arrived earlier, pass the time of its arrival with --received.";
  const message = `${verdict.message} The signature is valid, so the secret and the body are right. ${advice}`;
  return { ...verdict, message };
}

/** Verifies a delivery; if its signature does not match, also without the line breaks that an editor or a log adds. */
async function verify(delivery: Pasted, options: Options): Promise<Verdict> {
  const verdict = await verifyBody(delivery, options);
  const { body } = delivery;
  const isUnsigned = (each: Verdict) => !each.valid && each.reason === "signature-mismatch";
  if (!isUnsigned(verdict) || !Buffer.isBuffer(body) || body.at(-1) !== 0x0a) return verdict;
  const shorter = body.subarray(0, body.findLastIndex((byte) => byte !== 0x0a && byte !== 0x0d) + 1);
  const second = await verifyBody({ ...delivery, body: shorter }, options);
  return isUnsigned(second) ? verdict : second;
}

async function verifyBody({ headers, body }: Pasted, { secrets: secret, version, receivedAt }: Options) {
  const versions = version === undefined ? versionNames : [];
  try {
    const { id, type, api_version } = await verifyForVersion(
      { name: version ?? CURRENT, types: [] },
      { headers, body } as WebhookDelivery,
      { secret, versions, now: () => receivedAt },
    );
    return { valid: true, id, type: String(type), api_version, signed_at: signedAt(headers) } as const;
  } catch (error) {
    if (isWebhookVerificationError(error))
      return { valid: false, reason: error.reason, message: messageOf(error) } as const;
    if (!isVersionMismatchError(error)) throw error;
    const { received } = error;
    const message =
      `The event has version ${received}; expected ${version ?? `one of ${versionNames.join(", ")}`}. Pass versions: ["${received}"] ` +
      "to the receiver, or change api_version of the webhook endpoint, which applies to new events only.";
    return { valid: false, reason: "version-mismatch", message } as const;
  }
}

/** Returns the time of signing; the header itself if it is later than any date. */
function signedAt(headers: Pasted["headers"]): string {
  const seconds = headers[WEBHOOK_HEADERS.timestamp];
  const time = new Date(1000 * Number(seconds));
  return Number.isNaN(time.getTime()) ? String(seconds) : time.toISOString();
}
