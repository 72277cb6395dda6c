import type { SampleRequest } from "../operations/sample-request.ts";
import type { Credential } from "./link/content.ts";

/** A request as a reader edits it: its body is text, empty without a body. */
export interface EditableRequest extends Omit<SampleRequest, "body"> {
  readonly body: string;
}

/** An operation that the playground offers as an example. */
export interface SampleOperation {
  /** The call of the client without its prefix: `events.ingest`. */
  readonly name: string;
  readonly request: EditableRequest;
  readonly credential: Credential;
  readonly scopes: readonly string[];
  /** A program that calls it. */
  readonly code: string;
}

/** What the playground knows about a version. */
export interface SampleVersion {
  readonly name: string;
  readonly state: string;
  readonly operations: readonly SampleOperation[];
  readonly scopes: readonly string[];
  readonly eventTypes: readonly string[];
}

/** What the build of the site passes to the page. */
export interface PlaygroundData {
  /** The versions, Current first. */
  readonly versions: readonly SampleVersion[];
  /** What programs can import. */
  readonly importPaths: readonly string[];
  /** The id of the webhook endpoint that exists in the mock. */
  readonly endpointId: string;
}
