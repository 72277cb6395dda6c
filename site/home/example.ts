import { createMock } from "@billing-service/sdk/mock";
import { createClient } from "#current";

const mock = createMock(); // the service
const { events } = createClient({
  accessToken: mock.issueToken(),
  fetch: mock.fetch,
});

const event = {
  name: "api.call",
  customer_id: mock.customers.create().id,
  external_id: "call-1",
};
console.log(await events.ingest([event, event]));

const bad = { ...event, timestamp: "now" };
const { error } = await events.ingest([bad]).safe();
console.log(error?.message);
