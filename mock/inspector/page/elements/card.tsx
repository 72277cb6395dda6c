import type { ComponentChildren, VNode } from "preact";
import { useRef } from "preact/hooks";
import { CodeBlock, CopyButton } from "./code.tsx";

interface CardProps {
  readonly title: string;
  /** Shown after the title. */
  readonly note?: ComponentChildren;
  /** Shown at the end of the title's line. */
  readonly action?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Shows a part of a panel in a box with a title. */
export function Card({ title, note, action, children }: CardProps): VNode {
  return (
    <section class="card" aria-label={title}>
      <div class="card-bar">
        <h2>
          {title} {note}
        </h2>
        <span class="spacer" />
        {action}
      </div>
      {children}
    </section>
  );
}

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

interface ConfirmButtonProps {
  /** The label of the button in the dialog. The button that opens it has the same label with an ellipsis. */
  readonly label: string;
  readonly onConfirm: () => void;
  /** What happens, and how to undo it. */
  readonly children: ComponentChildren;
}

/** Runs an action after a confirmation. */
export function ConfirmButton({ label, onConfirm, children }: ConfirmButtonProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        {label}…
      </button>
      <dialog ref={dialog} aria-label={`${label}?`}>
        <h2>{label}?</h2>
        {children}
        {/* Both buttons close the dialog. */}
        <form method="dialog" class="dialog-actions">
          <button type="submit">Cancel</button>
          <button type="submit" class="primary" onClick={onConfirm}>
            {label}
          </button>
        </form>
      </dialog>
    </>
  );
}
