import type { SecuritySchemeName } from "../../src/contract/index.ts";
import type { ScopeName } from "../generated/names.ts";
import {
  type FieldType,
  fieldType,
  finite,
  oneOf,
  reference,
  requireOptions,
  text,
  texts,
  unknownName,
} from "../options/field-types.ts";
import { idOf } from "./ids.ts";
import type { Credential, Organization, User } from "./records.ts";
import type { State } from "./state.ts";

/** Options for `issueToken`. All are optional. */
export interface TokenInput<Scope extends string = ScopeName> {
  /** The kind of credential. Defaults to `oat`. */
  readonly type?: SecuritySchemeName | undefined;
  /** The token's scopes. Defaults to every scope. */
  readonly scopes?: readonly Scope[] | undefined;
  /** The organization of an `oat`, or its id. Defaults to the mock's default organization. */
  readonly organization?: Organization | string | undefined;
  /** The user of an `oidc` or `pat`, or the user's id. Defaults to the mock's default user. */
  readonly user?: User | string | undefined;
  /** The lifetime in seconds. Never expires by default. */
  readonly expiresIn?: number | undefined;
  /** The token itself, for programs with a fixed token. Defaults to a random token. */
  readonly token?: string | undefined;
}

const TOKEN_INPUT: Readonly<Record<keyof TokenInput, FieldType>> = {
  type: oneOf("oidc", "pat", "oat"),
  scopes: texts,
  organization: reference,
  user: reference,
  expiresIn: finite,
  token: fieldType(
    "visible ASCII characters, without spaces",
    (value) => text.fits(value) && /^[\x21-\x7e]+$/.test(value as string),
  ),
};

/** Issues a token. */
export function issueToken(state: State, input: TokenInput<string>): string {
  requireOptions("issueToken", input, TOKEN_INPUT);
  const { type = "oat", scopes, expiresIn } = input;
  const { token = `billing_${type}_${state.ids.alphanumeric(32)}` } = input;
  if (state.tables.credentials.get(token)?.revoked === false) {
    throw new TypeError("issueToken: the given `token` was already issued. Revoke it before you issue it again.");
  }
  if (scopes !== undefined) requireScopes(scopes, state, "issueToken");
  const credential: Credential = {
    token,
    type,
    scopes: Object.freeze([...(scopes ?? knownScopes(state))]),
    user_id: type === "oat" ? null : ownerOf("user", input, state),
    organization_id: type === "oat" ? ownerOf("organization", input, state) : null,
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

/** Returns the id of the user or the organization that a token belongs to. */
function ownerOf(owner: "user" | "organization", input: TokenInput<string>, { tables, defaults }: State): string {
  const other = owner === "user" ? "organization" : "user";
  if (input[other] !== undefined) {
    const { type = "oat" } = input;
    throw new TypeError(
      `issueToken: \`${other}\` is not allowed with the type "${type}"; pass \`${owner}\` or nothing.`,
    );
  }
  const id = idOf(input[owner]) ?? defaults[`${owner}_id`];
  if (!tables[`${owner}s`].has(id)) throw new TypeError(`issueToken: unknown ${owner} "${id}".`);
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
