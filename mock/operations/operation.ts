import type { Contract, Operation } from "../../src/contract/index.ts";
import type { Assumptions } from "../assumptions/assumptions.ts";
import type { IncomingRequest } from "../http/request.ts";
import type { Reply } from "../http/response.ts";
import type { Credential } from "../state/records.ts";
import type { State } from "../state/state.ts";
import type { BodySchema, Fields } from "../validation/body-schema.ts";
import type { ProblemList } from "../validation/problems.ts";

/** An operation of a contract, prepared for requests. */
export interface Route {
  readonly operation: Operation;
  /** Reads a query string into the values that the contract checks. */
  readonly readQuery: (search: string) => Record<string, unknown>;
  /** Checks the body; undefined when the operation has none. */
  readonly body: BodySchema | undefined;
}

/** A request on its way through the pipeline: what arrived, what applies to it, and what the checks have found out. */
export interface RequestContext {
  readonly state: State;
  readonly assumptions: Assumptions;
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
  /** The fault that delays or fails the request. */
  fault?: { readonly id: string; readonly kind?: string | undefined };
  /** Whether it waits for the body: an error then comes from the connection, not from the mock. */
  isWaiting?: boolean;
  /** The body as text; undefined when there is none or it is not read yet. */
  text?: string;
  /** Whether the body has bytes that are not UTF-8; the text has U+FFFD in their place. */
  isGarbled?: boolean;
  /** The valid credential that was sent; undefined before it is looked up. */
  credential?: Credential;
  /** The operation; undefined when the version or the path has none. */
  route?: Route;
  /** The decoded parameters in the path of the operation. */
  pathParameters?: Readonly<Record<string, string>>;
  /** The parameters in the query, once they are checked. */
  query?: unknown;
  /** The body, once it is checked. */
  body?: unknown;
  /** The approximate number of bytes that the parsed body takes in memory. */
  bodyMemory?: number;
  /** The fields of the query and the body that the contract does not define; undefined when there are none. */
  ignored?: Set<string>;
}

/** A request whose version, operation and credential are valid. */
export type OperationContext = RequestContext & { readonly contract: Contract } & Required<
    Pick<RequestContext, "credential" | "route" | "pathParameters">
  >;

/** The success of an operation: a canonical record. The engine picks the fields that the version defines. */
export interface Success {
  readonly data: object;
  /** The status, when an assumption overrides the contract's. */
  readonly status?: number | undefined;
  /** Writes to the tables. Called when the response is encoded; must not throw. */
  readonly commit?: () => void;
}

/** The rules of one operation beyond its contract. The engine calls the functions in this order. */
export interface OperationHandler {
  /** Returns whether the service has the operation; it always has when this is left out. */
  readonly isServed?: (assumptions: Assumptions) => boolean;
  /** Changes a parsed body in place: removes what the assumptions accept although the contract does not. */
  readonly normalize?: (body: Fields, assumptions: Assumptions) => void;
  /**
   * Reports the problems of a body beyond the contract. The body may violate the contract as well, which is reported
   * separately: check only fields of the right type, so that one response lists every problem.
   */
  readonly validate?: (body: unknown, context: OperationContext, problems: ProblemList) => void;
  /** Performs the operation, except for its writes to the tables. */
  readonly handle: (context: OperationContext) => Success | Reply;
}
