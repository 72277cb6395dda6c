import type { ErrorPolicy } from "../http/error-policy.ts";
import type { RecordPolicy } from "../state/record-policy.ts";
import type { BodyPolicy } from "../validation/body-policy.ts";
import type { AuthorizePolicy } from "./authorize-policy.ts";
import type { IngestEventsPolicy } from "./ingest-events-policy.ts";
import type { ListProductsPolicy } from "./list-products-policy.ts";
import type { OrganizationFieldPolicy } from "./organization-field-policy.ts";
import type { WebhookEndpointPolicy } from "./webhook-endpoint-policy.ts";

/** Every assumption that applies to the operations. */
export interface OperationPolicy
  extends ErrorPolicy,
    BodyPolicy,
    RecordPolicy,
    AuthorizePolicy,
    IngestEventsPolicy,
    ListProductsPolicy,
    OrganizationFieldPolicy,
    WebhookEndpointPolicy {}
