import { pathToFileURL } from "node:url";
import { runInThisContext } from "node:vm";
import type { SignatureReflection } from "typedoc";
import { createMock, type Mock, type RecordedRequest } from "../../../mock/index.ts";
import type { Contract, Operation } from "../../../src/contract/index.ts";
import type { OpenApiDocument, OperationObject } from "../../../src/openapi/document.ts";
import { ROOT } from "../../paths.ts";
import { exportOf, type VersionDocs } from "../version-docs.ts";

/** The facts about an operation that its page shows: from the contract, and from the doc comment of the client's method. */
export interface OperationDocs {
  /** The client's method: `billing.webhooks.getEndpoint`. */
  readonly call: string;
  readonly signature: SignatureReflection;
  readonly operation: Operation;
  /** The operation in the OpenAPI document. */
  readonly described: OperationObject;
  /** The kinds of credentials, with their descriptions. */
  readonly credentials: readonly { readonly name: string; readonly description: string }[];
  /** The code in the doc comment, which assigns the result to a constant. */
  readonly example: string;
  /** The request that the example sends. */
  readonly request: RecordedRequest;
}

/** The id of the webhook endpoint in the examples. */
export const SAMPLE_ID = "4a7e3c52-8f1d-4b6a-9c0e-2d5b7f8a1e34";

/** Creates a mock with the records that the examples read. */
export function sampleMock(version: string): Mock {
  const mock = createMock({ seed: 1, now: `${version}-15T12:00:00Z` });
  mock.webhookEndpoints.create({ id: SAMPLE_ID, url: "https://shop.example/webhooks", events: ["order.paid"] });
  mock.products.create({ name: "Pro" });
  return mock;
}

/** Returns the documentation of every operation of a version: of every method of the client's resources. */
export async function operationDocs(
  { project }: VersionDocs,
  contract: Contract,
  document: OpenApiDocument,
): Promise<readonly OperationDocs[]> {
  const schemes = document.components.securitySchemes as Readonly<Record<string, { readonly description: string }>>;
  const members = exportOf("BillingClient", project).children ?? [];
  const resources = members.filter(({ type, inheritedFrom }) => type?.type === "reference" && !inheritedFrom);
  const methods = resources.flatMap(({ name, type }) =>
    (exportOf(String(type), project).children ?? []).map((method) => ({
      call: `billing.${name}.${method.name}`,
      signature: method.signatures?.[0] as SignatureReflection,
    })),
  );
  const docs = methods.map(async ({ call, signature }) => {
    const example = /```ts\n(.*?)\n```/s.exec(signature.comment?.getTag("@example")?.content[0]?.text ?? "")?.[1];
    if (example === undefined) throw new Error(`The doc comment of ${call} has no @example.`);
    const request = await requestOf(example, contract.version);
    const operation = contract.operations.find(({ id }) => id === request.operation) as Operation;
    const described = document.paths[operation.path]?.[operation.method.toLowerCase() as "get"] as OperationObject;
    const credentials = operation.security.schemes.map((name) => {
      return { name, description: schemes[name]?.description ?? name };
    });
    return { call, signature, operation, described, credentials, example, request };
  });
  return Promise.all(docs);
}

/** Runs an example with a mock, and returns the request that arrives. */
async function requestOf(example: string, version: string): Promise<RecordedRequest> {
  const { createClient } = await import(pathToFileURL(`${ROOT}versions/${version}/index.ts`).href);
  const mock = sampleMock(version);
  const run = runInThisContext(`async (billing) => { ${example} }`);
  await run(createClient({ accessToken: mock.issueToken(), fetch: mock.fetch, logLevel: "off" }));
  return mock.requests.last() as RecordedRequest;
}
