import type { VNode } from "preact";
import type { ShownMessage } from "../session/exchange.ts";
import { CodeBlock } from "./code-block.tsx";

interface MessageViewProps {
  readonly title: string;
  readonly message: ShownMessage;
  /** The status of a response. */
  readonly status?: number;
}

/** Shows a request or a response: its first line, its headers and its body. */
export function MessageView({ title, message, status }: MessageViewProps): VNode {
  return (
    <section class="playground-message">
      <h2>{title}</h2>
      <p class="playground-line">
        {status === undefined ? (
          <code>{message.title}</code>
        ) : (
          <span class={`http-status http-${String(status).charAt(0)}xx`}>{message.title}</span>
        )}
      </p>
      <HeaderList headers={message.headers} />
      {message.body !== "" && <CodeBlock label={`Body of the ${title.toLowerCase()}`} text={indented(message.body)} />}
    </section>
  );
}

/** Shows the headers of a message. */
export function HeaderList({ headers }: Pick<ShownMessage, "headers">): VNode {
  return (
    <dl class="playground-headers">
      {headers.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
