import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { isWebhookVerificationError } from "../../../src/index.ts";
import { sampleVersion } from "../data.ts";
import type { PlaygroundProps } from "./app.tsx";
import { CodeBlock, Editor, Headers, Note, PanelForm, reveal, Select } from "./parts.tsx";
import { changes, type Delivery, emit } from "./webhook.ts";

/** A version's `verifyWebhook`. */
export type Verifier = (
  delivery: { readonly body: string; readonly headers: Readonly<Record<string, string>> },
  options: { readonly secret: string },
) => Promise<unknown>;

/** The content of the right side. An error replaces an older delivery. */
interface Result {
  readonly sent?: Delivery;
  readonly received?: Delivery;
  readonly event?: unknown;
  readonly error?: Error;
}

/** Emits a webhook, shows its delivery, and verifies it as an application does, unchanged or tampered with. */
export function WebhookPanel({ playground }: PlaygroundProps): VNode {
  const { data, session, content, edit, load, announce, verifiers } = playground;
  const [result, setResult] = useState<Result>();
  const pane = useRef<HTMLElement>(null);
  useEffect(() => setResult(undefined), [session.mock]);
  const { eventTypes } = sampleVersion(data, content.version);
  const verify = async (sent: Delivery, received: Delivery) => {
    const verifier = (verifiers[sent.version] ?? Object.values(verifiers)[0]) as Verifier;
    try {
      const event = await verifier(
        { body: received.body, headers: Object.fromEntries(received.headers) },
        { secret: sent.secret },
      );
      setResult({ sent, received, event });
      announce("The delivery is verified.");
    } catch (error) {
      setResult({ sent, received, error: error as Error });
      announce(`The delivery is rejected: ${reasonOf(error as Error)}.`);
    }
  };
  const submit = async () => {
    try {
      const sent = await emit(session, content);
      await verify(sent, sent);
    } catch (error) {
      setResult({ error: error as Error });
      announce("No event was emitted.");
    }
    reveal(pane.current);
  };
  return (
    <PanelForm name="webhook" submit={submit} playground={playground}>
      <div class="pg-bar">
        <Select
          label="Event"
          value={content.event}
          options={eventTypes.map((type) => [type, type])}
          onChange={(event) => load({ event })}
        />
        <button type="submit" class="pg-primary">
          Emit
        </button>
      </div>
      <div class="pg-panes">
        <div class="pg-pane">
          <h2>Data</h2>
          <Editor label="Data" language="json" value={content.data} onChange={(text) => edit({ data: text })} />
          <p class="pg-dim">The specification does not describe event data: this is an example.</p>
        </div>
        <section class="pg-pane pg-result" aria-label="Delivery" ref={pane}>
          {result ? (
            <ResultView result={result} verify={(sent, received) => void verify(sent, received)} />
          ) : (
            <p class="pg-empty">Press Emit, or Ctrl+Enter, to see a signed delivery, and to tamper with it.</p>
          )}
        </section>
      </div>
    </PanelForm>
  );
}

interface ResultProps {
  readonly result: Result;
  readonly verify: (sent: Delivery, received: Delivery) => void;
}

function ResultView({ result: { sent, received, event, error }, verify }: ResultProps): VNode {
  if (!sent || !received) {
    return <Note kind="bad" title="No event was emitted." text={error?.message} />;
  }
  return (
    <>
      {error ? (
        <Note
          kind="bad"
          title={`Rejected: ${reasonOf(error)}.`}
          text={`verifyWebhook threw ${error.name}: ${error.message}`}
        />
      ) : (
        <Note kind="good" title="Verified." text="verifyWebhook returned the event." />
      )}
      <div class="pg-actions">
        {changes.map(({ title, change }) => (
          <button key={title} type="button" onClick={() => verify(sent, change(sent))}>
            {title}
          </button>
        ))}
      </div>
      <h2>Delivery</h2>
      <Headers headers={received.headers} />
      <CodeBlock label="Delivery body" text={error ? received.body : JSON.stringify(event)} />
      <details>
        <summary>Endpoint secret</summary>
        <code class="pg-secret">{sent.secret}</code>
      </details>
    </>
  );
}

function reasonOf(error: Error): string {
  return isWebhookVerificationError(error) ? error.reason : error.name;
}
