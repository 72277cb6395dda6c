import type { VNode } from "preact";
import type { Data } from "../data.ts";
import type { ConnectionStatus } from "../session/session.ts";

const WORDS: Readonly<Record<ConnectionStatus["state"], string>> = {
  connecting: "Connecting",
  live: "Live",
  paused: "Paused",
  gone: "Server gone",
  locked: "Locked",
  refused: "Refused",
};

/** The name of the page, the server's address, and how the page stands with it. */
export function Header({ link, data }: { readonly link: ConnectionStatus; readonly data: Partial<Data> }): VNode {
  return (
    <header class="header">
      <h1>Billing mock</h1>
      <code class="address">{location.origin}</code>
      <span class="space" />
      {data.offer && (
        <span class="lineage">
          {data.offer.versions.map(({ version, state }) => (
            <span key={state} class={state === "current" ? "strong" : ""} title={state}>
              {version}
            </span>
          ))}
        </span>
      )}
      <span class={`link link-${link.state}`}>{WORDS[link.state]}</span>
    </header>
  );
}
