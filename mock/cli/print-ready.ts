import type { SecuritySchemeName } from "../../src/contract/index.ts";
import { escapeControls, type Part, print } from "../../terminal/output.ts";
import { CONTROL_PATH } from "../control/routes/index.ts";
import { isLoopback } from "../network/hosts.ts";
import type { MockServer } from "../server/serve.ts";
import type { SeededToken } from "./load-seed-file.ts";
import type { Command } from "./read-arguments.ts";

/** An access token of each type. */
export type InitialTokens = Readonly<Record<SecuritySchemeName, string>>;

/** The facts to print when the server is ready. */
export interface Ready {
  readonly server: MockServer;
  readonly command: Command;
  readonly tokens: InitialTokens;
  /** The tokens of the seed file. */
  readonly seeded: readonly SeededToken[];
}

/** Prints the address of the server, its tokens and a curl command, or the same facts as JSON. Returns false if nobody reads. */
export function printReady(ready: Ready): Promise<boolean> {
  return print(...(ready.command.json ? [`${JSON.stringify(asJson(ready))}\n`] : asText(ready)));
}

function asJson({ server, command, tokens, seeded }: Ready): object {
  const control = command.control === false ? null : server.url + CONTROL_PATH;
  return { url: server.url, port: server.port, control, tokens, seeded, versions: server.mock.versions };
}

function asText({ server, command, tokens, seeded }: Ready): Part[] {
  const { deprecated, current, next } = server.mock.versions;
  return [
    "The Billing Service mock is listening at ",
    ["bold", server.url],
    "\n\n",
    ["dim", "Tokens"],
    ...Object.entries(tokens).flatMap(([type, text]) => tokenLine(type, text)),
    ...seeded.flatMap(({ type, token, owner }) => tokenLine(type, token, owner)),
    "\n\n",
    ["dim", "Versions"],
    `  ${deprecated} Deprecated, ${current} Current, ${next} Next\n`,
    ["dim", "Inspector"],
    ` ${controlText(server, command)}\n\n`,
    ["dim", "Try it"],
    `\n  ${curlLine(server.url, tokens.oat)}\n`,
  ];
}

function tokenLine(type: string, token: string, owner = ""): Part[] {
  return [`\n  ${type.padEnd(5)} ${escapeControls(token)}`, ["dim", owner && `  ${escapeControls(owner)}`]];
}

function controlText({ url }: MockServer, { control, host }: Command): string {
  if (control === false) return "off";
  const address = `${url}${CONTROL_PATH}/`;
  if (control.password !== undefined) return `${address} (requires the password)`;
  return isLoopback(host) ? address : `${address} (no password: open to everyone who can reach this host)`;
}

/** Returns a command that can be pasted into a shell. */
function curlLine(url: string, token: string): string {
  const event = JSON.stringify({ events: [{ name: "api.call", external_customer_id: "customer-1" }] });
  return `curl -sS ${url}/v1/events/ingest -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' -d '${event}'`;
}
