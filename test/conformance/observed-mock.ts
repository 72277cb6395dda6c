import { onTestFinished } from "vitest";
import { listen } from "../../cli/conformance/deliveries.ts";
import { runConformance } from "../../conformance/run.ts";
import type { ConformanceOptions, ConformanceReceiver } from "../../conformance/settings.ts";
import { type AssumptionChoices, createMock, type EventTypeName, type Mock } from "../../mock/index.ts";
import { startServer } from "../../mock/server.ts";

/** A mock with everything that a run needs to observe it: tokens of every kind, another organization, and products. */
export interface ObservedMock {
  readonly mock: Mock;
  readonly options: ConformanceOptions;
}

/** The settings that no run shows. */
export const HIDDEN = /^(deliverTo|disableAfter|metadata.objectKeys|minSecretLength|rateLimit|retry.*)$/;

const RECEIVER = "https://receiver.example/hooks";

/** Creates a mock that can be observed. Its clock advances instead of waiting. */
export function observedMock(assumptions: AssumptionChoices = {}, products = 120): ObservedMock {
  const mock = createMock({ assumptions, warn: false });
  const receiver = { url: RECEIVER, receive: mock.webhooks.receive.bind(mock.webhooks) };
  const options = { baseUrl: mock.baseUrls[1] as string, fetch: mock.fetch, receiver };
  return { mock, options: { ...options, ...optionsOf(mock, products) } };
}

/** Starts a server that can be observed, until the test ends: over a socket, with deliveries over another. */
export async function observedServer(): Promise<ObservedMock> {
  const { mock, url, close } = await startServer();
  const receiver = await listen(0);
  onTestFinished(async () => {
    receiver.close();
    await close();
  });
  return { mock, options: { baseUrl: url, receiver, ...optionsOf(mock) } };
}

/** Creates products, and returns the options that do not depend on how requests reach a mock. */
export function optionsOf(mock: Mock, products = 120) {
  for (let i = 0; i < products; i++) mock.products.create();
  return {
    tokens: tokensOf(mock),
    allowWrites: true,
    requestsPerSecond: Number.POSITIVE_INFINITY,
    sleep: (milliseconds: number) => mock.clock.advance({ milliseconds }),
    trigger: (type: string, organization: string) =>
      mock.webhooks.emit(type as EventTypeName, { status: "new" }, { organization }),
  };
}

/** Runs the checks against a mock that can be observed. */
export async function observe({ options }: ObservedMock, given: Partial<ConformanceOptions> = {}) {
  return runConformance({ ...options, ...given });
}

/** Changes the deliveries that a run receives: their headers, and their body if the function returns one. */
export function received(
  { options }: ObservedMock,
  change: (headers: Headers, body: string, attempt: number) => string | undefined,
): ConformanceReceiver {
  const { url, receive } = options.receiver as ConformanceReceiver;
  const attempts = new Map<string, number>();
  const changed = (handler: (request: Request) => Promise<Response>) => async (request: Request) => {
    const [headers, text] = [new Headers(request.headers), await request.text()];
    const id = String(headers.get("webhook-id"));
    attempts.set(id, (attempts.get(id) ?? 0) + 1);
    const body = change(headers, text, attempts.get(id) ?? 0) ?? text;
    return handler(new Request(request.url, { method: "POST", headers, body }));
  };
  return { url, receive: (target, handler) => receive(target, changed(handler)) };
}

/** Issues tokens of every kind, with every scope and with one, and one of another organization. */
function tokensOf(mock: Mock): ConformanceOptions["tokens"] {
  const kinds = (["oat", "pat", "oidc"] as const).map((kind) => ({ kind, token: mock.issueToken({ type: kind }) }));
  const limited = (["openid", "webhooks:read", "webhooks:write"] as const).map((scope) => ({
    kind: "oat" as const,
    scopes: [scope],
    token: mock.issueToken({ scopes: [scope] }),
  }));
  const organization = mock.organizations.create();
  return [...kinds, ...limited, { kind: "oat", token: mock.issueToken({ organization }) }];
}
