import type { Contract } from "../../src/contract/index.ts";
import type { Assumptions } from "../assumptions/assumptions.ts";
import type { Reply } from "../engine/exchange.ts";
import type { Credential } from "../state/records.ts";
import type { State } from "../state/state.ts";

/** A request that has passed every check. */
export interface Call {
  readonly state: State;
  readonly assumptions: Assumptions;
  /** The contract of the version that processes the request. */
  readonly contract: Contract;
  readonly credential: Credential;
  readonly path: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  /** The base address that the request came in on. */
  readonly baseUrl: string;
}

/** A successful outcome: the canonical record, which is cut to the version before it leaves. */
export interface Success {
  readonly data: object;
  /** The status, where an assumption overrides the contract's. */
  readonly status?: number | undefined;
}

/** What an operation does. It either does all of it or nothing. */
export type Behaviour = (call: Call) => Success | Reply;
