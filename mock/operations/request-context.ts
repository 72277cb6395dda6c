import type { Contract, Operation } from "../../src/contract/index.ts";
import type { IncomingRequest } from "../http/incoming-request.ts";
import type { Credential } from "../state/records.ts";
import type { State } from "../state/state.ts";
import type { BodyCheck } from "../validation/body-check.ts";
import type { OperationPolicy } from "./operation-policy.ts";

/** An operation of a contract, prepared for requests. */
export interface Route {
  readonly operation: Operation;
  /** Reads a query string into the values that the contract checks. */
  readonly readQuery: (search: string) => Record<string, unknown>;
  /** Checks the body; undefined when the operation has none. */
  readonly body: BodyCheck | undefined;
}

/** A request on its way through the pipeline: what arrived, what applies to it, and what the checks have found out. */
export interface RequestContext {
  readonly state: State;
  readonly policy: OperationPolicy;
  readonly request: IncomingRequest;
  readonly method: string;
  /** The base URL to which the request was sent. */
  readonly baseUrl: string;
  /** The path below the base URL. */
  readonly path: string;
  /** The query string, without its question mark. */
  readonly search: string;
  /** Milliseconds since 1970, by the mock's clock; 0 when the clock fails. */
  receivedAt: number;
  /** The requested `Service-Version`; null when the header was not sent. */
  readonly versionAsked: string | null;
  /** The contract of the version that processes the request; undefined when the version is not supported. */
  readonly contract: Contract | undefined;
  /** Whether the body is being read: an error then is the fault of the request, not of the mock. */
  reading?: boolean;
  /** The body as text, after the step `size`; undefined when there is none. */
  text?: string;
  /** Whether the body has bytes that are not UTF-8; the text has U+FFFD in their place. */
  isGarbled?: boolean;
  /** The valid credential that was sent, after the step `token`. */
  credential?: Credential;
  /** The operation, after the step `route`. */
  route?: Route;
  /** The decoded parameters in the path, after the step `route`. */
  pathParameters?: Readonly<Record<string, string>>;
  /** The parameters in the query, after the step `parameters` has checked them. */
  query?: unknown;
  /** The body, after the step `body` has checked it. */
  body?: unknown;
  /** The approximate number of bytes that the body takes in memory, after the step `body`. */
  bodyBytes?: number;
  /** The fields of the query and the body that the contract does not define; undefined when there are none. */
  ignored?: Set<string>;
}

/** A request whose version, operation and credential are valid. */
export type OperationContext = RequestContext & { readonly contract: Contract } & Required<
    Pick<RequestContext, "credential" | "route" | "pathParameters">
  >;
