import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  /** The object of the label for screen readers, such as `secret`. */
  readonly about?: string;
}

/** The time for which the label reads "Copied", in milliseconds. */
const SHOWN_FOR = 2000;

/** Copies a string to the clipboard. */
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
      {about && <span class="visually-hidden"> {about}</span>}
    </button>
  );
}

/** Falls back to `execCommand`, because pages served without TLS from another host cannot use the clipboard API. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}
