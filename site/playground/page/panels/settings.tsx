import type { VNode } from "preact";
import type { Credential } from "../../link/content.ts";
import { Select } from "../elements/field.tsx";
import type { Playground, PlaygroundProps } from "../playground.ts";
import { OperationSelect } from "./operation-select.tsx";
import { ScopePicker } from "./scope-picker.tsx";

const TOKENS: readonly (readonly [Credential, string])[] = [
  ["oat", "Organization access token"],
  ["pat", "Personal access token"],
  ["oidc", "OpenID Connect token"],
];

/** Shows what the request and the program have in common: the version and the token. */
export function Settings({ playground }: PlaygroundProps): VNode {
  const { data, session, content, edit } = playground;
  const versions = data.versions.map(({ name }) => [name, `${name} (${session.stateOf(name)})`] as const);
  return (
    <div class="playground-settings">
      <OperationSelect playground={playground} />
      <Select
        label="API version"
        value={content.version}
        options={[...versions, ["", "None: the service uses Current"]]}
        onChange={(version) => edit({ version, code: withVersion(content.code, version, playground) })}
      />
      <Select
        label="Token"
        value={content.credential}
        options={TOKENS}
        onChange={(credential) => edit({ credential: credential as Credential })}
      />
      <ScopePicker playground={playground} />
    </div>
  );
}

/** Replaces the imports of one version in a program; a program that mentions several versions stays as it is. */
function withVersion(code: string, version: string, { data }: Playground): string {
  const used = data.versions.filter(({ name }) => code.includes(`sdk/${name}`));
  if (version === "" || used.length !== 1) return code;
  return code.replaceAll(`sdk/${used[0]?.name}`, `sdk/${version}`);
}
