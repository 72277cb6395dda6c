import { pathToFileURL } from "node:url";
import { documentOf } from "../../scripts/generate/version-source.ts";
import type { Contract } from "../../src/contract/index.ts";
import { type OperationDocs, operationDocs } from "../operations/operation-docs.ts";
import { ROOT } from "../paths.ts";
import { type SiteVersion, siteVersions } from "../versions.ts";
import { CREDENTIALS, type Credential } from "./link/content.ts";
import type { SampleOperation, SampleVersion } from "./playground-data.ts";

/** Returns what the playground knows about the versions of the site. */
export function sampleVersions(): Promise<readonly SampleVersion[]> {
  return Promise.all(siteVersions().map(sampleVersion));
}

async function sampleVersion({ name, state }: SiteVersion): Promise<SampleVersion> {
  const { contract } = (await import(pathToFileURL(`${ROOT}versions/${name}/contract.ts`).href)) as {
    readonly contract: Contract;
  };
  const operations = await operationDocs(name, await documentOf(name));
  const { scopes, webhookEventTypes: eventTypes } = contract;
  return { name, state, operations: operations.map(sampleOperation), scopes, eventTypes };
}

function sampleOperation(operation: OperationDocs): SampleOperation {
  const { resource, method, request, scopes, credentials, examples } = operation;
  const accepted = credentials.map(({ name }) => name);
  const [example] = examples.filter(({ title }) => title === "Client");
  return {
    name: `${resource}.${method}`,
    request: { ...request, body: request.body === undefined ? "" : JSON.stringify(request.body, null, 2) },
    credential: CREDENTIALS.find((name) => accepted.includes(name)) as Credential,
    scopes,
    code: example?.code ?? "",
  };
}
