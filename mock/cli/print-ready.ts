import { styleText } from "node:util";
import type { SecuritySchemeName } from "../../src/contract/index.ts";
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

/** Prints the address of the server, its tokens and a curl command, or the same facts as JSON. */
export function printReady(ready: Ready): void {
  process.stdout.write(ready.command.json ? `${JSON.stringify(asJson(ready))}\n` : asText(ready));
}

function asJson({ server, command, tokens, seeded }: Ready): object {
  const control = command.control === false ? null : server.url + CONTROL_PATH;
  return { url: server.url, port: server.port, control, tokens, seeded, versions: server.mock.versions };
}

function asText({ server, command, tokens, seeded }: Ready): string {
  const { deprecated, current, next } = server.mock.versions;
  const paint = (style: "bold" | "dim", text: string) => styleText(style, text, { stream: process.stdout });
  const token = (type: string, text: string, owner = "") =>
    `  ${type.padEnd(5)} ${text}${owner && paint("dim", `  ${owner}`)}`;
  return [
    `The Billing Service mock is listening at ${paint("bold", server.url)}`,
    "",
    paint("dim", "Tokens"),
    ...Object.entries(tokens).map(([type, text]) => token(type, text)),
    ...seeded.map(({ type, token: text, owner }) => token(type, text, owner)),
    "",
    `${paint("dim", "Versions")}  ${deprecated} Deprecated, ${current} Current, ${next} Next`,
    `${paint("dim", "Inspector")} ${controlText(server, command)}`,
    "",
    paint("dim", "Try it"),
    `  ${curlLine(server.url, tokens.oat)}`,
    "",
  ].join("\n");
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
