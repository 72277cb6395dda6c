import { expect, it } from "vitest";
import { versionNames } from "../../scripts/entry-points.ts";
import { documentOf } from "../../scripts/generate/version-source.ts";
import type { JsonSchema } from "../../src/openapi/document.ts";
import { openAdapter } from "../support/adapter.ts";
import { usage } from "../support/samples.ts";

/** The values that generators and mocks write for a schema. */
const valuesOf = (schema: JsonSchema | undefined) => [schema?.["const"], schema?.["default"]];

it.each(versionNames())("VER-2: a client generated from the document of %s sends that version", async (version) => {
  const { components, paths } = await documentOf(version);
  const { ServiceVersion } = components.parameters;
  const header = components.headers["ServiceVersion"];
  expect(ServiceVersion).toMatchObject({ required: true, example: version });
  expect(header).toMatchObject({ required: true, example: version });
  expect([ServiceVersion, header].map((each) => valuesOf(each?.schema))).toEqual([
    [version, version],
    [version, version],
  ]);
  const endpoint = components.schemas["WebhookEndpoint"]?.["properties"] as Record<string, JsonSchema>;
  expect(endpoint["api_version"]?.["examples"]).toEqual([version]);
  const { send } = await openAdapter();
  const sent = ServiceVersion?.schema["default"] as string;
  expect((await send("GET /v1/products/", { version: sent })).headers.get("service-version")).toBe(version);
  for (const { parameters } of Object.values(paths).flatMap(Object.values)) {
    expect(parameters).toContainEqual({ $ref: "#/components/parameters/ServiceVersion" });
  }
});

it("G-ENVELOPE, G-SIGN: the document describes what the mock delivers in the format raw", async () => {
  const { mock } = await openAdapter();
  const { url } = mock.webhookEndpoints.create({ events: ["order.paid"] });
  const delivered = Promise.withResolvers<Request>();
  mock.webhooks.receive(url, (request) => {
    delivered.resolve(request);
    return new Response(null, { status: 204 });
  });
  mock.webhooks.emit("order.paid", { id: "ord_1" });
  const request = await delivered.promise;
  const { webhooks, components } = await documentOf(mock.versions.current);
  const { parameters = [], requestBody } = webhooks["order.paid"]?.post ?? {};
  const names = parameters.map((each) => ("$ref" in each ? (each.$ref.split("/").at(-1) ?? "") : each.name));
  const headers = names.map((name) => components.parameters[name]?.name ?? "");
  expect(headers).toHaveLength(4);
  expect(headers.filter((name) => !request.headers.has(name))).toEqual([]);
  const body = (await request.json()) as Record<string, unknown>;
  const schema = requestBody?.content["application/json"].schema as { required: string[]; properties: JsonSchema };
  expect(Object.keys(body)).toEqual(schema.required);
  const { type, api_version } = schema.properties as Record<string, JsonSchema>;
  expect([body["type"], body["api_version"]]).toEqual([type?.["const"], api_version?.["default"]]);
});

it("G-413, G-RATE: the document has a response for every status of the mock", async () => {
  const { mock, ingest } = await openAdapter({
    assumptions: { maxBodyBytes: 1_000, rateLimit: { requests: 2, windowSeconds: 60 } },
  });
  const token = mock.issueToken();
  const statuses: number[] = [];
  for (const events of [[usage()], [usage({ name: "x".repeat(2_000) })], [{}], [usage()]]) {
    statuses.push((await ingest(events, { token })).status);
  }
  expect(statuses).toEqual([200, 413, 422, 429]);
  const { paths } = await documentOf(versionNames()[1] as string);
  const declared = Object.keys(paths["/v1/events/ingest"]?.post?.responses ?? {});
  expect(declared).toEqual(expect.arrayContaining([...statuses.map(String), "default"]));
});
