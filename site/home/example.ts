import { createClient } from "@billing-service/sdk/2025-01";
import { createMock } from "@billing-service/sdk/mock";

const mock = createMock(); // the service, in memory
const billing = createClient({ accessToken: mock.issueToken(), fetch: mock.fetch });

const event = { name: "api.call", external_customer_id: "acme", external_id: "call-1" };
console.log(await billing.events.ingest([event, event]));

const { error } = await billing.events.ingest([{ ...event, timestamp: "yesterday" }]).safe();
console.log(error?.message);
