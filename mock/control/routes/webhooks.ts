import type { EventTypeName } from "../../generated/names.ts";
import type { Delivery, EmittedEvent } from "../../state/records.ts";
import type { EmitOptions } from "../../webhooks/emit.ts";
import { type ReadOperations, readRoutes } from "./collections.ts";
import type { RoutesOf } from "./route.ts";

/** Operations on the webhooks that the mock sends. */
export interface WebhookOperations {
  emit(request: { readonly body: EmitRequest }): readonly EmittedEvent[];
  redeliver(request: { readonly id: string }): void;
  idle(): void;
  receive(request: { readonly body: ReceiveRequest }): { readonly id: string };
  stopReceiving(request: { readonly id: string }): boolean;
}

/** An event to emit. */
export interface EmitRequest extends EmitOptions {
  readonly type: EventTypeName;
  readonly data: unknown;
}

/** Deliveries to redirect to a receiver on this machine. */
export interface ReceiveRequest {
  /** The URL of the endpoints whose deliveries are redirected. */
  readonly url: string;
  /** The URL of the receiver; its host must be `127.0.0.1`. */
  readonly to: string;
}

export const webhookRoutes: RoutesOf<WebhookOperations> = {
  emit: {
    method: "POST",
    path: "/webhooks/emit",
    summary: "Emits a webhook event to the endpoints of an organization that are subscribed to its type.",
    body: "The event `type`, its `data`, and optionally the id of the `organization`.",
    status: 201,
  },
  redeliver: {
    method: "POST",
    path: "/webhooks/events/{id}/redeliver",
    summary: "Delivers an event again, with the same payload and version and a new timestamp and signature.",
  },
  idle: {
    method: "POST",
    path: "/webhooks/idle",
    summary: "Waits until every delivery that is due has been sent.",
  },
  receive: {
    method: "POST",
    path: "/webhooks/receivers",
    summary: "Redirects the deliveries to a URL to a receiver on this machine.",
    body: "The endpoint `url`, and the URL of the receiver in `to`; its host must be `127.0.0.1`.",
    status: 201,
  },
  stopReceiving: {
    method: "DELETE",
    path: "/webhooks/receivers/{id}",
    summary: "Stops redirecting deliveries to a receiver.",
    absent: { value: false },
  },
};

export const webhookEventRoutes: RoutesOf<ReadOperations<EmittedEvent>> = readRoutes(
  "/webhooks/events",
  "webhook event",
);

export const deliveryRoutes: RoutesOf<ReadOperations<Delivery>> = readRoutes(
  "/webhooks/deliveries",
  "delivery attempt",
);
