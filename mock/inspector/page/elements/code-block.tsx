import type { ComponentChildren, VNode } from "preact";

interface CodeBlockProps {
  /** The accessible name. */
  readonly label: string;
  readonly children: ComponentChildren;
}

/** Shows preformatted text in a scrollable box. */
export function CodeBlock({ label, children }: CodeBlockProps): VNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable with the keyboard
    <section class="code" tabIndex={0} aria-label={label}>
      <pre>{children}</pre>
    </section>
  );
}
