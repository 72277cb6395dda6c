import type { StandardSchema } from "../contract/index.ts";
import type { Hmac } from "./hmac.ts";
import type { OptionChecks } from "./option-checks.ts";
import { secretKeys } from "./secret-keys.ts";
import type { VerifyOptions } from "./verify-options.ts";
import type { SchemasOf } from "./webhook-event.ts";
import type { WebhookVersion } from "./webhook-version.ts";

const DEFAULT_TOLERANCE = 300;
const DEFAULT_MAX_BODY_BYTES = 1_048_576;
const VERSION_NAME = /^\d{4}-\d\d$/;

/** The names of the options of `verifyWebhook`. */
export const VERIFY_OPTIONS: readonly string[] = ["secret", "schemas", "tolerance", "maxBodyBytes", "versions", "now"];

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
}

/** Checks the options that `verifyWebhook` and `createWebhookHandler` share. */
export function verifySettings(
  version: WebhookVersion,
  options: VerifyOptions<string, SchemasOf<string>>,
  check: OptionChecks,
): VerifySettings {
  const { tolerance = DEFAULT_TOLERANCE, maxBodyBytes = DEFAULT_MAX_BODY_BYTES } = options;
  return {
    version: version.name,
    versions: [version.name, ...readVersions(options.versions, check)],
    keys: readSecrets(options.secret, check).flatMap(secretKeys),
    schemas: readSchemas(version, options.schemas, check),
    tolerance: check.integer("tolerance", tolerance, 0),
    maxBodyBytes: check.integer("maxBodyBytes", maxBodyBytes, 1),
    now: check.function("now", options.now ?? Date.now),
  };
}

function readSecrets(secret: unknown, check: OptionChecks): string[] {
  if (!Array.isArray(secret)) return [check.secret("secret", secret)];
  const given = secret.flatMap((each, index) => (each === undefined ? [] : check.secret(`secret[${index}]`, each)));
  return given.length > 0 ? given : [check.secret("secret[0]", undefined)];
}

function readVersions(versions: readonly string[] = [], check: OptionChecks): readonly string[] {
  if (Array.isArray(versions) && versions.every((name) => VERSION_NAME.test(name))) return versions;
  throw check.fail("versions", "must be an array of versions (YYYY-MM)");
}

function readSchemas(version: WebhookVersion, schemas: SchemasOf<string> = {}, check: OptionChecks) {
  const fields = check.fields("schemas", schemas, version.types, "event type");
  for (const [type, schema] of fields) {
    const isSchema = typeof schema?.["~standard"]?.validate === "function";
    check.must(isSchema, `schemas["${type}"]`, "implement Standard Schema", schema);
  }
  return new Map(fields);
}
