// A page that calls the service: it creates an endpoint, shows it again after a reload, and counts calls.
import { createMock } from "../../../mock/browser.ts";
import { createClient, type WebhookEndpoint } from "../../../versions/2025-01/index.ts";

const wishes = new URLSearchParams(location.search);
const mock = createMock();
const accessToken = mock.issueToken();
await mock.start({
  persist: wishes.has("persist"),
  ...(wishes.has("worker") && { serviceWorkerUrl: wishes.get("worker") as string }),
});
const billing = createClient({ accessToken, environment: "sandbox", maxRetries: 0 });

function element<Kind extends HTMLElement>(id: string): Kind {
  return document.getElementById(id) as Kind;
}

/** Shows the result of a call as a string, or its error. */
async function show<Answer>(id: string, call: PromiseLike<Answer>, text: (answer: Answer) => string): Promise<void> {
  const output = element<HTMLOutputElement>(id);
  delete output.dataset.rejected;
  try {
    output.textContent = text(await call);
  } catch (error) {
    output.dataset.rejected = "";
    output.textContent = String(error);
  }
}

const told = ({ url, api_version }: WebhookEndpoint) => `${url}, in version ${api_version}`;

/** Creates an endpoint, stores its id in the URL of the page, and reads the endpoint. */
async function create(url: string): Promise<WebhookEndpoint> {
  const { id } = await billing.webhooks.createEndpoint({ url, format: "raw", events: ["order.paid"] });
  location.hash = id;
  return billing.webhooks.getEndpoint(id);
}

element<HTMLFormElement>("endpoint").addEventListener("submit", (event) => {
  event.preventDefault();
  const url = String(new FormData(event.target as HTMLFormElement).get("url"));
  show("created", create(url), told);
});

element("count").addEventListener("click", () => {
  const counted = billing.events.ingest([{ name: "api.call", external_customer_id: "acme", external_id: "call-1" }]);
  show("counted", counted, ({ inserted, duplicates }) => `${inserted} counted, ${duplicates} known already`);
});

if (location.hash) await show("created", billing.webhooks.getEndpoint(location.hash.slice(1)), told);

/** The functions that the tests call. */
export interface App {
  readonly mock: typeof mock;
  readonly billing: typeof billing;
}
Object.assign(window, { app: { mock, billing } satisfies App });
document.body.dataset.ready = "";
