export { deliver, type Failure, type Parcel, type Refusal, type Route, type Stored } from "./deliver.ts";
export { backoff, type RetryDelays, RetryGate } from "./retry-gate.ts";
