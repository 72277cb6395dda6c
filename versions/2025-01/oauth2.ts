import * as z from "zod/mini";
import type { Call, CallOptions, Operation, OperationError, Send } from "../../src/contract.ts";
import {
  type CommonFailures,
  commonFailures,
  type InvalidAuthorization,
  InvalidAuthorizationSchema,
} from "./errors.ts";
import { SCOPES, type Scope } from "./names.ts";
import { type Timestamp, TimestampSchema } from "./timestamp.ts";

export const ScopeSchema = z.literal(SCOPES);

/** The OAuth client that requests authorization. It is an assumption which fields may be null. */
export interface AuthorizeClient {
  /** The time at which the client was created. */
  created_at: Timestamp;
  /** The time at which the client was last modified; null if never. */
  modified_at: Timestamp | null;
  /** The client's identifier (RFC 6749, section 2.2). */
  client_id: string;
  /** The client's display name. */
  client_name: string | null;
  /** The client's home page. */
  client_uri: string | null;
  /** The client's logo. */
  logo_uri: string | null;
  /** The client's terms of service. */
  tos_uri: string | null;
  /** The client's privacy policy. */
  policy_uri: string | null;
}

/** The user who authorizes. It is an assumption that `avatar_url` may be null. */
export interface AuthorizeUser {
  /** The user's identifier. */
  id: string;
  /** The user's email address (RFC 6531). */
  email: string;
  /** The address of the user's picture. */
  avatar_url: string | null;
}

/** An organization that can be selected. It is an assumption that `avatar_url` may be null. */
export interface AuthorizeOrganization {
  /** The organization's identifier. */
  id: string;
  /** The organization's short name in URLs. */
  slug: string;
  /** The organization's display name. */
  name: string;
  /** The address of the organization's picture. */
  avatar_url: string | null;
}

/** The fields that both variants of an authorization response share (specification, section 2.4). */
export interface AuthorizeResponseBase {
  /** The client that requests authorization. */
  client: AuthorizeClient;
  /** The scopes that the client requests. */
  scopes: Scope[];
  /** The organizations that can be selected. */
  organizations: AuthorizeOrganization[];
  /** Whether exactly one organization must be selected. */
  requires_single_organization: boolean;
  /** Display names by scope. It is an assumption that every scope has one, so any may be missing. */
  scope_display_names: { [Name in Scope]?: string };
}

/** The authorization response when a user authorizes. */
export interface AuthorizeResponseUser extends AuthorizeResponseBase {
  /** Distinguishes the two variants. */
  sub_type: "user";
  /** The user who authorizes. */
  sub: AuthorizeUser;
}

/**
 * The authorization response when an organization authorizes. The specification shows neither its `sub_type` nor its `sub`,
 * so any are accepted.
 */
export interface AuthorizeResponseOrganization extends AuthorizeResponseBase {
  /** Distinguishes the two variants. It is an assumption that it is `organization`; any string but `user` is accepted. */
  sub_type: "organization";
  /** The organization that authorizes. It is an assumption that it has `id`, `slug`, `name` and `avatar_url`, or is null. */
  sub: { [field: string]: unknown } | null;
}

/** The data of an authorization screen: the client, who authorizes, the scopes and the organizations. */
export type AuthorizeResponse = AuthorizeResponseUser | AuthorizeResponseOrganization;

export const AuthorizeClientSchema = z.object({
  created_at: TimestampSchema,
  modified_at: z.nullable(TimestampSchema),
  client_id: z.string(),
  client_name: z.nullable(z.string()),
  client_uri: z.nullable(z.string()),
  logo_uri: z.nullable(z.string()),
  tos_uri: z.nullable(z.string()),
  policy_uri: z.nullable(z.string()),
});

/** Accepts every address of RFC 6531 (Unicode, quoted local parts, address literals); only sending mail can verify one. */
const EmailSchema: z.ZodMiniType<string> = z.stringFormat("email", /^[^\r\n][^@\r\n]*@[^\r\n]+$/);

export const AuthorizeUserSchema = z.object({
  id: z.string(),
  email: EmailSchema,
  avatar_url: z.nullable(z.string()),
});

export const AuthorizeOrganizationSchema = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  avatar_url: z.nullable(z.string()),
});

/** A map of any labels. */
const LabelsSchema: z.ZodMiniType<{ [Name in Scope]?: string }> = z.catchall(z.object({}), z.string());

const shared = {
  client: AuthorizeClientSchema,
  scopes: z.array(ScopeSchema),
  organizations: z.array(AuthorizeOrganizationSchema),
  requires_single_organization: z.boolean(),
  scope_display_names: LabelsSchema,
};

