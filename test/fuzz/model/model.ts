import type { Mock } from "../../../mock/index.ts";

/** What the model knows of an endpoint. */
export interface ModelEndpoint {
  readonly id: string;
  readonly events: readonly string[];
  readonly enabled: boolean;
  readonly name: string | null;
  readonly version: string;
}

/** What the model knows of an event that was emitted. */
export interface ModelEvent {
  readonly id: string;
  readonly endpoint: string;
  readonly version: string;
  readonly attempts: number;
}

/** The part of the model that is the mock's state: a snapshot holds it, and restoring brings it back. */
export interface ModelState {
  readonly endpoints: readonly ModelEndpoint[];
  /** How many usage events there are, and the external ids among them. */
  readonly stored: number;
  readonly externalIds: readonly string[];
  readonly emitted: readonly ModelEvent[];
  readonly revoked: readonly number[];
  readonly versions: readonly string[];
}

/** A fault that is on. */
export interface ModelFault {
  readonly status: number;
  skip: number;
  times: number;
}

/** The service, as simple as it can be written down: what the mock has to agree with after every step. */
export interface Model {
  state: ModelState;
  faults: ModelFault[];
  readonly snapshots: ModelState[];
}

/** The mock, with what the commands need of it. */
export interface Real {
  readonly mock: Mock;
  readonly tokens: readonly string[];
  readonly snapshots: ReturnType<Mock["snapshot"]>[];
  /** What the receiver got: the id of the event and the body, in the order of the deliveries. */
  readonly received: { readonly id: string; readonly body: string }[];
}

/** Where every endpoint has its events sent. */
export const RECEIVER = "https://app.example/hook";

/** How many tokens there are. */
export const TOKENS = 3;

/** The mock at the beginning, and the model of it. */
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

/** The fault that strikes the next request; every fault that is still skipping counts it. */
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
