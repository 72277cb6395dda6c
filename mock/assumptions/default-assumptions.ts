import { pipelineDefaults } from "../engine/pipeline-policy.ts";
import { addressDefaults } from "../http/address-policy.ts";
import { errorDefaults } from "../http/error-policy.ts";
import { authorizeDefaults } from "../operations/authorize-policy.ts";
import { ingestEventsDefaults } from "../operations/ingest-events-policy.ts";
import { listProductsDefaults } from "../operations/list-products-policy.ts";
import { organizationFieldDefaults } from "../operations/organization-field-policy.ts";
import { webhookEndpointDefaults } from "../operations/webhook-endpoint-policy.ts";
import { deepFreeze } from "../options/frozen.ts";
import { recordDefaults } from "../state/record-policy.ts";
import { bodyDefaults } from "../validation/body-policy.ts";
import { webhookDefaults } from "../webhooks/policy.ts";
import type { Assumptions } from "./assumptions.ts";

/** The assumptions that the mock makes by default. */
export const defaultAssumptions: Assumptions = deepFreeze({
  ...addressDefaults,
  ...pipelineDefaults,
  ...errorDefaults,
  ...bodyDefaults,
  ...organizationFieldDefaults,
  ...ingestEventsDefaults,
  ...authorizeDefaults,
  ...listProductsDefaults,
  ...webhookEndpointDefaults,
  ...recordDefaults,
  ...webhookDefaults,
});
