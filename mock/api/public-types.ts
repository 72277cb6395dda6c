export type {
  AssumptionChoices,
  Assumptions,
  AuthorizeVariant,
  RateLimit,
  RetryPolicy,
} from "../assumptions/assumptions.ts";
export type { ClockAdvance, MockClock } from "../clock/advance.ts";
export type { Moment } from "../clock/clock.ts";
export type { Fault, FaultInput, FaultKind, Faults } from "../faults/fault.ts";
export type { EventTypeName, OperationId, OperationName, ScopeName } from "../generated/names.ts";
export type { RecordedRequest, RequestFilter, Requests } from "../journal/requests.ts";
export type { SupportedVersions } from "../lifecycle/versions.ts";
export type { Collection, ReadonlyCollection } from "../state/collection.ts";
export type * from "../state/records.ts";
export type { Snapshot } from "../state/state.ts";
export type { TokenInput } from "../state/tokens.ts";
export type { EmitOptions } from "../webhooks/emit.ts";
export type { WebhookHandler } from "../webhooks/send.ts";
export type { MockWebhooks } from "../webhooks/webhooks.ts";
export type { Collections, Mock, MockOptions } from "./mock.ts";
