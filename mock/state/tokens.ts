import type { SecuritySchemeName } from "../../src/contract/index.ts";
import type { ScopeName } from "../generated/names.ts";
import { anything, finite, reference, texts } from "../options/field-kinds.ts";
import { type FieldKind, formatValue, requireOptions, unknownName } from "../options/shape.ts";
import { idOf } from "./ids.ts";
import type { Credential, Organization, User } from "./records.ts";
import type { State } from "./state.ts";

/** Options for `issueToken`. All are optional. */
export interface TokenInput {
  /** The kind of credential; `oat` by default. */
  readonly type?: SecuritySchemeName | undefined;
  /** The scopes of the token. Defaults to every scope. */
  readonly scopes?: readonly ScopeName[] | undefined;
  /** The organization of an `oat`, or its id; the default organization by default. */
  readonly organization?: Organization | string | undefined;
  /** The user of an `oidc` or `pat`, or the user's id; the default user by default. */
  readonly user?: User | string | undefined;
  /** The lifetime in seconds. Never expires by default. */
  readonly expiresIn?: number | undefined;
  /** The token itself, for programs that are configured with a fixed one; a random one by default. */
  readonly token?: string | undefined;
}

/** The valid values of the options of `issueToken`. */
export const TOKEN_INPUT: Readonly<Record<keyof TokenInput, FieldKind>> = {
  type: anything,
  scopes: texts,
  organization: reference,
  user: reference,
  expiresIn: finite,
  token: anything,
};

/** Issues a token. */
export function issueToken(state: State, input: TokenInput): string {
  requireOptions("issueToken", input, TOKEN_INPUT);
  const { type = "oat", scopes, expiresIn } = input;
  if (!["oidc", "pat", "oat"].includes(type)) {
    throw new TypeError(`issueToken: \`type\` must be "oidc", "pat" or "oat"; received ${formatValue(type)}.`);
  }
  const credential: Credential = {
    token: tokenOf(input, state) ?? `billing_${type}_${state.ids.alphanumeric(32)}`,
    type,
    scopes: Object.freeze([...checkedScopes(scopes, state)]),
    user_id: type === "oat" ? null : userOf(input, state),
    organization_id: type === "oat" ? organizationOf(input, state) : null,
    expires_at: expiresIn === undefined ? null : state.clock.now() + expiresIn * 1000,
    revoked: false,
  };
  state.tables.credentials.set(credential.token, Object.freeze(credential));
  return credential.token;
}

/** Revokes a token. */
export function revokeToken(state: State, token: string): void {
  const credential = state.tables.credentials.get(token);
  if (!credential) throw new TypeError("revokeToken: the token was not issued by this mock.");
  state.tables.credentials.set(token, Object.freeze({ ...credential, revoked: true }));
}

function tokenOf({ token }: TokenInput, { tables }: State): string | undefined {
  if (token === undefined) return undefined;
  if (typeof token !== "string" || !/^[\x21-\x7e]+$/.test(token)) {
    throw new TypeError("issueToken: `token` must consist of visible ASCII characters, without spaces.");
  }
  if (tables.credentials.has(token)) throw new TypeError("issueToken: the given `token` was already issued.");
  return token;
}

function checkedScopes(scopes: readonly string[] | undefined, state: State): readonly string[] {
  if (scopes === undefined) return knownScopes(state);
  requireScopes(scopes, state, "issueToken");
  return scopes;
}

function userOf({ user, organization }: TokenInput, { tables, defaults }: State): string {
  if (organization !== undefined) {
    throw new TypeError(
      'issueToken: `organization` is only allowed with the type "oat"; other tokens have access to the user\'s organizations.',
    );
  }
  const id = idOf(user) ?? defaults.user_id;
  if (!tables.users.has(id)) throw new TypeError(`issueToken: unknown user "${id}".`);
  return id;
}

function organizationOf({ user, organization }: TokenInput, { tables, defaults }: State): string {
  if (user !== undefined)
    throw new TypeError(
      'issueToken: `user` is only allowed with the types "oidc" and "pat"; an "oat" belongs to an organization.',
    );
  const id = idOf(organization) ?? defaults.organization_id;
  if (!tables.organizations.has(id)) throw new TypeError(`issueToken: unknown organization "${id}".`);
  return id;
}

/** Returns every scope of the supported versions. */
function knownScopes({ versions }: State): readonly string[] {
  return [...new Set([...versions.contracts.values()].flatMap(({ scopes }) => scopes))];
}

/** Throws unless a supported version has each of the scopes. */
export function requireScopes(scopes: readonly string[], state: State, place: string): void {
  const known = knownScopes(state);
  const unknown = scopes.find((scope) => !known.includes(scope));
  if (unknown !== undefined) throw new TypeError(`${place}: ${unknownName("scope", unknown, known)}`);
}
