import type { VNode } from "preact";
import type { MockData } from "../session/mock-data.ts";
import type { ConnectionStatus } from "../session/session.ts";

const LABELS: Readonly<Record<ConnectionStatus["state"], string>> = {
  connecting: "Connecting",
  live: "Live",
  paused: "Paused",
  disconnected: "Disconnected",
  locked: "Locked",
  rejected: "Rejected",
};

interface HeaderProps {
  readonly connection: ConnectionStatus;
  readonly data: Partial<MockData>;
}

/** Shows the address of the server, its versions and the state of the connection. */
export function Header({ connection, data: { versions = [] } }: HeaderProps): VNode {
  return (
    <header class="header">
      <h1>Billing mock</h1>
      <code class="address">{location.origin}</code>
      <span class="spacer" />
      <span class="version-states">
        {versions.map(({ version, state }) => (
          <span key={state}>
            <span class={state === "current" ? "strong" : ""}>{version}</span> {state}
          </span>
        ))}
      </span>
      <span class={`connection connection-${connection.state}`}>{LABELS[connection.state]}</span>
    </header>
  );
}
