import type { ComponentChildren, VNode } from "preact";

interface CodeBlockProps {
  /** What it is, for those who cannot see it. */
  readonly label: string;
  readonly children: ComponentChildren;
}

/** A text with its line breaks, in a box that scrolls. */
export function CodeBlock({ label, children }: CodeBlockProps): VNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached with the keyboard
    <section class="code" tabIndex={0} aria-label={label}>
      <pre>{children}</pre>
    </section>
  );
}
