// Runs a program before and after its upgrade to the invented version.
import { contract as deprecated } from "@billing-service/sdk/2024-10";
import { contract as current } from "@billing-service/sdk/2025-01";
import { createClient, contract as next } from "@billing-service/sdk/2025-04";
import { createMock } from "@billing-service/sdk/mock";
import { createClient as createNextClient } from "./client.ts";
import { nextSample } from "./contract.ts";

const mock = createMock({ contracts: [deprecated, current, next, nextSample(next)] });
mock.release(); // the example becomes Next

const options = { accessToken: mock.issueToken(), fetch: mock.fetch };
const search = { name: "api.search.completed.v1", external_customer_id: "acme" };
const details = { path: "/v1/search" };

const old = createClient(options);
const before = await old.events.ingest([{ ...search, metadata: details }]);
console.log(before); // { inserted: 1, duplicates: 0 }

const billing = createNextClient(options);
const upgraded = { ...search, properties: details, source: "gateway" };
const { error } = await billing.events.ingest([upgraded]).safe();
if (error?.name === "ApiError" && error.status === 422) {
  console.log(error.body?.detail?.[0]?.msg); // String should have at most 20 characters
}

const after = await billing.events.ingest([{ ...upgraded, name: "api.search" }]);
console.log(after); // { inserted: 1, duplicates: 0 }
