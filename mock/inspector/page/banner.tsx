import type { VNode } from "preact";
import type { Link } from "./session.ts";

/** Says so when the server is gone or does not talk to this page. */
export function Banner({ link }: { readonly link: Link }): VNode {
  return <div role="alert">{messageFor(link)}</div>;
}

function messageFor(link: Link): VNode | null {
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
