import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { isWebhookVerificationError } from "../../../src/index.ts";
import { verifyForVersion } from "../../../src/webhooks/index.ts";
import type { PlaygroundProps } from "./app.tsx";
import { sampleVersion } from "./content.ts";
import { CodeBlock, Editor, Headers, Note, PanelForm, Select } from "./parts.tsx";
import { CHANGES, type Delivery, emit } from "./webhook.ts";

/** The content of the right side. An error replaces an older delivery. */
interface Result {
  readonly sent?: Delivery;
  readonly received?: Delivery;
  readonly error?: Error;
}

/** Emits a webhook, shows its delivery, and verifies it as an application does, unchanged or tampered with. */
export function WebhookPanel({ playground }: PlaygroundProps): VNode {
  const { session, content, edit, load, announce } = playground;
  const [result, setResult] = useState<Result>();
  const { eventTypes } = sampleVersion(content.version);
  const verify = async (sent: Delivery, received: Delivery) => {
    const { version: name, body, headers, secret } = received;
    const version = { name, types: sampleVersion(name).eventTypes };
    try {
      await verifyForVersion(version, { body, headers: Object.fromEntries(headers) }, { secret });
      setResult({ sent, received });
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
  };
  return (
    <PanelForm
      name="webhook"
      label="Delivery"
      submit={submit}
      playground={playground}
      action="Emit"
      controls={
        <Select
          label="Event"
          value={content.event}
          options={eventTypes.map((type) => [type, type])}
          onChange={(event) => load({ event })}
        />
      }
      editors={
        <>
          <h2>Data</h2>
          <Editor label="Data" language="json" value={content.data} onChange={(text) => edit({ data: text })} />
          <p class="pg-dim">The specification does not describe event data: this is an example.</p>
        </>
      }
    >
      {result ? (
        <ResultView result={result} verify={(sent, received) => void verify(sent, received)} />
      ) : (
        <p class="pg-empty">Press Emit, or Ctrl+Enter, to see a signed delivery, and to tamper with it.</p>
      )}
    </PanelForm>
  );
}

interface ResultProps {
  readonly result: Result;
  readonly verify: (sent: Delivery, received: Delivery) => void;
}

function ResultView({ result: { sent, received, error }, verify }: ResultProps): VNode {
  if (!sent || !received) return <Note kind="bad" title="No event was emitted." text={error?.message} />;
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
        {Object.entries(CHANGES).map(([title, change]) => (
          <button key={title} type="button" onClick={() => verify(sent, change(sent))}>
            {title}
          </button>
        ))}
      </div>
      <h2>Delivery</h2>
      <Headers headers={received.headers} />
      <CodeBlock label="Delivery body" text={received.body} raw />
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
