import { expect } from "vitest";
import type { Model, ModelEndpoint, Real } from "./model.ts";
import { strike } from "./model.ts";

/** The parts of a response that the commands check. */
export interface ServiceResponse {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** A request to the service. */
export interface ServiceRequest {
  readonly line: string;
  /** The index of the token. */
  readonly token: number;
  readonly body?: unknown;
}

/**
 * Sends a request, and compares its status with the model: that of a fault, 401 for a revoked token, otherwise the one that
 * the command expects. Returns the response if the operation was processed.
 */
export async function ask(
  model: Model,
  real: Real,
  asked: ServiceRequest,
  expected: number,
): Promise<ServiceResponse | undefined> {
  const struck = strike(model);
  const revoked = model.state.revoked.includes(asked.token);
  const { status, version, body } = await send(real, asked);
  expect(status).toBe(struck ?? (revoked ? 401 : expected));
  expect(version).toBe(model.state.versions[1]);
  return struck === undefined && !revoked ? { status, body } : undefined;
}

async function send(
  { mock, tokens }: Real,
  { line, token, body }: ServiceRequest,
): Promise<ServiceResponse & { version: string | null }> {
  const [method = "", path = ""] = line.split(" ");
  const headers = { Authorization: `Bearer ${tokens[token]}`, "Content-Type": "application/json" };
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const response = await mock.fetch(mock.baseUrls[0] + path, init);
  const text = await response.text();
  const version = response.headers.get("service-version");
  return { status: response.status, version, body: text === "" ? {} : JSON.parse(text) };
}

/** Compares the visible state of the mock with the model. */
export function expectSame({ state, faults }: Model, { mock }: Real): void {
  expect(mock.webhookEndpoints.list().map(shown)).toEqual(state.endpoints);
  expect(mock.events.size).toBe(state.stored);
  const ids = mock.events.list().flatMap(({ external_id }) => external_id ?? []);
  expect(ids).toEqual(state.externalIds);
  const emitted = mock.webhooks.events.list().map((event) => ({
    id: event.id,
    endpoint: event.endpoint_id,
    version: event.api_version,
    attempts: event.attempts,
  }));
  expect(emitted).toEqual(state.emitted);
  expect(mock.webhooks.deliveries.size).toBe(state.emitted.reduce((sum, { attempts }) => sum + attempts, 0));
  expect(Object.values(mock.versions)).toEqual(state.versions);
  expect(mock.faults.list().map(({ status }) => status)).toEqual(faults.map(({ status }) => status));
}

function shown(endpoint: ReturnType<Real["mock"]["webhookEndpoints"]["list"]>[number]): ModelEndpoint {
  const { id, events, enabled, name, api_version: version } = endpoint;
  return { id, events: [...events], enabled, name, version };
}
