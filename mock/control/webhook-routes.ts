import { readable } from "./collection-routes.ts";
import type { ControlRoute } from "./route.ts";

/** The routes for webhooks. */
export const webhookRoutes: readonly ControlRoute[] = [
  {
    name: "webhooks.emit",
    method: "POST",
    path: "/webhooks/emit",
    does: "Sends an event of the `type` with the `data` to the endpoints of the `organization` that list it.",
    status: 201,
    run: ({ mock, body: { type, data, ...options } }) => mock.webhooks.emit(type as string, data, options),
  },
  ...readable(
    "webhooks.events",
    "/webhooks/events",
    "event that was created",
    "webhookEvents",
    ({ mock }) => mock.webhooks.events,
  ),
  ...readable(
    "webhooks.deliveries",
    "/webhooks/deliveries",
    "attempt to deliver an event",
    "deliveries",
    ({ mock }) => mock.webhooks.deliveries,
  ),
  {
    name: "webhooks.redeliver",
    method: "POST",
    path: "/webhooks/events/{id}/redeliver",
    does: "Delivers an event once more: the same payload and version, a new timestamp and signature.",
    run: ({ mock, parameters }) => mock.webhooks.redeliver(parameters["id"] as string),
  },
  {
    name: "webhooks.idle",
    method: "POST",
    path: "/webhooks/idle",
    does: "Answers when everything that is due has been delivered.",
    run: ({ mock }) => mock.webhooks.idle(),
  },
  {
    name: "webhooks.receive",
    method: "POST",
    path: "/webhooks/receivers",
    does: "Has the deliveries to the `url` sent to a receiver on this machine instead, at the address `to`.",
    status: 201,
    run: ({ mock, receivers, body: { url, to } }) => ({ id: receivers.add(mock, url, to) }),
  },
  {
    name: "webhooks.receiveNoMore",
    method: "DELETE",
    path: "/webhooks/receivers/{id}",
    does: "Ends that.",
    absent: { value: false },
    run: ({ receivers, parameters }) => receivers.remove(parameters["id"] as string),
  },
];
