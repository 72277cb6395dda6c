import type { PlaygroundData, SampleOperation, SampleVersion } from "../playground-data.ts";
import type { PlaygroundContent } from "./content.ts";

const FIRST_OPERATION = "events.ingest";
const FIRST_EVENT = "order.paid";
const EVENT_DATA = { id: "ord_1", amount: 4200, currency: "usd" };

/** Returns what the playground shows without a link. */
export function defaultContent(data: PlaygroundData, version: string): PlaygroundContent {
  const shown = findVersion(data, version) ?? (data.versions[0] as SampleVersion);
  const operation = findOperation(shown, FIRST_OPERATION) ?? (shown.operations[0] as SampleOperation);
  return {
    panel: "request",
    version: shown.name,
    ...operationContent(operation),
    scopes: "all",
    headers: "Accept: application/json\nContent-Type: application/json",
    event: shown.eventTypes.includes(FIRST_EVENT) ? FIRST_EVENT : (shown.eventTypes[0] ?? ""),
    data: JSON.stringify(EVENT_DATA, null, 2),
  };
}

/** The content that an operation determines. */
export type OperationContent = Pick<
  PlaygroundContent,
  "method" | "path" | "query" | "body" | "code" | "credential" | "scopes"
>;

/** Returns the request and the program of an operation, with a token that has only its scopes. */
export function operationContent({ request, credential, scopes, code }: SampleOperation): OperationContent {
  return { ...request, credential, scopes, code };
}

/** Finds a version by name. */
export function findVersion({ versions }: PlaygroundData, name: string): SampleVersion | undefined {
  return versions.find((version) => version.name === name);
}

/** Finds an operation of a version by the name of its call. */
export function findOperation({ operations }: SampleVersion, name: string): SampleOperation | undefined {
  return operations.find((operation) => operation.name === name);
}
