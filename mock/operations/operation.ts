import type { Contract, Operation } from "../../src/contract/index.ts";
import type { Assumptions } from "../assumptions/assumptions.ts";
import type { Address, IncomingRequest, Reply } from "../http/messages.ts";
import type { Credential } from "../state/records.ts";
import type { State } from "../state/state.ts";
import type { BodySchema } from "../validation/body-schema.ts";
import type { Problem, ProblemList } from "../validation/problems.ts";

/** An operation of a contract, prepared for requests. */
export interface Route {
  readonly operation: Operation;
  /** Reads a query string into the values that the contract checks. */
  readonly readQuery: (search: string) => Record<string, unknown>;
  /** Checks the body; undefined when the operation has none. */
  readonly body: BodySchema | undefined;
}

/** A route with the decoded parameters of a path. */
export interface Match {
  readonly route: Route;
  readonly parameters: Readonly<Record<string, string>>;
}

/** What the token of a request says: a valid credential, or the response to another token. Both are missing without one. */
export interface Identity {
  readonly credential?: Credential;
  readonly rejection?: Reply;
}

/** A request on its way through the pipeline. */
export interface RequestContext {
  readonly state: State;
  readonly assumptions: Assumptions;
  readonly request: IncomingRequest;
  readonly address: Address;
  /** The contract of the version that processes the request; undefined when the version is not supported. */
  readonly contract: Contract | undefined;
  /** The operation; undefined when the version or the path has none. */
  readonly match: Match | undefined;
  /** Milliseconds since 1970, by the mock's clock; 0 when the clock fails. */
  receivedAt: number;
  /** Looks up the token when it is first needed. */
  readonly identity: () => Identity;
  /** The body as text; undefined when there is none or it is not read yet. Bytes that are not UTF-8 are U+FFFD. */
  text?: string;
  isGarbled?: boolean;
  /** The fields of the query and the body that the contract does not define. */
  readonly ignored: Set<string>;
}

/** A request to an operation, with a valid credential. */
export interface OperationContext extends RequestContext {
  readonly contract: Contract;
  readonly match: Match;
  readonly credential: Credential;
}

/** The checked parameters and body of a request. */
export interface Input {
  query: unknown;
  body: unknown;
}

/** The success of an operation: a canonical record. The engine picks the fields that the version defines. */
export interface Success {
  /** The body; undefined if the operation has none in any version. */
  readonly data: object | undefined;
  /** Writes to the tables. Called when the response is encoded; must not throw. */
  readonly commit?: () => void;
}

/** The rules of one operation beyond its contract. The engine calls the functions in this order. */
export interface OperationHandler {
  /** Returns the maximum length of a list in a body. */
  readonly maxItems?: (assumptions: Assumptions) => number;
  /**
   * Reports the problems of a body beyond the contract. The body may violate the contract as well, which is reported
   * separately: check only fields of the right type, so that one response lists every problem.
   */
  readonly validate?: (body: unknown, context: OperationContext, problems: ProblemList) => void;
  /** Performs the operation, except for its writes to the tables. */
  readonly handle: (context: OperationContext, input: Input) => Success | Reply;
}

/** Returns the organizations that a credential has access to: its own, or its user's. */
export function organizationsOf(
  credential: Credential,
  { tables: { users, organizations } }: State,
): readonly string[] {
  if (credential.organization_id !== null) return [credential.organization_id];
  const named = users.get(credential.user_id ?? "")?.organization_ids ?? [];
  return [...new Set(named)].filter((id) => organizations.has(id));
}

/** Returns the organization that a new record belongs to: the named one, or the credential's only one (G-EVT-ORG). */
export function ownerOf(named: unknown, { credential, state }: OperationContext): string | undefined {
  const accessible = organizationsOf(credential, state);
  if (typeof named === "string") return accessible.find((id) => id === named.toLowerCase());
  return accessible.length === 1 ? accessible[0] : undefined;
}

/**
 * Returns the problem with `organization_id` in a body: missing, not allowed, or not accessible to the credential. The contract
 * reports another type first.
 */
export function organizationProblem(named: unknown, context: OperationContext): Omit<Problem, "loc"> | undefined {
  const { credential, assumptions } = context;
  const rule = assumptions.organizationField[credential.type];
  if (named === undefined) {
    const isNeeded = rule === "required" || ownerOf(named, context) === undefined;
    return isNeeded ? { msg: "Field required", type: "missing" } : undefined;
  }
  if (rule === "forbidden") return { msg: NOT_ALLOWED, type: "value_error", input: named };
  if (ownerOf(named, context) !== undefined) return undefined;
  return { msg: "The credential has no access to this organization", type: "value_error", input: named };
}

const NOT_ALLOWED = "organization_id is not allowed with an access token that belongs to an organization";
