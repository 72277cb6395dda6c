import type { Operation, OperationTypes } from "../contract/index.ts";
import type { OperationError } from "../errors/index.ts";
import type { Call } from "./call.ts";
import type { CallOptions } from "./options.ts";

/** What a request of an operation carries. */
export interface Parameters<Types extends OperationTypes> {
  readonly path?: Types["path"];
  readonly query?: Types["query"];
  readonly body?: Types["body"];
}

/** Sends an operation of the contract. */
export type Send = <Types extends OperationTypes>(
  operation: Operation<Types>,
  parameters: Parameters<Types>,
  options?: CallOptions,
) => Call<Types["data"], OperationError<Types["failures"]>>;
