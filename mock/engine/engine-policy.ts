import type { AddressPolicy } from "../http/address-policy.ts";
import type { OperationPolicy } from "../operations/operation-policy.ts";
import type { WebhookPolicy } from "../webhooks/policy.ts";
import type { PipelinePolicy } from "./pipeline-policy.ts";

/** Every assumption that the engine and its modules apply. */
export interface EnginePolicy extends AddressPolicy, OperationPolicy, PipelinePolicy, WebhookPolicy {}
