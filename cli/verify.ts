import { isInvalidInputError, isVersionMismatchError, isWebhookVerificationError } from "../src/errors/index.ts";
import { verifyForVersion, WEBHOOK_HEADERS, type WebhookDelivery } from "../src/webhooks/index.ts";
import {
  CURRENT,
  type EnvironmentVariables,
  parseOptions,
  readBytes,
  readTime,
  readVersion,
  rejectTokens,
  UsageError,
  versionNames,
} from "./shared/arguments.ts";
import { EXIT_CODE, escapeControls, fullMessage, type Part, print } from "./shared/output.ts";

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
  "secret-variable": { type: "string", multiple: true },
  version: { type: "string" },
  received: { type: "string" },
  json: { type: "boolean" },
} as const;

interface Options {
  readonly secrets: readonly string[];
  /** Undefined allows every version of the package. */
  readonly version: string | undefined;
  /** The time of arrival, in milliseconds since 1970. */
  readonly receivedAt: number;
}

/** A delivery that somebody pasted. */
interface Pasted {
  readonly headers: Readonly<Record<string, string>>;
  /** A string or bytes, if the body is raw. */
  readonly body: unknown;
  /** The time of its arrival, if the input contains it. */
  readonly receivedAt?: number | undefined;
}

type Verdict = Awaited<ReturnType<typeof verifyBody>>;

/** Runs `billing verify`. */
export async function run(args: readonly string[], env: EnvironmentVariables): Promise<number> {
  rejectTokens(args, "Save it in an environment variable, and pass the variable's name.");
  const { values, positionals } = parseOptions("billing verify", OPTIONS, args, 1);
  const { "secret-variable": variables = [DEFAULT_VARIABLE], json } = values;
  const options = {
    version: readVersion("--version", values.version),
    secrets: variables.map((name) => readSecret(name, env)),
  };
  const received = readTime("--received", values.received);
  const delivery = await readDelivery(positionals[0] ?? "-");
  const receivedAt = received ?? delivery.receivedAt ?? Date.now();
  const verdict = await explain(delivery, { ...options, receivedAt }).catch((error: unknown) => {
    if (!isInvalidInputError(error)) throw error;
    throw new UsageError(error.message.replace(/^.*?\bsecret\[(\d+)\]/, (_, index) => variables[index] as string));
  });
  await print(...(json ? [`${JSON.stringify(verdict)}\n`] : format(verdict)));
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

async function readDelivery(path: string): Promise<Pasted> {
  const input = await readBytes(path);
  const text = input.toString("utf8").trim();
  if (text === "") throw new UsageError(`the delivery is empty; ${EXPECTED}.`);
  return /^[[{]/.test(text) ? readJson(text) : readHttp(input);
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
  const headers = Object.entries(given).map(([name, each]) => [name, Array.isArray(each) ? each.join(" ") : each]);
  const invalid = headers.find(([, each]) => typeof each !== "string");
  if (invalid !== undefined) throw new UsageError(`the header "${invalid[0]}" in the JSON must be a string.`);
  const time = typeof at === "string" ? Date.parse(at) : Number.NaN;
  return { headers: Object.fromEntries(headers), body, receivedAt: Number.isNaN(time) ? undefined : time };
}

/** Reads an optional request line, headers, an empty line and the body, with LF or CRLF. */
function readHttp(input: Buffer): Pasted {
  const end = /\r?\n\r?\n/.exec(input.toString("latin1"));
  if (end === null)
    throw new UsageError("the request has no empty line between its headers and its body. Paste it as received.");
  const lines = input
    .subarray(0, end.index)
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/);
  const headers: Record<string, string> = {};
  for (const [index, line] of lines.entries()) {
    const [, name, value = ""] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*)$/.exec(line) ?? [];
    const key = name?.toLowerCase();
    if (key !== undefined) headers[key] = headers[key] === undefined ? value.trim() : `${headers[key]} ${value.trim()}`;
    else if (index > 0 || !/^[A-Z]+ \S+( HTTP\/[\d.]+)?$/.test(line))
      throw new UsageError(`line ${index + 1} of the request is not a header; expected "name: value".`);
  }
  const body = input.subarray(end.index + end[0].length);
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
  if (verdict.valid || !verdict.reason.startsWith("timestamp-too")) return verdict;
  const inTime = await verify(delivery, { ...options, receivedAt: 1000 * Number(timestampOf(delivery.headers)) });
  if (!inTime.valid) return inTime;
  const advice = "If the delivery arrived earlier, pass the time of its arrival with --received.";
  const message = `${verdict.message} The signature is valid, so the secret and the body are right. ${advice}`;
  return { ...verdict, message };
}

/** Verifies a delivery; if its signature does not match, also without the line breaks that an editor or a log adds. */
async function verify(delivery: Pasted, options: Options): Promise<Verdict> {
  const verdict = await verifyBody(delivery, options);
  const { body } = delivery;
  const isUnsigned = (each: Verdict) => !each.valid && /^(signature-mismatch|body-changed)$/.test(each.reason);
  if (!isUnsigned(verdict) || !Buffer.isBuffer(body) || body.at(-1) !== 0x0a) return verdict;
  const shorter = body.subarray(0, body.findLastIndex((byte) => byte !== 0x0a && byte !== 0x0d) + 1);
  const second = await verifyBody({ ...delivery, body: shorter }, options);
  return isUnsigned(second) ? verdict : second;
}

async function verifyBody({ headers, body }: Pasted, { secrets: secret, version, receivedAt }: Options) {
  const versions = version === undefined ? versionNames : [];
  try {
    const event = await verifyForVersion(
      { name: version ?? CURRENT, types: [] },
      { headers, body } as WebhookDelivery,
      { secret, versions, now: () => receivedAt },
    );
    const { id, type, api_version } = event;
    return { valid: true, id, type: String(type), api_version, signed_at: signedAt(headers) } as const;
  } catch (error) {
    if (isWebhookVerificationError(error))
      return { valid: false, reason: error.reason, message: fullMessage(error) } as const;
    if (!isVersionMismatchError(error)) throw error;
    const { received } = error;
    const message =
      `The event has version ${received}; expected ${version ?? `one of ${versionNames.join(", ")}`}. Pass versions: ["${received}"] ` +
      "to the receiver, or change api_version of the webhook endpoint, which applies to new events only.";
    return { valid: false, reason: "version-mismatch", message } as const;
  }
}

function timestampOf(headers: Pasted["headers"]): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === WEBHOOK_HEADERS.timestamp)?.[1];
}

/** Returns the time of signing; the header itself if it is later than any date. */
function signedAt(headers: Pasted["headers"]): string {
  const seconds = timestampOf(headers);
  const time = new Date(1000 * Number(seconds));
  return Number.isNaN(time.getTime()) ? String(seconds) : time.toISOString();
}
