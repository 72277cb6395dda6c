import { pipelineFields } from "../engine/pipeline-policy.ts";
import { addressFields } from "../http/address-policy.ts";
import { errorFields } from "../http/error-policy.ts";
import { authorizeFields } from "../operations/authorize-policy.ts";
import { ingestEventsFields } from "../operations/ingest-events-policy.ts";
import { listProductsFields } from "../operations/list-products-policy.ts";
import { organizationFieldFields } from "../operations/organization-field-policy.ts";
import { webhookEndpointFields } from "../operations/webhook-endpoint-policy.ts";
import { frozenJson } from "../options/frozen.ts";
import type { GroupKind, PolicyFields } from "../options/policy-fields.ts";
import { type FieldKind, formatValue, omitUndefined, requireShape, unknownName } from "../options/shape.ts";
import { recordFields } from "../state/record-policy.ts";
import { bodyFields } from "../validation/body-policy.ts";
import { webhookFields } from "../webhooks/policy.ts";
import type { AssumptionChoices, Assumptions } from "./assumptions.ts";
import { defaultAssumptions } from "./default-assumptions.ts";

/** The valid values of every assumption. */
const FIELDS: PolicyFields<Assumptions> = {
  ...addressFields,
  ...pipelineFields,
  ...errorFields,
  ...bodyFields,
  ...organizationFieldFields,
  ...ingestEventsFields,
  ...authorizeFields,
  ...listProductsFields,
  ...webhookEndpointFields,
  ...recordFields,
  ...webhookFields,
};

/** The maximum nesting depth of an assumption. */
const MAX_DEPTH = 50;

/**
 * Returns the assumptions of a mock: the defaults, with the given ones in their place.
 *
 * @throws TypeError when an assumption is unknown or has an invalid value.
 */
export function readAssumptions(given: AssumptionChoices = {}): Assumptions {
  requireShape("createMock: `assumptions`", given, undefined);
  const chosen = Object.entries(omitUndefined(given)).map(([name, value]) => [name, readAssumption(name, value)]);
  return frozenJson(
    { ...defaultAssumptions, ...Object.fromEntries(chosen) },
    "createMock: assumptions",
    MAX_DEPTH,
  ) as Assumptions;
}

function readAssumption(name: string, value: unknown): unknown {
  if (!Object.hasOwn(FIELDS, name)) {
    throw new TypeError(`createMock: ${unknownName("assumption", name, Object.keys(FIELDS))}`);
  }
  const field: FieldKind | GroupKind = FIELDS[name as keyof Assumptions];
  const place = `createMock: \`assumptions.${name}\``;
  if ("group" in field) {
    requireShape(place, value, field.group);
    return { ...(defaultAssumptions[name as keyof Assumptions] as object), ...omitUndefined(value as object) };
  }
  if (field.fits(value)) return value;
  throw new TypeError(`${place} must be ${field.name}; received ${formatValue(value)}.`);
}
