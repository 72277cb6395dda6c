import { bold, dim, green, red } from "./terminal.ts";
import type { Account, AnsweredVersion, Authorization, Ingested, RejectedCall, Usage } from "./tour.ts";

/** Formats the results of the tour. */
export function writeAccount({ endpoint, usage, authorization, rejectedCall, versions }: Account): string {
  return [
    dim("The Billing Service in memory. It runs entirely in this process."),
    section("1  A webhook endpoint", "webhooks.createEndpoint, webhooks.getEndpoint"),
    row("id", endpoint.id),
    row("url", endpoint.url),
    row("events", endpoint.events.join(", ")),
    row("payloads", `${endpoint.format}, version ${endpoint.api_version}`),
    section("2  A file of usage, ingested twice", "ingestAll"),
    ...usageRows(usage),
    section("3  An authorization", "oauth2.authorize"),
    ...authorizationRows(authorization),
    section("4  A call that is rejected", "events.ingest, without its scope"),
    ...rejectionRows(rejectedCall),
    section("5  The next version", "the same code, another import"),
    ...versionRows(versions),
    "",
    `${dim("The code is in examples/tour.ts. What to try next:")}`,
    row("a file", "npm start -- examples/usage.jsonl"),
    row("a server", "npm run mock"),
  ].join("\n");
}

const LABEL = 12;

function section(title: string, calls: string): string {
  return `\n${bold(title)}  ${dim(calls)}`;
}

function row(label: string, text: string): string {
  return `   ${dim(label.padEnd(LABEL))} ${text}`;
}

function usageRows({ file, first, second }: Usage): string[] {
  return [row("file", file), row("first run", counts(first)), row("second run", counts(second))];
}

function counts({ inserted, duplicates, rejected }: Ingested): string {
  const stored = `${inserted} inserted`;
  return `${inserted > 0 ? green(stored) : stored}, ${duplicates} duplicates, ${rejected} rejected`;
}

function authorizationRows({ client, subject, scopes, organizations }: Authorization): string[] {
  return [
    row("client", client ?? "unnamed"),
    row("asks", subject ?? "nobody"),
    row("for", scopes.join(", ")),
    row("at", organizations.join(", ")),
  ];
}

function rejectionRows({ name, status, code, message }: RejectedCall): string[] {
  return [row("error", red([name, status, code].filter(Boolean).join(" "))), row("message", message)];
}

function versionRows(versions: readonly AnsweredVersion[]): string[] {
  const [before, after] = versions;
  const line = (version = before) => `import { createClient } from "@billing-service/sdk/${version?.imported}";`;
  return [
    row("before", line(before)),
    row("after", line(after)),
    row("answered by", `${before?.answered} before, ${green(`${after?.answered} after`)}`),
  ];
}
