import type { FaultInput, Mock } from "../../mock/index.ts";

/** Every kind of fault. 413 and 422 are missing: they are a verdict about the events. The last one only delays. */
const FAULTS: readonly FaultInput[] = [
  { kind: "reset" },
  { kind: "empty-reply" },
  { kind: "bad-status-line" },
  { kind: "timeout" },
  { kind: "malformed" },
  { kind: "truncated" },
  { status: 401 },
  { status: 429, retryAfter: 0 },
  { status: 500 },
  { status: 503 },
  { delay: 100 },
];

/** The probability of each fault with which a request fails in 20% of all cases. */
const PROBABILITY = 1 - 0.8 ** (1 / (FAULTS.length - 1));

/** Makes 20% of the requests fail, in every way. */
export function failRequests(mock: Pick<Mock, "fault">): void {
  for (const fault of FAULTS) mock.fault({ ...fault, probability: PROBABILITY });
}

/** Returns the share of requests that did not get a success. */
export function failedShare({ faults, requests }: Pick<Mock, "faults" | "requests">): number {
  const struck = faults.list().slice(0, -1);
  return struck.reduce((sum, fault) => sum + fault.struck, 0) / requests.count;
}
