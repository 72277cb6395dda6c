/**
 * An example of the Next that a release creates (G-NEXTNEXT), to show a version with changes. It is not part of the
 * service, of the specification or of any version in the package.
 */
import type { Contract, Operation, Schema } from "@billing-service/sdk/contract";
import * as z from "zod/mini";

/** Maximum length of an event's name. */
const MAX_NAME = 20;

/**
 * Returns the contract of the version that a release makes Current, with three changes to events: `metadata` is renamed to
 * `properties`, `source` is new and required, and `name` has at most 20 characters.
 */
export function nextSample(released: Contract): Contract {
  const operations = released.operations.map((each) => (each.id === "events:ingest" ? changed(each) : each));
  return { ...released, version: quarterAfter(released.version), operations };
}

/** Returns the name of the version that a quarterly release creates after another one. */
function quarterAfter(version: string): string {
  const date = new Date(`${version}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + 3);
  return date.toISOString().slice(0, "YYYY-MM".length);
}

function changed(operation: Operation): Operation {
  const { batch, variants } = schemasOf(operation);
  const [customer, externalCustomer] = variants;
  const events = z.array(z.union([changedEvent(customer), changedEvent(externalCustomer)]));
  return { ...operation, request: { body: z.extend(batch, { events }) } };
}

function changedEvent(event: EventSchema) {
  const { metadata, ...kept } = event.shape;
  return z.object({ ...kept, name: z.string().check(z.maxLength(MAX_NAME)), properties: metadata, source: z.string() });
}

type EventSchema = z.ZodMiniObject<{ metadata: z.ZodMiniType; name: z.ZodMiniType }>;
type Batch = z.ZodMiniObject<{ events: z.ZodMiniArray<z.ZodMiniUnion<readonly [EventSchema, EventSchema]>> }>;

/** Returns the schemas for an ingested batch: the batch, an event, and its two variants. */
export function schemasOf({ request }: Operation) {
  const batch = request.body as Schema as Batch;
  const event = batch.shape.events.def.element;
  return { batch, event, variants: event.def.options };
}
