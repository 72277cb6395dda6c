import type { VNode } from "preact";
import type { ConnectionStatus } from "../session/session.ts";

/** Says so when the server is gone or does not talk to this page. */
export function ConnectionBanner({ link }: { readonly link: ConnectionStatus }): VNode {
  return <div role="alert">{messageFor(link)}</div>;
}

function messageFor(link: ConnectionStatus): VNode | null {
  if (link.state === "gone") {
    return (
      <p class="banner">
        <strong>The mock server does not answer.</strong> What you see is what it said last. This page tries again every
        second.
      </p>
    );
  }
  if (link.state !== "refused") return null;
  return (
    <p class="banner">
      <strong>The mock server refuses this page:</strong> {link.detail}
    </p>
  );
}
