import { bold, count, dim, green, red } from "./terminal.ts";
import type { Account, AnsweredVersion, Authorization, RejectedCall, Usage } from "./tour.ts";
import type { Ingested } from "./usage-file.ts";

/** Formats the results of the tour. */
export function writeAccount({ endpoint, usage, authorization, rejectedCall, versions }: Account): string {
  return [
    dim("The Billing Service in memory. It runs entirely in this process."),
    section("1  A webhook endpoint", "webhooks.createEndpoint, webhooks.getEndpoint"),
    row("id", endpoint.id),
    row("url", endpoint.url),
    row("events", endpoint.events.join(", ")),
    row("payloads", `${endpoint.format}, version ${endpoint.api_version}`),
    section("2  A file of usage", "events.ingest"),
    writeUsage(usage),
    section("3  An authorization", "oauth2.authorize"),
    ...authorizationRows(authorization),
    section("4  A call that is rejected", "events.ingest, without its scope"),
    ...rejectionRows(rejectedCall),
    section("5  The next version", "the same code, another import"),
    ...versionRows(versions),
    "",
    `${dim("The code is in examples/tour.ts. To ingest your own file:")} npm start -- usage.jsonl`,
  ].join("\n");
}

/** Formats the results of ingesting a file, with every rejected line. */
export function writeUsage({ file, first, second }: Usage): string {
  return [
    row("file", `${file}, ${count(first.lines)} ${first.lines === 1 ? "line" : "lines"}`),
    row("first run", counts(first)),
    row("second run", counts(second)),
    ...first.rejected.map(({ line, reason }) => row(red(`line ${line}`.padStart(LABEL)), reason)),
    ...repetitionRows(first),
  ].join("\n");
}

const LABEL = 12;

function section(title: string, calls: string): string {
  return `\n${bold(title)}  ${dim(calls)}`;
}

function row(label: string, text: string): string {
  return `   ${dim(label.padEnd(LABEL))} ${text}`;
}

function counts({ inserted, duplicates, rejected }: Ingested): string {
  const none = (number: number, text: string, style: (text: string) => string) => (number > 0 ? style(text) : text);
  return [
    none(inserted, `${count(inserted)} inserted`, green),
    `${count(duplicates)} ${duplicates === 1 ? "duplicate" : "duplicates"}`,
    none(rejected.length, `${count(rejected.length)} rejected`, red),
  ].join(", ");
}

function repetitionRows({ withoutExternalId }: Ingested): string[] {
  if (withoutExternalId === 0) return [];
  return [row("note", `${count(withoutExternalId)} without an external_id: each run stores these again`)];
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
