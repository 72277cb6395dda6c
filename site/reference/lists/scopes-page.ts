import { anchored, page, table } from "../../markdown.ts";
import type { OperationDocs } from "../operations/operation-docs.ts";
import { exportOf, sourceOf, type VersionDocs } from "../version-docs.ts";

/** Writes the page with a version's scopes, and the operations that accept each. */
export function scopesPage(
  { version, project, symbols }: VersionDocs,
  scopes: readonly string[],
  operations: readonly OperationDocs[],
): string {
  const rows = scopes.map((scope) => {
    const accepting = operations.filter(({ operation }) => operation.security.scopes.includes(scope));
    const links = accepting.map(({ call }) => `[\`${call}\`](${symbols[call]})`);
    return [anchored(scope), links.join(", ")];
  });
  // What the operations need comes first.
  rows.sort(([, one = ""], [, other = ""]) => Number(one === "") - Number(other === ""));
  const front = {
    title: "Scopes",
    description: `The ${scopes.length} scopes of access tokens in version ${version}, with the operations that accept each.`,
    source: sourceOf(exportOf("SCOPES", project))?.fileName,
    pageClass: "catalog",
  };
  return page(
    front,
    `A scope is a permission of an access token. An operation accepts a token with any one of its scopes, and responds to others with a [403](/guides/errors#status-codes). In code, the ${scopes.length} scopes are \`SCOPES\` and the type \`Scope\`. [Get an access token](/guides/client#get-an-access-token) shows how to request them.

${table(["Scope", "Operations that accept it"], rows)}`,
  );
}
