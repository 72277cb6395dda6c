import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Notice } from "../session/session.ts";

/** The time for which a notice is shown, in milliseconds. */
const SHOWN_FOR = 5000;

/** Shows a notice for a moment and announces it to screen readers. */
export function NoticeToast({ notice }: { readonly notice: Notice | undefined }): VNode {
  const [expired, setExpired] = useState<Notice>();
  useEffect(() => {
    const timer = setTimeout(() => setExpired(notice), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [notice]);
  const shown = notice !== undefined && notice !== expired;
  return (
    <div role="status" class={`notice ${notice?.isError ? "notice-error" : ""}`}>
      {shown && <p>{notice.text}</p>}
    </div>
  );
}
