import type { VNode } from "preact";
import { MAX_LINK } from "../../link/content.ts";
import { formatLink } from "../../link.ts";
import type { Playground, PlaygroundProps } from "../playground.ts";

/** Copies a link to the content of the page. */
export function CopyLink({ playground }: PlaygroundProps): VNode {
  return (
    <button type="button" onClick={() => void copyLink(playground)}>
      Copy link
    </button>
  );
}

async function copyLink({ content, announce }: Playground): Promise<void> {
  const fragment = formatLink(content);
  if (fragment.length > MAX_LINK) {
    return announce(
      `The link would have ${fragment.length} characters; at most ${MAX_LINK} are allowed. Shorten the text.`,
    );
  }
  history.replaceState(null, "", `#${fragment}`);
  try {
    await navigator.clipboard.writeText(location.href);
    announce("The link to this content is copied.");
  } catch {
    announce("The browser does not allow copying. The link is in the address bar.");
  }
}
