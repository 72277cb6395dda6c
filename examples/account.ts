import { bold, dim, green, red } from "./terminal.ts";
import type { Account, Authorization, Ingested, RejectedCall, Upgrade, Usage } from "./tour.ts";

/** Formats the results of the tour. */
export function writeAccount({ endpoint, usage, authorization, rejectedCall, upgrade }: Account): string {
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
    section("5  A release and an upgrade", "mock.release, with an invented next version"),
    ...upgradeRows(upgrade),
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

function upgradeRows({ versions, calls: [before, after, fixed], deliveries }: Upgrade): string[] {
  return [
    row("release", `${versions.current} is Current; the new Next, ${versions.next}, is an example with changes`),
    row("changes", "metadata is now properties, source is required, name has at most 20 characters"),
    row(`${before?.version}`, green(`${before?.result}`)),
    row(`${after?.version}`, `${red(`${after?.result}`)} (the compiler found the rest)`),
    row("fixed", green(`${fixed?.result}`)),
    row("webhooks", `${deliveries.join(", and ")} after the endpoint was updated`),
    row("read more", "docs/upgrading.md"),
  ];
}
