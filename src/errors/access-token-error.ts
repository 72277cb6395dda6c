import { BillingError, isBillingError } from "./billing-error.ts";

/** Means that the function given as `accessToken` failed. No request was sent. `cause` is the error that it threw. */
export class AccessTokenError extends BillingError {
  override readonly name = "AccessTokenError";
}

/** Returns whether a value is an {@link AccessTokenError}, from any copy of the package. */
export function isAccessTokenError(value: unknown): value is AccessTokenError {
  return isBillingError(value) && value.name === "AccessTokenError";
}
