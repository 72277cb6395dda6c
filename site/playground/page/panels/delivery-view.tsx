import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { CodeBlock } from "../elements/code-block.tsx";
import { EditorField } from "../elements/editor-field.tsx";
import { Field } from "../elements/field.tsx";
import { HeaderList } from "../elements/message-view.tsx";
import type { Playground, PlaygroundProps } from "../playground.ts";
import type { EditableDelivery, SentDelivery } from "../session/emit-webhook.ts";
import { TAMPERINGS, type Verification, type Verifier, verifyDelivery } from "../session/verify-delivery.ts";

interface DeliveryViewProps extends PlaygroundProps {
  readonly sent: SentDelivery;
}

/** Shows a delivery that can be changed, and verifies it. */
export function DeliveryView({ sent, playground }: DeliveryViewProps): VNode {
  const [delivery, setDelivery] = useState<EditableDelivery>(sent);
  const [verification, setVerification] = useState<Verification>();
  const verify = async (changed: EditableDelivery) => {
    setDelivery(changed);
    const result = await verifyDelivery(verifierOf(playground, sent), sent, changed);
    setVerification(result);
    playground.announce(describe(result));
  };
  const change = (changes: Partial<EditableDelivery>) => {
    setDelivery((before) => ({ ...before, ...changes }));
    setVerification(undefined);
  };
  return (
    <>
      <h2>Delivery</h2>
      <HeaderList headers={sent.headers} />
      <h2>Verify it, or tamper with it first</h2>
      <div class="playground-actions">
        {TAMPERINGS.map(({ title, change: tamper }) => (
          <button key={title} type="button" onClick={() => void verify(tamper(sent))}>
            {title}
          </button>
        ))}
        <button type="button" onClick={() => void verify(sent)}>
          Restore
        </button>
      </div>
      <EditorField
        label="Body of the delivery"
        language="json"
        value={delivery.body}
        onChange={(body) => body !== delivery.body && change({ body })}
        onSubmit={() => void verify(delivery)}
      />
      <DeliveryFields delivery={delivery} change={change} />
      <p class="playground-hint">
        Secret of the endpoint: <code>{sent.secret}</code>
      </p>
      <button type="button" class="playground-primary" onClick={() => void verify(delivery)}>
        Verify the delivery
      </button>
      {verification && <VerificationView verification={verification} />}
    </>
  );
}

interface DeliveryFieldsProps {
  readonly delivery: EditableDelivery;
  readonly change: (changes: Partial<EditableDelivery>) => void;
}

function DeliveryFields({ delivery, change }: DeliveryFieldsProps): VNode {
  return (
    <>
      {(["timestamp", "signature"] as const).map((name) => (
        <Field key={name} label={`webhook-${name}`}>
          <input
            type="text"
            value={delivery[name]}
            spellcheck={false}
            autocomplete="off"
            onInput={({ currentTarget }) => change({ [name]: currentTarget.value })}
          />
        </Field>
      ))}
    </>
  );
}

function VerificationView({ verification }: { readonly verification: Verification }): VNode {
  if (verification.ok) {
    return (
      <div class="playground-verified">
        <p>
          <strong>Verified.</strong> <code>verifyWebhook</code> returned the event:
        </p>
        <CodeBlock label="Event" text={JSON.stringify(verification.event, null, 2)} />
      </div>
    );
  }
  const { name, reason, message } = verification;
  return (
    <div class="playground-rejected">
      <p>
        <strong>Rejected.</strong> <code>verifyWebhook</code> threw a <code>{name}</code>
        {reason !== undefined && (
          <>
            {" "}
            with the reason <code>{reason}</code>
          </>
        )}
        :
      </p>
      <p>{message}</p>
    </div>
  );
}

function describe(verification: Verification): string {
  if (verification.ok) return "The delivery is verified.";
  return `The delivery is rejected: ${verification.reason ?? verification.name}.`;
}

function verifierOf({ verifiers, data }: Playground, { version }: SentDelivery): Verifier {
  return (verifiers.get(version) ?? verifiers.get(data.versions[0]?.name ?? "")) as Verifier;
}
