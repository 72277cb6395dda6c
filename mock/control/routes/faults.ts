import type { Fault, FaultInput } from "../../faults/fault.ts";
import type { RoutesOf } from "./route.ts";

/** Operations on faults. */
export interface FaultOperations {
  add(request: { readonly body: FaultInput }): Fault;
  list(): readonly Fault[];
  remove(request: { readonly id: string }): boolean;
  clear(): void;
}

export const faultRoutes: RoutesOf<FaultOperations> = {
  add: {
    method: "POST",
    path: "/faults",
    summary: "Adds a fault, which makes matching requests fail.",
    body: "`operation`, `status`, `delay` (milliseconds), `retryAfter` (seconds), `kind`, `skip`, `times` and `probability`.",
    status: 201,
  },
  list: { method: "GET", path: "/faults", summary: "Lists the active faults." },
  remove: { method: "DELETE", path: "/faults/{id}", summary: "Removes a fault.", absent: { value: false } },
  clear: { method: "DELETE", path: "/faults", summary: "Removes every fault." },
};
