import type { ComponentChildren, VNode } from "preact";
import { Code } from "./code.tsx";
import { CopyButton } from "./copy.tsx";

interface EmptyProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** A command that would change that. */
  readonly command?: string;
}

/** Says why there is nothing to see, and what to do about it. */
export function Empty({ title, children, command }: EmptyProps): VNode {
  return (
    <div class="empty">
      <h2>{title}</h2>
      <p>{children}</p>
      {command && (
        <div class="command">
          <Code label="Command">{command}</Code>
          <CopyButton text={command} label="Copy" about="the command" />
        </div>
      )}
    </div>
  );
}
