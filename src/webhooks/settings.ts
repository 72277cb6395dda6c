import type { StandardSchema } from "../contract/index.ts";
import { Checks } from "../errors/checks.ts";
import { isVersion } from "../lifecycle/index.ts";
import { type ClaimSettings, limitStore, memorySeenStore } from "./claim-event.ts";
import type { HandlerOptions, VerifyOptions, WebhookErrorContext } from "./options.ts";
import { type Hmac, requireSecret, secretKeys, type WebhookVersion } from "./sign.ts";
import type { KnownWebhookEvent, SchemasOf } from "./webhook-event.ts";

/** The names of the options of `verifyWebhook`. */
export const VERIFY_OPTIONS = ["secret", "schemas", "tolerance", "maxBodyBytes", "versions", "now"] as const;
const HANDLER_OPTIONS = ["on", "seen", "rememberMs", "leaseMs", "timeoutMs", "onError", ...VERIFY_OPTIONS] as const;

/** Time limit for a call of the store, in milliseconds, unless a claim expires earlier. */
const STORE_LIMIT = 5_000;

const NO_SCHEMAS: ReadonlyMap<string, StandardSchema> = new Map();

/** An event of any type, known or not. */
export type AnyWebhookEvent = KnownWebhookEvent<string>;

/** The checked options of a verification. */
export interface VerifySettings {
  /** The version of the entry point. */
  readonly version: string;
  /** Every version whose events are allowed. */
  readonly versions: readonly string[];
  readonly keys: readonly Hmac[];
  readonly schemas: ReadonlyMap<string, StandardSchema>;
  /** In seconds. */
  readonly tolerance: number;
  readonly maxBodyBytes: number;
  readonly now: () => Date | number;
  /** Time limit for the body, for a schema and for the function of an event, in milliseconds. */
  readonly timeoutMs: number;
}

/** Checks the values of the options of `verifyWebhook`, or of those that another function shares with it. */
export function verifySettings(
  version: WebhookVersion,
  given: VerifyOptions<string, SchemasOf<string>> & { readonly timeoutMs?: number | undefined },
  check: Checks,
): VerifySettings {
  const { timeoutMs = 120_000, tolerance = 300, maxBodyBytes = 1_048_576, now = () => Date.now() } = given;
  return {
    version: version.name,
    versions: [version.name, ...readVersions(given.versions, check)],
    keys: readSecrets(given.secret, check).flatMap(secretKeys),
    schemas: readSchemas(version, given.schemas, check),
    tolerance: check.integer("tolerance", tolerance, 0),
    maxBodyBytes: check.integer("maxBodyBytes", maxBodyBytes, 1),
    // The default looks up the clock at each use, so that fake timers also control a handler at the top of a module.
    now: check.function("now", now),
    timeoutMs: check.integer("timeoutMs", timeoutMs, 1),
  };
}

function readSecrets(secret: unknown, check: Checks): string[] {
  if (!Array.isArray(secret)) return [requireSecret(check, "secret", secret)];
  const given = secret.flatMap((each, index) =>
    each === undefined ? [] : requireSecret(check, `secret[${index}]`, each),
  );
  return given[0] ? given : [requireSecret(check, "secret[0]", undefined)];
}

function readVersions(versions: readonly string[] = [], check: Checks): readonly string[] {
  if (Array.isArray(versions) && versions.every((name) => isVersion(name))) return versions;
  throw check.fail("versions", "must be an array of versions (YYYY-MM)");
}

function readSchemas(version: WebhookVersion, schemas: SchemasOf<string> | undefined, check: Checks) {
  if (schemas === undefined) return NO_SCHEMAS;
  const fields = defined(check.fields("schemas", schemas, version.types, "event type"));
  for (const [type, schema] of fields) {
    const isSchema = typeof schema?.["~standard"]?.validate === "function";
    check.must(isSchema, `schemas["${type}"]`, "implement Standard Schema", schema);
  }
  return fields;
}

/** Returns the fields that are not undefined. */
function defined<Value>(fields: { readonly [Name in string]?: Value }): Map<string, Value> {
  return new Map(Object.entries(fields).filter((field): field is [string, Value] => field[1] !== undefined));
}

/** A function for an event. */
export type EventFunction = (event: AnyWebhookEvent) => unknown;

type FunctionsByType = { readonly [Type in string]?: EventFunction };

/** The checked options of a handler. */
export interface HandlerSettings extends ClaimSettings {
  readonly verify: VerifySettings;
  readonly on: ReadonlyMap<string, EventFunction>;
  /** The ids of the events whose functions run in this process. */
  readonly running: Set<string>;
  readonly onError: (error: unknown, context: WebhookErrorContext) => unknown;
}

/** Checks the options of `createWebhookHandler`. */
export function handlerSettings<Type extends string, Schemas extends SchemasOf<Type>>(
  version: WebhookVersion<Type>,
  options: HandlerOptions<Type, Schemas>,
): HandlerSettings {
  const check = new Checks({ caller: "createWebhookHandler" });
  const verify = verifySettings(version, check.fields("options", options, HANDLER_OPTIONS), check);
  const { seen, rememberMs = 259_200_000, leaseMs = 30_000 } = options;
  const on = defined(
    check.fields("on", options.on as FunctionsByType, [...version.types, "*"] as string[], "event type"),
  );
  for (const [type, run] of on) check.function(`on["${type}"]`, run);
  if (seen !== undefined) {
    check.methods("seen", seen, ["get", "set", "delete"], true);
    check.methods("seen", seen, ["add"]);
  }
  return {
    verify,
    on,
    seen: seen === undefined ? memorySeenStore() : limitStore(seen, Math.min(STORE_LIMIT, leaseMs)),
    leaseMs: check.integer("leaseMs", leaseMs, 100),
    rememberMs: check.integer("rememberMs", rememberMs, 1, Number.MAX_SAFE_INTEGER),
    running: new Set(),
    onError: check.function("onError", options.onError ?? logFailure),
  };
}

/** Writes the receiver's own errors to the console, but not the sender's, who can cause any number. */
function logFailure(error: unknown, { status }: WebhookErrorContext): void {
  const log: Pick<Console, "error"> = console;
  if (status === 500) log.error(error);
}
