import { codeBlock, codeGroup, toJson } from "../../markdown.ts";
import type { OperationDocs } from "./operation-docs.ts";

/** Returns programs that call an operation, as tabs: with the client and with curl. */
export function examples({ example, request }: OperationDocs, version: string): string {
  const client = `import { createClient } from "@billing-service/sdk/${version}";

const billing = createClient({
  accessToken: process.env.BILLING_TOKEN,
  baseUrl: process.env.BILLING_URL,
});

${example}
console.log(${/^const (\w+)/.exec(example)?.[1]});
`;
  const tabs = [codeBlock("ts", client, "Client"), codeBlock("sh", curl(request, version), "curl")];
  return `${codeGroup(tabs)}\n\`BILLING_URL\` is the base URL of the service, and \`BILLING_TOKEN\` an [access token](/guides/client#get-an-access-token).\n`;
}

function curl({ method, path, query, body }: OperationDocs["request"], version: string): string {
  const json =
    body === null ? [] : ['-H "Content-Type: application/json"', `-d '${toJson(body).replaceAll("\n", "\n  ")}'`];
  const option = method === (body === null ? "GET" : "POST") ? "" : `-X ${method} `;
  const lines = [
    `"$BILLING_URL${path}${query === "" ? "" : `?${query}`}"`,
    '-H "Authorization: Bearer $BILLING_TOKEN"',
    `-H "Service-Version: ${version}"`,
    '-H "Accept: application/json"',
    ...json,
  ];
  return `curl ${option}${lines.join(" \\\n  ")}\n`;
}
