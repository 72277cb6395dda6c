import { unknownName } from "../options/shape.ts";
import type { State } from "./state.ts";

/** Returns every scope of the supported versions. */
export function knownScopes({ versions }: State): readonly string[] {
  return [...new Set([...versions.contracts.values()].flatMap(({ scopes }) => scopes))];
}

/** Throws unless a supported version has each of the scopes. */
export function requireScopes(scopes: readonly string[], state: State, place: string): void {
  const known = knownScopes(state);
  const unknown = scopes.find((scope) => !known.includes(scope));
  if (unknown !== undefined) throw new TypeError(`${place}: ${unknownName("scope", unknown, known)}`);
}
