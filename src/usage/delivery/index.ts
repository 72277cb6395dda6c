export { type Destination, deliver, type Failure, type Parcel, type Refusal, type Stored } from "./deliver.ts";
export { parseParcel } from "./parse-parcels.ts";
export { backoff, type RetryDelays, RetryGate } from "./retry-gate.ts";
