import type { Mock } from "../../../mock/index.ts";

/** An endpoint in the model. */
export interface ModelEndpoint {
  readonly id: string;
  readonly events: readonly string[];
  readonly enabled: boolean;
  readonly name: string | null;
  readonly version: string;
}

/** An emitted event in the model. */
export interface ModelEvent {
  readonly id: string;
  readonly endpoint: string;
  readonly version: string;
  readonly attempts: number;
}

/** The part of the model that a snapshot contains. */
export interface ModelState {
  readonly endpoints: readonly ModelEndpoint[];
  /** The number of usage events, and their external ids. */
  readonly stored: number;
  readonly externalIds: readonly string[];
  readonly emitted: readonly ModelEvent[];
  readonly revoked: readonly number[];
  readonly versions: readonly string[];
}

/** An active fault. */
export interface ModelFault {
  readonly status: number;
  skip: number;
  times: number;
}

/** The simplest model of the service. The mock must match it after every step. */
export interface Model {
  state: ModelState;
  faults: ModelFault[];
  readonly snapshots: ModelState[];
}

/** The mock, and the values that the commands need. */
export interface Real {
  readonly mock: Mock;
  readonly tokens: readonly string[];
  readonly snapshots: ReturnType<Mock["snapshot"]>[];
  /** The deliveries that the receiver got, in order: the id of the event and the body. */
  readonly received: { readonly id: string; readonly body: string }[];
}

/** The URL of every endpoint. */
export const RECEIVER = "https://app.example/hook";

/** The number of tokens. */
export const TOKENS = 3;

/** Creates a mock and its model. */
export function beginning(mock: Mock): { model: Model; real: Real } {
  const tokens = Array.from({ length: TOKENS }, () => mock.issueToken());
  const received: Real["received"] = [];
  mock.webhooks.receive(RECEIVER, async (request) => {
    received.push({ id: String(request.headers.get("webhook-id")), body: await request.text() });
    return new Response();
  });
  const { deprecated, current, next } = mock.versions;
  const versions = [deprecated, current, next];
  const state = { endpoints: [], stored: 0, externalIds: [], emitted: [], revoked: [], versions };
  return { model: { state, faults: [], snapshots: [] }, real: { mock, tokens, snapshots: [], received } };
}

/** Returns the fault that applies to the next request. Faults that still skip requests count it. */
export function strike(model: Model): number | undefined {
  let status: number | undefined;
  for (const fault of model.faults) {
    if (fault.skip > 0) fault.skip -= 1;
    else if (status === undefined) {
      status = fault.status;
      fault.times -= 1;
    }
  }
  model.faults = model.faults.filter(({ times }) => times > 0);
  return status;
}
