import { ControlError, controlCall } from "../../control/client.ts";
import type { ControlRoute } from "../../control/routes.ts";
import type { RecordedRequest } from "../../journal/journal.ts";
import type { SupportedVersions } from "../../lifecycle/versions.ts";
import type { Delivery, EmittedEvent, StoredWebhookEndpoint } from "../../state/records.ts";

/** Calls the control API. If it has a password, the browser asks for it. */
export const call = controlCall("");

/** One route of the control API, as `GET /__mock` lists it. */
export interface ListedRoute extends Omit<ControlRoute, "handle"> {
  readonly method: string;
  readonly path: string;
}

/** What the page knows about the mock. */
export interface MockData {
  readonly routes: readonly ListedRoute[];
  readonly versions: SupportedVersions;
  readonly tokens: readonly { readonly token: string; readonly type: string; readonly scopes: readonly string[] }[];
  /** The newest requests, oldest first. */
  readonly requests: readonly RecordedRequest[];
  readonly endpoints: readonly StoredWebhookEndpoint[];
  readonly webhookEvents: readonly EmittedEvent[];
  readonly deliveries: readonly Delivery[];
}

/** What the page shows: the last data it received, and why there is nothing newer. */
export interface PageState {
  readonly data?: MockData | undefined;
  readonly problem?: string;
}

/** The maximum number of rows in a list. */
export const MAX_ROWS = 250;
const POLL_EVERY = 500;

/** Reads the mock whenever it changes, until the page is closed or the user enters no password. */
export async function followMock(show: (state: PageState) => void): Promise<void> {
  let known: string | undefined;
  let data: MockData | undefined;
  for (;;) {
    const started = performance.now();
    try {
      const { revision } = await call<{ readonly revision: string }>("GET /revision");
      if (revision !== known) {
        data = await readMock();
        known = revision;
        show({ data });
      }
    } catch (error) {
      known = undefined;
      show({ data, problem: errorMessage(error) });
      if (error instanceof ControlError && error.status === 401) return;
    }
    // Reading much data must not keep the mock busy.
    const pause = Math.max(POLL_EVERY, 4 * (performance.now() - started));
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

async function readMock(): Promise<MockData> {
  const [{ routes }, versions, tokens, requests, endpoints, webhookEvents, deliveries] = await Promise.all([
    call<Pick<MockData, "routes">>("GET /"),
    call<MockData["versions"]>("GET /versions"),
    call<MockData["tokens"]>("GET /tokens"),
    call<MockData["requests"]>("GET /requests", { query: { newest: MAX_ROWS } }),
    call<MockData["endpoints"]>("GET /webhook-endpoints"),
    call<MockData["webhookEvents"]>("GET /webhooks/events"),
    call<MockData["deliveries"]>("GET /webhooks/deliveries"),
  ]);
  return { routes, versions, tokens, requests, endpoints, webhookEvents, deliveries };
}

/** Returns the message to show for a failed call. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof ControlError)) return "Cannot reach the mock server.";
  return error.status === 401 ? "The control API requires a password. Reload the page to enter it." : error.message;
}
