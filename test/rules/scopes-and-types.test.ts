import { describe, expect, it } from "vitest";
import type { ScopeName } from "../../mock/index.ts";
import { openAdapter } from "../support/adapter.ts";
import { type VersionName, versionNames, versions } from "../support/clients.ts";
import { endpointInput } from "../support/samples.ts";
import { NEXT } from "../support/versions.ts";

/** The list in section 5 of the specification. */
const SCOPES = `openid, profile, email, user:read, user:write, organizations:read, organizations:write,
custom_fields:read, custom_fields:write, discounts:read, discounts:write, checkout_links:read, checkout_links:write,
checkouts:read, checkouts:write, transactions:read, transactions:write, payouts:read, payouts:write, products:read,
products:write, benefits:read, benefits:write, events:read, events:write, meters:read, meters:write, files:read,
files:write, subscriptions:read, subscriptions:write, customers:read, customers:write, members:read, members:write,
wallets:read, wallets:write, disputes:read, disputes:write, customer_meters:read, customer_sessions:write,
member_sessions:write, customer_seats:read, customer_seats:write, orders:read, orders:write, refunds:read,
refunds:write, payments:read, metrics:read, metrics:write, webhooks:read, webhooks:write, license_keys:read,
license_keys:write, customer_portal:read, customer_portal:write, notifications:read, notifications:write,
notification_recipients:read, notification_recipients:write, organization_access_tokens:read,
organization_access_tokens:write`.split(/,\s+/);

/** The list in section 6 of the specification. */
const EVENT_TYPES = `checkout.created, checkout.updated, checkout.expired, customer.created, customer.updated,
customer.deleted, customer.state_changed, customer_seat.assigned, customer_seat.claimed, customer_seat.revoked,
member.created, member.updated, member.deleted, order.created, order.updated, order.paid, order.refunded,
subscription.created, subscription.updated, subscription.active, subscription.canceled, subscription.uncanceled,
subscription.cycled, subscription.revoked, subscription.past_due, subscription.paused, subscription.resumed,
refund.created, refund.updated, product.created, product.updated, discount.created, discount.updated, discount.deleted,
benefit.created, benefit.updated, benefit_grant.created, benefit_grant.cycled, benefit_grant.updated,
benefit_grant.revoked, organization.updated`.split(/,\s+/);

/** The event types that a version adds. */
const ADDED: Readonly<Partial<Record<VersionName, readonly string[]>>> = { [NEXT]: [] };

describe.each(versionNames)("the lists of %s", (version) => {
  it("SEC-3: contain exactly the scopes of the specification", async () => {
    expect(versions[version].SCOPES).toEqual(SCOPES);
    const { mock, client, send } = await openAdapter();
    const accessToken = mock.issueToken({ scopes: SCOPES as ScopeName[] });
    const { scopes } = await client(version, { accessToken }).oauth2.authorize({ scope: SCOPES.join(" ") });
    expect(scopes).toEqual(SCOPES);
    const { body } = await send("GET /.well-known/openid-configuration", { version });
    expect(body).toMatchObject({ scopes_supported: SCOPES });
  });

  it("WHT-1: contain exactly the event types of the specification and those added later", async () => {
    const expected = [...EVENT_TYPES, ...(ADDED[version] ?? [])];
    const types = versions[version].WEBHOOK_EVENT_TYPES;
    expect(types).toEqual(expected);
    const { client } = await openAdapter();
    const created = await client(version).webhooks.createEndpoint({ ...endpointInput(), events: [...types] });
    expect(created.events).toEqual(expected);
  });

  it("WHE-4: contain the formats of the specification, and an endpoint accepts each", async () => {
    const formats = versions[version].WEBHOOK_FORMATS;
    expect(formats).toEqual(["raw", "discord", "slack"]);
    const { client } = await openAdapter();
    const { createEndpoint } = client(version).webhooks;
    for (const format of formats) expect((await createEndpoint({ ...endpointInput(), format })).format).toBe(format);
  });
});
