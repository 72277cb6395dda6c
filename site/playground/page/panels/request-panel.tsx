import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { METHODS } from "../../link/content.ts";
import { EditorField } from "../elements/editor-field.tsx";
import { Field, Select } from "../elements/field.tsx";
import { MessageView } from "../elements/message-view.tsx";
import type { PlaygroundProps } from "../playground.ts";
import { type Exchange, sendRequest } from "../session/exchange.ts";

/** Edits a request, sends it, and shows the response. */
export function RequestPanel({ playground }: PlaygroundProps): VNode {
  const { session, content, edit, announce, refresh } = playground;
  const [exchange, setExchange] = useState<Exchange>();
  const send = async () => {
    try {
      const received = await sendRequest(session, content);
      setExchange(received);
      announce(`The response has the status ${received.response.title}.`);
    } catch (error) {
      announce(`The request was not sent. ${(error as Error).message}`);
    }
    refresh();
  };
  return (
    <div class="playground-columns">
      <form
        class="playground-form"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <div class="playground-row">
          <Select
            label="Method"
            value={content.method}
            options={METHODS.map((method) => [method, method])}
            onChange={(method) => edit({ method })}
          />
          <TextField label="Path" value={content.path} onInput={(path) => edit({ path })} />
        </div>
        <TextField label="Query" value={content.query} onInput={(query) => edit({ query })} />
        <Field
          label="Headers"
          hint="One per line. Authorization and Service-Version are added unless a line sets them."
        >
          <textarea
            rows={3}
            value={content.headers}
            onInput={({ currentTarget }) => edit({ headers: currentTarget.value })}
          />
        </Field>
        {content.method !== "GET" && (
          <EditorField
            label="Body"
            language="json"
            value={content.body}
            onChange={(body) => edit({ body })}
            onSubmit={() => void send()}
          />
        )}
        <button type="submit" class="playground-primary">
          Send the request
        </button>
      </form>
      <div class="playground-result">
        {exchange ? (
          <>
            <MessageView title="Response" message={exchange.response} status={exchange.status} />
            <MessageView title="Request" message={exchange.request} />
          </>
        ) : (
          <p class="playground-empty">Send the request to see the response of the mock.</p>
        )}
      </div>
    </div>
  );
}

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

function TextField({ label, value, onInput }: TextFieldProps): VNode {
  return (
    <Field label={label}>
      <input
        type="text"
        value={value}
        spellcheck={false}
        autocomplete="off"
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </Field>
  );
}
