import fc from "fast-check";
import { expect, it } from "vitest";
import type { Engine } from "../../mock/api/engine.ts";
import { Control, type ControlResponse } from "../../mock/control/control.ts";
import { controlCalls, requestOf } from "./arbitraries/control-call.ts";
import { holds, patient } from "./parameters.ts";
import { expectSound, furnished, seen } from "./probes.ts";

it("after any control requests, the service returns only responses that its contracts declare", patient, async () => {
  const statuses = new Set<number>();
  await holds(250, fc.array(controlCalls, { minLength: 1, maxLength: 10 }), async (calls) => {
    const engine = furnished();
    const { mock } = engine;
    const control = new Control(engine);
    for (const call of calls) {
      const before = seen(mock);
      const answer = await control.respond(requestOf(call, "http://127.0.0.1", idsIn(engine)));
      statuses.add(answer.status);
      expectOrderly(answer);
      if (answer.status >= 400) expect(seen(mock)).toBe(before);
    }
    await expectSound(mock);
  });
  expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 204, 400, 404]));
});

/** One id of each kind of record. */
function idsIn({ state: { tables } }: Engine): string[] {
  const { organizations, users, customers, oauthClients, products, webhookEndpoints } = tables;
  const all = [organizations, users, customers, oauthClients, products, webhookEndpoints];
  return [...all.flatMap((table) => [...table.entries()].slice(-1).map(([id]) => id)), "snapshot-1"];
}

/** An error response has a code and a message, and is never a failure of the mock itself. */
function expectOrderly({ status, body }: ControlResponse): void {
  const json: unknown = body === undefined ? undefined : JSON.parse(body);
  expect(status, body?.slice(0, 300)).toBeLessThan(500);
  if (status >= 400) expect(json).toEqual({ error: expect.any(String), detail: expect.any(String) });
}
