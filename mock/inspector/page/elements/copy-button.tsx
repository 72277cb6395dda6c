import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  /** What is copied, for those who cannot see where the button is. */
  readonly about?: string;
}

const SHOWN_FOR = 2000;

/** A button that copies a text. */
export function CopyButton({ text, label, about }: CopyButtonProps): VNode {
  const [copied, setCopied] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setCopied(0), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    await copyText(text);
    setCopied(copied + 1);
  };
  return (
    <button type="button" class="quiet" onClick={copy}>
      <span aria-live="polite">{copied > 0 ? "Copied" : label}</span>
      {about && <span class="unseen"> {about}</span>}
    </button>
  );
}

/** Pages that come from another machine without TLS have no clipboard of their own; the old way works there. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}
