import type { Mismatch } from "../errors/call-errors.ts";
import { Checks } from "../errors/checks.ts";
import { isWebhookVerificationError } from "../errors/webhook-verification-error.ts";
import { isVersion } from "../lifecycle/index.ts";
import { listFirst } from "../values/describe.ts";
import { limitStore, memorySeenStore } from "./seen.ts";
import { requireSecret, secretKeys, type WebhookVersion } from "./sign.ts";
import type {
  AnyWebhookEvent,
  HandlerOptions,
  InvalidDataDecision,
  SchemasOf,
  VerifyOptions,
  WebhookErrorContext,
} from "./types.ts";

/** The names of the options of `verifyWebhook`. */
export const VERIFY_OPTIONS = ["secret", "schemas", "tolerance", "maxBodyBytes", "versions", "now"] as const;
const CALLBACKS = ["onInvalidData", "onHandled", "onDuplicate", "onError"] as const;
const HANDLER_OPTIONS = ["on", "seen", "timeout", ...CALLBACKS, ...VERIFY_OPTIONS] as const;

/** The checked options of a verification. */
export type VerifySettings = ReturnType<typeof verifySettings>;

type SharedOptions = VerifyOptions<string, SchemasOf<string>> & Pick<AnyHandlerOptions, "timeout">;

/** Checks the values of the options of `verifyWebhook`, or of those that another function shares with it. */
export function verifySettings({ name, types }: WebhookVersion, given: SharedOptions, check: Checks) {
  const { timeout = 120_000, tolerance = 300, maxBodyBytes = 1_048_576, now = () => Date.now() } = given;
  return {
    version: name,
    /** Every version whose events are allowed. */
    versions: [name, ...readVersions(given.versions, check)],
    keys: readSecrets(given.secret, check).flatMap(secretKeys),
    schemas: readSchemas(types, given.schemas, check),
    /** In seconds. */
    tolerance: check.integer("tolerance", tolerance, 0),
    maxBodyBytes: check.integer("maxBodyBytes", maxBodyBytes, 1),
    /** The default looks up the clock at each use, so that fake timers also control a handler at the top of a module. */
    now: check.function("now", now),
    /** Time limit for the body, and for the function of an event with its schema, in milliseconds. */
    timeout: check.integer("timeout", timeout, 1),
  };
}

function readSecrets(secret: unknown, check: Checks): string[] {
  if (!Array.isArray(secret)) return [requireSecret(check, "secret", secret)];
  const given = secret.flatMap((each, at) => (each === undefined ? [] : requireSecret(check, `secret[${at}]`, each)));
  return given[0] ? given : [requireSecret(check, "secret[0]", undefined)];
}

function readVersions(versions: readonly string[] = [], check: Checks): readonly string[] {
  if (Array.isArray(versions) && versions.every((name) => isVersion(name))) return versions;
  throw check.fail("versions", "must be an array of versions (YYYY-MM)");
}

function readSchemas(types: readonly string[], schemas: SchemasOf<string> = {}, check: Checks) {
  const fields = check.fields("schemas", schemas, types, "event type");
  for (const [type, schema] of Object.entries(fields)) {
    const isSchema = schema === undefined || typeof schema?.["~standard"]?.validate === "function";
    check.must(isSchema, `schemas["${type}"]`, "implement Standard Schema", schema);
  }
  return fields;
}

/** A function for an event. */
export type EventFunction = (event: AnyWebhookEvent) => unknown;

type AnyHandlerOptions = HandlerOptions<string, SchemasOf<string>>;

/** The checked options of a handler. */
export type HandlerSettings = ReturnType<typeof handlerSettings>;

/** Checks the options of `createWebhookHandler`. */
export function handlerSettings(version: WebhookVersion, options: AnyHandlerOptions) {
  const check = new Checks({ caller: "createWebhookHandler" });
  const verify = verifySettings(version, check.fields("options", options, HANDLER_OPTIONS), check);
  const { seen, onInvalidData = keepInvalidData, onHandled, onDuplicate, onError = logError } = options;
  const names = [...version.types, "*"];
  const on: Readonly<Record<string, EventFunction | undefined>> = check.fields("on", options.on, names, "event type");
  check.methods("on", on, names);
  check.methods("options", options, CALLBACKS);
  if (seen !== undefined) check.methods("seen", seen, ["get", "set", "add", "delete"], true);
  return {
    verify,
    on,
    /** The event types that the version knows. */
    types: version.types,
    seen: seen === undefined ? memorySeenStore() : limitStore(seen),
    onHandled,
    onDuplicate,
    onInvalidData,
    onError,
  };
}

// Keeps the object, not its methods, which a tool may replace later.
const log: Pick<Console, "error" | "warn"> = console;

const warned = new Set<string>();

/** Writes a warning to the console, unless this process has written it before. */
export function warnOnce(message: string): void {
  if (warned.has(message) || warned.size === 100) return;
  warned.add(message);
  log.warn(`[billing] ${message}`);
}

/** Keeps every event. The warning names it, because no delivery brings it again. */
function keepInvalidData({ id, type }: AnyWebhookEvent, problems: readonly Mismatch[]): InvalidDataDecision {
  const listed = listFirst(problems, ({ path, message }) => `${path}: ${message}`);
  log.warn(`[billing] The schema rejects the webhook ${id} (${type}), so its function did not run: ${listed}`);
  return "keep";
}

/** Writes an error to the console, but none that a request alone can cause: anyone can send any number of them. */
function logError(error: unknown, { status, event }: WebhookErrorContext): void {
  const isMisuse = isWebhookVerificationError(error) && /^body-(missing|parsed|consumed)$/.test(error.reason);
  if (event || status === 500 || isMisuse) log.error(error);
}
