import type { Difference } from "./difference.ts";

/** Creates a difference in an operation. `part` names a part of it, such as `query parameter page`. */
export function operationDifference(
  { id }: { readonly id: string },
  change: Difference["change"],
  message: string,
  breaking: boolean,
  part?: string,
): Difference {
  const subject = part === undefined ? id : `${id} ${part}`;
  return { area: "operation", change, subject, message, breaking, operations: [id] };
}
