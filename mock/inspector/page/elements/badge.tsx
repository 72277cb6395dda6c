import type { ComponentChildren, VNode } from "preact";

/** What a badge means; it is said in words as well. */
export type Tone = "good" | "bad" | "warn" | "plain" | "accent";

/** A word or a number with the colour of what it means. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }): VNode {
  return <span class={`badge badge-${tone}`}>{children}</span>;
}

/** The colour of an HTTP status. */
export function statusTone(status: number | null): Tone {
  if (status === null || status >= 500) return "bad";
  if (status >= 400) return "warn";
  return status >= 300 ? "plain" : "good";
}
