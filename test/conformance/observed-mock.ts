import {
  type ConformanceOptions,
  type ConformanceReceiver,
  type ConformanceReport,
  runConformance,
} from "../../conformance/index.ts";
import type { AssumptionChoices, Mock } from "../../mock/index.ts";
import { createMock } from "../../mock/index.ts";

/** A mock with everything that a run needs to observe it: tokens of every kind, another organization, and products. */
export interface ObservedMock {
  readonly mock: Mock;
  readonly options: ConformanceOptions;
}

const RECEIVER = "https://receiver.example/hooks";

/** Creates a mock that can be observed. Its clock advances instead of waiting. */
export function observedMock(assumptions: AssumptionChoices = {}, products = 120): ObservedMock {
  const mock = createMock({ assumptions });
  for (let i = 0; i < products; i++) mock.products.create();
  const options: ConformanceOptions = {
    baseUrl: mock.baseUrls[1] as string,
    fetch: mock.fetch,
    tokens: tokensOf(mock),
    allowWrites: true,
    requestsPerSecond: Number.POSITIVE_INFINITY,
    sleep: (milliseconds) => mock.clock.advance({ milliseconds }),
    receiver: { url: RECEIVER, receive: (handler) => mock.webhooks.receive(RECEIVER, handler) },
    trigger: (type, organization) => mock.webhooks.emit(type, { status: "new" }, { organization }),
  };
  return { mock, options };
}

/** Runs the checks against a mock that can be observed. */
export async function observe(
  { options }: ObservedMock,
  given: Partial<ConformanceOptions> = {},
): Promise<ConformanceReport> {
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
  return { url, receive: (handler) => receive(changed(handler)) };
}

/** Issues tokens of every kind, with every scope and with one, and one of another organization. */
export function tokensOf(mock: Mock): ConformanceOptions["tokens"] {
  const kinds = (["oat", "pat", "oidc"] as const).map((kind) => ({ kind, token: mock.issueToken({ type: kind }) }));
  const limited = (["openid", "webhooks:read", "webhooks:write"] as const).map((scope) => ({
    kind: "oat" as const,
    scopes: [scope],
    token: mock.issueToken({ scopes: [scope] }),
  }));
  const organization = mock.organizations.create();
  return [...kinds, ...limited, { kind: "oat", token: mock.issueToken({ organization }) }];
}
