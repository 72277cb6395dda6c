import type { VNode } from "preact";

interface CodeBlockProps {
  readonly label: string;
  readonly text: string;
}

/** The number of characters that are shown. */
const MAX_SHOWN = 40_000;

/** Shows text that the keyboard can scroll. */
export function CodeBlock({ label, text }: CodeBlockProps): VNode {
  const isLong = text.length > MAX_SHOWN;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard can scroll the block.
    <section class="playground-code" aria-label={label} tabIndex={0}>
      <pre>{isLong ? `${text.slice(0, MAX_SHOWN)}\n… ${text.length - MAX_SHOWN} more characters` : text}</pre>
    </section>
  );
}
