import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { findVersion } from "../../link/default-content.ts";
import { EditorField } from "../elements/editor-field.tsx";
import { Select } from "../elements/field.tsx";
import type { PlaygroundProps } from "../playground.ts";
import { emitWebhook, type SentDelivery } from "../session/emit-webhook.ts";
import { DeliveryView } from "./delivery-view.tsx";

const SCHEMES = [
  ["standard", "Standard Webhooks"],
  ["original", "Original scheme"],
] as const;

/** Emits a webhook, and shows its delivery. */
export function WebhookPanel({ playground }: PlaygroundProps): VNode {
  const { data, session, content, edit, announce, refresh } = playground;
  const [scheme, setScheme] = useState("standard");
  const [sent, setSent] = useState<SentDelivery>();
  const version = findVersion(data, content.version) ?? data.versions[0];
  const emit = async () => {
    try {
      setSent(await emitWebhook(session, { ...content, standard: scheme === "standard" }));
      announce(`The mock delivered ${content.event}, signed.`);
    } catch (error) {
      announce(`No event was emitted. ${(error as Error).message}`);
    }
    refresh();
  };
  return (
    <div class="playground-columns">
      <form
        class="playground-form"
        onSubmit={(event) => {
          event.preventDefault();
          void emit();
        }}
      >
        <Select
          label="Event type"
          value={content.event}
          options={(version?.eventTypes ?? []).map((type) => [type, type])}
          onChange={(event) => edit({ event })}
        />
        <Select label="Signature scheme" value={scheme} options={SCHEMES} onChange={setScheme} />
        <EditorField
          label="Data"
          language="json"
          value={content.data}
          onChange={(text) => edit({ data: text })}
          onSubmit={() => void emit()}
        />
        <button type="submit" class="playground-primary">
          Emit the webhook
        </button>
      </form>
      <div class="playground-result">
        {sent ? (
          <DeliveryView key={`${sent.id} ${sent.signature}`} sent={sent} playground={playground} />
        ) : (
          <p class="playground-empty">Emit the webhook to see its signed delivery, verify it, and tamper with it.</p>
        )}
      </div>
    </div>
  );
}
