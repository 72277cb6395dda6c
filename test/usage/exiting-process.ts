// Adds an event to a buffer and does nothing else.

import { createClient } from "#current";
import { createEventBuffer } from "../../src/usage/index.ts";

const [baseUrl = "", accessToken = ""] = process.argv.slice(2);
const usage = createEventBuffer(createClient({ baseUrl, accessToken }), { maxDelay: 100 });
await usage.add({ name: "api.call", external_customer_id: "acme" });
