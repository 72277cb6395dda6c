import type { VNode } from "preact";
import { findVersion } from "../../link/default-content.ts";
import type { PlaygroundProps } from "../playground.ts";

/** Selects the scopes of the token. */
export function ScopePicker({ playground: { data, content, edit } }: PlaygroundProps): VNode {
  const all = (findVersion(data, content.version) ?? data.versions[0])?.scopes ?? [];
  const selected = content.scopes === "all" ? all : content.scopes;
  const change = (scope: string, isSelected: boolean) => {
    const scopes = all.filter((each) => (each === scope ? isSelected : selected.includes(each)));
    edit({ scopes: scopes.length === all.length ? "all" : scopes });
  };
  return (
    <details class="playground-scopes">
      <summary>
        Scopes: <span>{summary(content.scopes)}</span>
      </summary>
      <div class="playground-actions">
        <button type="button" onClick={() => edit({ scopes: "all" })}>
          Select all scopes
        </button>
        <button type="button" onClick={() => edit({ scopes: [] })}>
          Select no scopes
        </button>
      </div>
      <fieldset>
        <legend>Scopes of the token</legend>
        {all.map((scope) => (
          <label key={scope}>
            <input
              type="checkbox"
              checked={selected.includes(scope)}
              onChange={({ currentTarget }) => change(scope, currentTarget.checked)}
            />
            <code>{scope}</code>
          </label>
        ))}
      </fieldset>
    </details>
  );
}

function summary(scopes: "all" | readonly string[]): string {
  if (scopes === "all") return "all";
  if (scopes.length === 0) return "none";
  return scopes.length > 3 ? `${scopes.slice(0, 3).join(", ")} and ${scopes.length - 3} more` : scopes.join(", ");
}
