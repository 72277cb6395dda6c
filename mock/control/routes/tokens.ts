import type { TokenInput } from "../../state/tokens.ts";
import type { RoutesOf } from "./route.ts";

/** Operations on access tokens. */
export interface TokenOperations {
  issue(request: { readonly body: TokenInput }): { readonly token: string };
  revoke(request: { readonly body: { readonly token: string } }): void;
}

export const tokenRoutes: RoutesOf<TokenOperations> = {
  issue: {
    method: "POST",
    path: "/tokens",
    summary: "Issues an access token; by default an organization access token with every scope.",
    body: "`type`, `scopes`, `organization`, `user`, `expiresIn` (seconds) and `token`, all optional.",
    status: 201,
  },
  revoke: {
    method: "POST",
    path: "/tokens/revoke",
    summary: "Revokes an access token.",
    body: "The access token, in `token`.",
  },
};
