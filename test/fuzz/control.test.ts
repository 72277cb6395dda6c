import fc from "fast-check";
import { expect, it } from "vitest";
import { createEngine } from "../../mock/api/create-engine.ts";
import { Control, type ControlResponse } from "../../mock/control/control.ts";
import type { Engine } from "../../mock/engine/engine.ts";
import { controlCalls } from "./arbitraries/control-call.ts";
import { requestOf } from "./control-request.ts";
import { holds, patient } from "./parameters.ts";
import { expectSound, seen } from "./probes.ts";

it("after any control requests, the service returns only responses that its contracts declare", patient, async () => {
  const statuses = new Set<number>();
  await holds(250, fc.array(controlCalls, { minLength: 1, maxLength: 10 }), async (calls) => {
    const { mock, control } = begin();
    for (const call of calls) {
      const before = seen(mock);
      const answer = await control.respond(requestOf(call, "http://127.0.0.1", idsIn(mock)));
      statuses.add(answer.status);
      expectOrderly(answer);
      if (answer.status >= 400) expect(seen(mock)).toBe(before);
    }
    await expectSound(mock);
  });
  expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 204, 400, 404]));
});

function begin(): { mock: Engine; control: Control } {
  const mock = createEngine({ seed: 1, now: "2025-02-03T04:05:06Z" });
  mock.customers.create({ external_id: "acme" });
  mock.products.create({ name: "Bread" });
  mock.webhookEndpoints.create();
  return { mock, control: new Control(mock) };
}

/** One id of each kind of record. */
function idsIn({ organizations, users, customers, oauthClients, products, webhookEndpoints }: Engine): string[] {
  const tables = [organizations, users, customers, products, webhookEndpoints];
  const ids = tables.flatMap((table) => (table.list() as readonly { readonly id: string }[]).slice(-1));
  return [...ids.map(({ id }) => id), ...oauthClients.list().map(({ client_id }) => client_id), "snapshot-1"];
}

/** An error response has a code and a message, and is never a failure of the mock itself. */
function expectOrderly({ status, body }: ControlResponse): void {
  const json: unknown = body === undefined ? undefined : JSON.parse(body);
  expect(status, body?.slice(0, 300)).toBeLessThan(500);
  if (status >= 400) expect(json).toEqual({ error: expect.any(String), detail: expect.any(String) });
}
