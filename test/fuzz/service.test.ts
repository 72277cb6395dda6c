import fc from "fast-check";
import { expect, it } from "vitest";
import { validate } from "../../mock/validation/body-schema.ts";
import { openAdapter } from "../support/adapter.ts";
import { versionNames, versions } from "../support/clients.ts";
import { type FuzzRequest, requestsTo } from "./arbitraries/request.ts";
import { expectDeclared } from "./declared.ts";
import { holds, patient } from "./parameters.ts";
import { fuzzed, SCHEMES } from "./subject.ts";

const contracts = versionNames.map((name) => versions[name].contract);
const requests = requestsTo(contracts);

/** The responses that a run must get: the success of every operation, and its failures. */
const expected = contracts.flatMap(({ operations }) =>
  operations.flatMap(({ id, response, failures }) =>
    [response.status, ...Object.keys(failures)].map((status) => `${id} ${status}`),
  ),
);

it("every request gets a declared response, and a rejected request does not change the state", patient, async () => {
  const subject = await fuzzed(await openAdapter({ seed: 1 }));
  const seen = new Set<string>();
  await holds(1000, fc.array(requests, { minLength: 1, maxLength: 6 }), async (sequence) => {
    let before = await subject.restart();
    for (const request of sequence) {
      const answer = await subject.send(request);
      expectDeclared(request, answer, isSupported(request));
      const after = await subject.state();
      if (answer.status >= 400) expect(after).toBe(before);
      else expectAllowed(request);
      before = after;
      seen.add(`${request.operation.id} ${answer.status}`);
    }
  });
  expect([...seen].sort()).toEqual(expect.arrayContaining(expected));
});

function isSupported({ version }: FuzzRequest): boolean {
  return version === null || (versionNames as readonly string[]).includes(version);
}

/** A request that succeeds had a credential of an accepted scheme, a scope, and a body that fits. */
function expectAllowed({ operation, credential, body }: FuzzRequest): void {
  const { security, request } = operation;
  expect(security.schemes).toContain(SCHEMES[credential]);
  if (security.scopes.length > 0) expect(credential).not.toBe("scopeless");
  if (request.body) expect(validate(request.body, JSON.parse(body ?? "")).issues).toBeUndefined();
}
