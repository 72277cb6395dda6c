import { expect } from "vitest";
import type { Model, ModelEndpoint, Real } from "./model.ts";
import { strike } from "./model.ts";

/** A request to the service. */
interface ServiceRequest {
  readonly line: string;
  /** The index of the token. */
  readonly token: number;
  readonly body?: unknown;
}

/**
 * Sends a request, and compares its status with the model: that of a fault, 401 for a revoked token, otherwise the one that
 * the command expects. Returns the body of the response if the operation was processed.
 */
export async function ask(
  model: Model,
  { mock, tokens }: Real,
  { line, token, body }: ServiceRequest,
  expected: number,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const struck = strike(model);
  const revoked = model.state.revoked.includes(token);
  const [method = "", path = ""] = line.split(" ");
  const headers = { Authorization: `Bearer ${tokens[token]}`, "Content-Type": "application/json" };
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const response = await mock.fetch(mock.baseUrls[0] + path, init);
  expect(response.status).toBe(struck ?? (revoked ? 401 : expected));
  expect(response.headers.get("service-version")).toBe(model.state.versions[1]);
  const text = await response.text();
  return struck === undefined && !revoked ? JSON.parse(text) : undefined;
}

/** Compares the visible state of the mock with the model. */
export function expectSame({ state, faults }: Model, { mock }: Real): void {
  expect(mock.webhookEndpoints.list().map(shown)).toEqual(state.endpoints);
  expect(mock.events.size).toBe(state.stored);
  const ids = mock.events.list().flatMap(({ external_id }) => external_id ?? []);
  expect(ids).toEqual(state.externalIds);
  const events = mock.webhooks.events.list();
  const emitted = events.map(({ id, endpoint_id: endpoint, api_version: version, attempts }) => {
    return { id, endpoint, version, attempts };
  });
  expect(emitted).toEqual(state.emitted);
  expect(mock.webhooks.deliveries.size).toBe(state.emitted.reduce((sum, { attempts }) => sum + attempts, 0));
  expect(Object.values(mock.versions)).toEqual(state.versions);
  expect(mock.faults.list().map(({ status }) => status)).toEqual(faults.map(({ status }) => status));
}

function shown(endpoint: ReturnType<Real["mock"]["webhookEndpoints"]["list"]>[number]): ModelEndpoint {
  const { id, events, enabled, name, api_version: version } = endpoint;
  return { id, events: [...events], enabled, name, version };
}
