import type { ComponentChildren, VNode } from "preact";
import { CodeBlock } from "./code-block.tsx";
import { CopyButton } from "./copy-button.tsx";

interface EmptyStateProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** A shell command that creates the missing data. */
  readonly command?: string;
}

/** Explains why a panel is empty and what to do about it. */
export function EmptyState({ title, children, command }: EmptyStateProps): VNode {
  return (
    <div class="empty">
      <h2>{title}</h2>
      <p>{children}</p>
      {command && (
        <div class="command">
          <CodeBlock label="Command">{command}</CodeBlock>
          <CopyButton text={command} label="Copy" about="command" />
        </div>
      )}
    </div>
  );
}
