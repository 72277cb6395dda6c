import type { VNode } from "preact";
import { findOperation, findVersion, operationContent } from "../../link/default-content.ts";
import type { SampleVersion } from "../../playground-data.ts";
import { Select } from "../elements/field.tsx";
import type { PlaygroundProps } from "../playground.ts";

/** Fills the request and the program with the examples of an operation. */
export function OperationSelect({ playground: { data, content, edit } }: PlaygroundProps): VNode {
  const version = findVersion(data, content.version) ?? (data.versions[0] as SampleVersion);
  const shown = version.operations.find(
    ({ request }) => request.method === content.method && request.path === content.path,
  );
  const options = version.operations.map(({ name }) => [name, `billing.${name}`] as const);
  const fill = (name: string) => {
    const operation = findOperation(version, name);
    const scopes = content.scopes === "all" ? { scopes: "all" as const } : {};
    if (operation) edit({ ...operationContent(operation), ...scopes });
  };
  const other = shown ? [] : [["", "Your own request"] as const];
  return <Select label="Operation" value={shown?.name ?? ""} options={[...other, ...options]} onChange={fill} />;
}
