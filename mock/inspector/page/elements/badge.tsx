import type { ComponentChildren, VNode } from "preact";

/** The color of a badge. Its text must carry the same meaning. */
export type Tone = "good" | "bad" | "warn" | "plain" | "accent";

/** Shows a word or a number on a colored background. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }): VNode {
  return <span class={`badge badge-${tone}`}>{children}</span>;
}

/** Returns the color of an HTTP status; null means that no response arrived. */
export function statusTone(status: number | null): Tone {
  if (status === null || status >= 500) return "bad";
  if (status >= 400) return "warn";
  return status >= 300 ? "plain" : "good";
}
