import { VERSION as CREATED } from "../../examples/next-sample/contract.ts";
import type { PlaygroundContent } from "./link.ts";

/** A request with a surprising response. */
interface Preset {
  readonly name: string;
  readonly title: string;
  /** The preset's description. */
  readonly hint: string;
  /** Differences from the example for `events.ingest`. */
  readonly content: Partial<PlaygroundContent>;
}

const usage = { name: "api.call", external_id: "call-2", external_customer_id: "acme" };

const batch = (...events: readonly object[]) => JSON.stringify({ events }, null, 2);

/** The presets, in the order in which they are shown. */
export const PRESETS: readonly Preset[] = [
  {
    name: "403",
    title: "403",
    hint: "The token lacks the required scope.",
    content: { scopes: "products:read" },
  },
  {
    name: "422",
    title: "422",
    hint: "The first event names no customer; the timestamp of the second is malformed.",
    content: { body: batch({ name: "api.call" }, { ...usage, timestamp: "yesterday" }) },
  },
  {
    name: "duplicate",
    title: "Duplicate",
    hint: "Two events have the same external id.",
    content: { body: batch(usage, usage, { ...usage, external_id: "call-3" }) },
  },
  {
    name: "expired-token",
    title: "Expired token",
    hint: "The token has expired.",
    content: { credential: "expired" },
  },
  {
    name: "next-version",
    title: "Breaking release",
    hint: "Simulates the next release. The new Next is an invented version with breaking changes.",
    content: {
      releases: "1",
      version: CREATED,
      body: batch({ ...usage, name: "workspace.member.invited", metadata: { plan: "pro" } }),
    },
  },
];

/** Event data by the first part of the type. The specification does not describe it. */
const DATA: Readonly<Record<string, object>> = {
  checkout: { id: "checkout_1", status: "open", amount: 4200, currency: "usd" },
  customer: { id: "customer_1", email: "ada@acme.example", external_id: "acme" },
  customer_seat: { id: "seat_1", customer_id: "customer_1", email: "grace@acme.example" },
  member: { id: "member_1", customer_id: "customer_1", role: "billing" },
  order: { id: "order_1", customer_id: "customer_1", amount: 4200, currency: "usd" },
  subscription: { id: "subscription_1", customer_id: "customer_1", product_id: "product_1", status: "active" },
  refund: { id: "refund_1", order_id: "order_1", amount: 4200, currency: "usd", reason: "customer_request" },
  product: { id: "product_1", name: "Starter", amount: 4200, currency: "usd" },
  discount: { id: "discount_1", name: "Launch", code: "LAUNCH20", percent: 20 },
  benefit: { id: "benefit_1", type: "license_keys", description: "License key" },
  benefit_grant: { id: "grant_1", benefit_id: "benefit_1", customer_id: "customer_1" },
  organization: { id: "organization_1", name: "Acme" },
};

/** Changes to the data by the last part of the type. */
const CHANGES: Readonly<Record<string, object>> = {
  expired: { status: "expired" },
  paid: { status: "paid" },
  refunded: { status: "refunded", refunded_amount: 4200 },
  canceled: { cancel_at_period_end: true },
  uncanceled: { cancel_at_period_end: false },
  revoked: { status: "revoked" },
  past_due: { status: "past_due" },
  paused: { status: "paused" },
  resumed: { status: "active" },
  claimed: { status: "claimed" },
  deleted: { deleted: true },
};

/** Returns data for an event type, as JSON. */
export function eventData(type: string): string {
  const [resource = "", action = ""] = type.split(".");
  return JSON.stringify({ ...(DATA[resource] ?? { id: `${resource}_1` }), ...CHANGES[action] }, null, 2);
}
