import type { VNode } from "preact";
import type { ConnectionStatus } from "../session/session.ts";

/** Warns when the server cannot be reached or rejects the page's requests. */
export function ConnectionBanner({ connection }: { readonly connection: ConnectionStatus }): VNode {
  return <div role="alert">{messageFor(connection)}</div>;
}

function messageFor(connection: ConnectionStatus): VNode | null {
  if (connection.state === "disconnected") {
    return (
      <p class="banner">
        <strong>Cannot reach the mock server.</strong> The page shows the last data it received and retries every
        second.
      </p>
    );
  }
  if (connection.state !== "rejected") return null;
  return (
    <p class="banner">
      <strong>The mock server rejected a request of this page:</strong> {connection.detail}
    </p>
  );
}