export const AuthorizeResponseUserSchema = z.object({
  ...shared,
  sub_type: z.literal("user"),
  sub: AuthorizeUserSchema,
});

// `z.refine` would do the same, but adds 0.2 kB to every client.
const OtherSubTypeSchema = z.string().check(({ value, issues }) => {
  const message = "a user needs a sub with id, email and avatar_url";
  if (value === "user") issues.push({ code: "custom", input: value, message, continue: false });
}) as z.ZodMiniType<string> as z.ZodMiniType<"organization">;

export const AuthorizeResponseOrganizationSchema = z.object({
  ...shared,
  sub_type: OtherSubTypeSchema,
  sub: z.nullable(z.looseObject({})),
});

export const AuthorizeResponseSchema = z.union([AuthorizeResponseUserSchema, AuthorizeResponseOrganizationSchema]);

/**
 * Query parameters of the authorization lookup. All are optional, and the specification shows none. The names
 * come from RFC 6749, RFC 7636 and OpenID Connect Core 1.0.
 */
export interface AuthorizeQuery {
  /** The client that requests authorization (RFC 6749, section 4.1.1). */
  client_id?: string | undefined;
  /** The response type: `code` for the authorization code flow. */
  response_type?: string | undefined;
  /** The address that the user is redirected to afterwards. */
  redirect_uri?: string | undefined;
  /** The requested scopes, separated by spaces (RFC 6749, section 3.3). */
  scope?: string | undefined;
  /** An opaque value that the redirect returns. */
  state?: string | undefined;
  /** Associates an ID token with a session (OpenID Connect Core 1.0). */
  nonce?: string | undefined;
  /** Controls whether the user is prompted again (OpenID Connect Core 1.0). */
  prompt?: string | undefined;
  /** The PKCE code challenge (RFC 7636). */
  code_challenge?: string | undefined;
  /** The method that produced the challenge: `S256` or `plain` (RFC 7636). */
  code_challenge_method?: string | undefined;
  /** The requested variant of the response. By default, the kind of credential decides. */
  sub_type?: "user" | "organization" | undefined;
}

export const AuthorizeQuerySchema = z.object({
  client_id: z.exactOptional(z.string()),
  response_type: z.exactOptional(z.string()),
  redirect_uri: z.exactOptional(z.string()),
  scope: z.exactOptional(z.string()),
  state: z.exactOptional(z.string()),
  nonce: z.exactOptional(z.string()),
  prompt: z.exactOptional(z.string()),
  code_challenge: z.exactOptional(z.string()),
  code_challenge_method: z.exactOptional(z.string()),
  sub_type: z.exactOptional(z.literal(["user", "organization"])),
});

/** The error bodies that `oauth2.authorize` declares, by status. */
export interface AuthorizeFailures extends CommonFailures {
  400: InvalidAuthorization;
}

export const authorize: Operation<{ query: AuthorizeQuery; data: AuthorizeResponse; failures: AuthorizeFailures }> = {
  id: "oauth2:authorize",
  method: "GET",
  path: "/v1/oauth2/authorize",
  summary: "Look up the data of an authorization screen.",
  security: { schemes: ["oidc", "pat", "oat"], scopes: [] },
  request: { query: AuthorizeQuerySchema },
  response: { status: 200, body: AuthorizeResponseSchema },
  failures: { ...commonFailures, 400: InvalidAuthorizationSchema },
  idempotent: () => true,
};

/** Calls the operations of the OpenID Connect flow. */
export interface OAuth2 {
  /**
   * Looks up the data of an authorization screen: the client, who authorizes, the requested scopes and the organizations
   * to select from. Requires a bearer credential, but no particular scope. It is retried after temporary failures.
   *
   * @remarks Assumptions: G-AUT-QUERY, G-AUT-ORG, G-AUT-OPEN, G-AUT-LABELS and G-AUT-NULL. docs/rules.md lists them.
   * @param query The client's authorization request. Its parameters are an assumption.
   * @throws {@link ApiError} with status 400 when the client or a scope is unknown.
   * @example
   * ```ts
   * const screen = await billing.oauth2.authorize();
   * ```
   * @see Specification, section 4.3
   */
  authorize(query?: AuthorizeQuery, options?: CallOptions): Call<AuthorizeResponse, OperationError<AuthorizeFailures>>;
}

/** Binds the operations to a client's `send`. */
export function oauth2(send: Send): OAuth2 {
  return {
    authorize: (query = {}, options) => send(authorize, { query }, options),
  };
}
