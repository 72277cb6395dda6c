import * as z from "zod/mini";
import type { Schema } from "../../../src/contract/index.ts";
import { SCOPES, type Scope, ScopeSchema } from "./scope.ts";
import { type Timestamp, TimestampSchema } from "./timestamp.ts";

/** The OAuth client that asks for authorization. Which of its fields may be null is an assumption (G-AUT-NULL). */
export interface AuthorizeClient {
  /** When the client was created. */
  created_at: Timestamp;
  /** When the client was last modified; null when it never was. */
  modified_at: Timestamp | null;
  /** The client's identifier (RFC 6749, section 2.2). */
  client_id: string;
  /** The name to show to a person. */
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

/** The user who authorizes. That `avatar_url` may be null is an assumption (G-AUT-NULL). */
export interface AuthorizeUser {
  /** The user's identifier. */
  id: string;
  /** The user's email address (RFC 6531). */
  email: string;
  /** A picture of the user. */
  avatar_url: string | null;
}

/**
 * An organization that can be chosen, or that authorizes. That `avatar_url` may be null is an assumption (G-AUT-NULL).
 */
export interface AuthorizeOrganization {
  /** The organization's identifier. */
  id: string;
  /** Its short name in addresses. */
  slug: string;
  /** Its name to show to a person. */
  name: string;
  /** Its picture. */
  avatar_url: string | null;
}

/** What an authorization screen shows, whoever authorizes (specification, section 2.4). */
export interface AuthorizeResponseBase {
  /** The client that asks. */
  client: AuthorizeClient;
  /** The scopes it asks for. */
  scopes: Scope[];
  /** The organizations that can be chosen. */
  organizations: AuthorizeOrganization[];
  /** Whether exactly one organization must be chosen. */
  requires_single_organization: boolean;
  /** A label to show to a person, for every scope of the version (G-AUT-LABELS). */
  scope_display_names: Record<Scope, string>;
}

/** The answer where a user authorizes. */
export interface AuthorizeResponseUser extends AuthorizeResponseBase {
  /** Tells the two variants apart. */
  sub_type: "user";
  /** The user. */
  sub: AuthorizeUser;
}

/** The answer where an organization authorizes (an assumption, G-AUT-ORG). */
export interface AuthorizeResponseOrganization extends AuthorizeResponseBase {
  /** Tells the two variants apart. */
  sub_type: "organization";
  /** The organization; null when none is known. */
  sub: AuthorizeOrganization | null;
}

/** What an authorization screen needs: the client, who authorizes, the scopes and the organizations. */
export type AuthorizeResponse = AuthorizeResponseUser | AuthorizeResponseOrganization;

export const AuthorizeClientSchema: Schema<AuthorizeClient> = z.object({
  created_at: TimestampSchema,
  modified_at: z.nullable(TimestampSchema),
  client_id: z.string(),
  client_name: z.nullable(z.string()),
  client_uri: z.nullable(z.string()),
  logo_uri: z.nullable(z.string()),
  tos_uri: z.nullable(z.string()),
  policy_uri: z.nullable(z.string()),
});

/** Accepts every address of RFC 6531 (Unicode, quoted local parts, address literals); only a delivery can verify one. */
const EmailSchema: Schema<string> = z.email({ pattern: /^[^\r\n]+@[^\r\n]+$/ });

export const AuthorizeUserSchema: Schema<AuthorizeUser> = z.object({
  id: z.string(),
  email: EmailSchema,
  avatar_url: z.nullable(z.string()),
});

export const AuthorizeOrganizationSchema: Schema<AuthorizeOrganization> = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  avatar_url: z.nullable(z.string()),
});

const shared = {
  client: AuthorizeClientSchema,
  scopes: z.array(ScopeSchema),
  organizations: z.array(AuthorizeOrganizationSchema),
  requires_single_organization: z.boolean(),
  scope_display_names: z.looseRecord(z.enum(SCOPES), z.string()),
};

export const AuthorizeResponseUserSchema: Schema<AuthorizeResponseUser> = z.object({
  ...shared,
  sub_type: z.literal("user"),
  sub: AuthorizeUserSchema,
});

export const AuthorizeResponseOrganizationSchema: Schema<AuthorizeResponseOrganization> = z.object({
  ...shared,
  sub_type: z.literal("organization"),
  sub: z.nullable(AuthorizeOrganizationSchema),
});

export const AuthorizeResponseSchema: Schema<AuthorizeResponse> = z.union([
  AuthorizeResponseUserSchema,
  AuthorizeResponseOrganizationSchema,
]);

/**
 * What the lookup takes; all of it optional, none of it shown by the specification (G-AUT-QUERY). The names are those of
 * RFC 6749, RFC 7636 and OpenID Connect Core 1.0.
 */
export interface AuthorizeQuery {
  /** The client that asks (RFC 6749, section 4.1.1; G-AUT-QUERY). */
  client_id?: string | undefined;
  /** The kind of response, `code` for the authorization code flow (G-AUT-QUERY). */
  response_type?: string | undefined;
  /** Where the person is sent afterwards (G-AUT-QUERY). */
  redirect_uri?: string | undefined;
  /** The scopes asked for, separated by spaces (RFC 6749, section 3.3; G-AUT-QUERY). */
  scope?: string | undefined;
  /** An opaque value that comes back with the redirect (G-AUT-QUERY). */
  state?: string | undefined;
  /** Ties an ID token to a session (OpenID Connect Core 1.0; G-AUT-QUERY). */
  nonce?: string | undefined;
  /** Whether the person is asked again (OpenID Connect Core 1.0; G-AUT-QUERY). */
  prompt?: string | undefined;
  /** The challenge of PKCE (RFC 7636; G-AUT-QUERY). */
  code_challenge?: string | undefined;
  /** How the challenge was made, `S256` or `plain` (RFC 7636; G-AUT-QUERY). */
  code_challenge_method?: string | undefined;
  /** The variant of the answer asked for; the kind of credential decides by default (G-AUT-ORG). */
  sub_type?: "user" | "organization" | undefined;
}

export const AuthorizeQuerySchema: Schema<AuthorizeQuery> = z.object({
  client_id: z.exactOptional(z.string()),
  response_type: z.exactOptional(z.string()),
  redirect_uri: z.exactOptional(z.string()),
  scope: z.exactOptional(z.string()),
  state: z.exactOptional(z.string()),
  nonce: z.exactOptional(z.string()),
  prompt: z.exactOptional(z.string()),
  code_challenge: z.exactOptional(z.string()),
  code_challenge_method: z.exactOptional(z.string()),
  sub_type: z.exactOptional(z.enum(["user", "organization"])),
});
