export type { SignedParts } from "../../src/webhooks/index.ts";
export type { AssumptionChoices, Assumptions } from "../assumptions/assumptions.ts";
export type { Step } from "../engine/pipeline-policy.ts";
export type { Fault, FaultInput, FaultKind, Faults } from "../faults/fault.ts";
export type { EventTypeName, OperationName, ScopeName } from "../generated/names.ts";
export type { RecordedRequest, RequestFilter, Requests } from "../journal/journal.ts";
export type { SupportedVersions } from "../lifecycle/versions.ts";
export type { JsonBody } from "../options/json-body.ts";
export type { Moment } from "../state/clock.ts";
export type { Collection, ReadonlyCollection } from "../state/collection.ts";
export type * from "../state/records.ts";
export type { Snapshot } from "../state/state.ts";
export type { TokenInput } from "../state/tokens.ts";
export type { PayloadForm, WebhookPayload } from "../webhooks/payload.ts";
export type {
  Delivery,
  EmitOptions,
  EmittedEvent,
  EventStatus,
  MockWebhooks,
  WebhookHandler,
} from "../webhooks/webhooks.ts";
export type { Mock, MockOptions } from "./mock.ts";
