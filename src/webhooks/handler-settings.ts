import type { ClaimSettings } from "./claim-event.ts";
import type { HandlerOptions, WebhookErrorContext } from "./handler-options.ts";
import { memorySeenStore } from "./memory-seen-store.ts";
import { OptionChecks } from "./option-checks.ts";
import type { AnyWebhookEvent } from "./read-event.ts";
import type { SeenStore } from "./seen-store.ts";
import { VERIFY_OPTIONS, type VerifySettings, verifySettings } from "./verify-settings.ts";
import type { SchemasOf } from "./webhook-event.ts";
import type { WebhookVersion } from "./webhook-version.ts";

const OPTIONS = [...VERIFY_OPTIONS, "on", "seen", "rememberMs", "leaseMs", "settleMs", "onError"];
const THREE_DAYS = 259_200_000;

const check = new OptionChecks("createWebhookHandler");

/** A function for an event. */
export type EventFunction = (event: AnyWebhookEvent) => unknown;

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
  check.fields("options", options, OPTIONS);
  return {
    verify: verifySettings(version, options, check),
    on: readFunctions(version, options.on),
    seen: readStore(options.seen),
    ...readTimes(options),
    running: new Set(),
    onError: check.function("onError", options.onError ?? logFailure),
  };
}

function readFunctions(version: WebhookVersion, on: object): HandlerSettings["on"] {
  const fields = check.fields<EventFunction>(
    "on",
    on as Record<string, EventFunction>,
    [...version.types, "*"],
    "event type",
  );
  for (const [type, run] of fields) check.function(`on["${type}"]`, run);
  return new Map(fields);
}

function readStore(seen: SeenStore = memorySeenStore()): SeenStore {
  check.object("seen", seen);
  for (const name of ["get", "set", "delete"] as const) check.function(`seen.${name}`, seen[name]);
  return seen;
}

type Times = Omit<ClaimSettings, "seen">;
type TimeOptions = Pick<HandlerOptions<string, SchemasOf<string>>, keyof Times>;

function readTimes({ rememberMs = THREE_DAYS, leaseMs = 30_000, settleMs = 250 }: TimeOptions): Times {
  return {
    settleMs: check.integer("settleMs", settleMs, 10),
    leaseMs: check.integer("leaseMs", leaseMs, 4 * settleMs),
    rememberMs: check.integer("rememberMs", rememberMs, 1),
  };
}

/** Writes the errors of the receiver to the console, but not those of the sender, who can send any number. */
function logFailure(error: unknown, { status }: WebhookErrorContext): void {
  const log: Pick<Console, "error"> = console;
  if (status === 500) log.error(error);
}
