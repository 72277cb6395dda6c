// A page with a mock and a client, which the tests call.

import { createClient } from "#current";
import { createMock } from "../../mock/browser.ts";

const wishes = new URLSearchParams(location.search);
const mock = createMock();
const accessToken = mock.issueToken();
await mock.start(wishes.has("worker") ? { serviceWorkerUrl: wishes.get("worker") as string } : {});
const app = { mock, billing: createClient({ accessToken, environment: "sandbox", maxRetries: 0 }) };

/** What the tests call. */
export type App = typeof app;

Object.assign(window, { app });
document.body.dataset["ready"] = "";
