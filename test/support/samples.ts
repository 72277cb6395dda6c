/** An unknown customer. By default, the mock accepts events of unknown customers. */
export const CUSTOMER = "6f1c0a52-3b0d-4c55-9d0e-0a4d1e6f7b21";

/** An unknown version 4 UUID. */
export const NOBODY = "00000000-0000-4000-8000-000000000000";

/** The format of the service's timestamps. */
export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** Returns a usage event with the given fields. */
export function usage<Fields extends object>(fields: Fields = {} as Fields) {
  return { name: "api.call", customer_id: CUSTOMER, ...fields };
}

/** Returns the input for creating an endpoint, with the given fields. */
export function endpointInput<Fields extends object>(fields: Fields = {} as Fields) {
  return { url: "https://hooks.example/billing", format: "raw" as const, events: ["order.paid" as const], ...fields };
}
