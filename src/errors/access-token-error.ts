import { BillingError, isBillingError } from "./billing-error.ts";

/** The function given as `accessToken` failed, so that no request was sent. `cause` holds what it threw. */
export class AccessTokenError extends BillingError {
  override readonly name = "AccessTokenError";
}

/** Tells whether a value is an {@link AccessTokenError}, from any copy of the package. */
export function isAccessTokenError(value: unknown): value is AccessTokenError {
  return isBillingError(value) && value.name === "AccessTokenError";
}
