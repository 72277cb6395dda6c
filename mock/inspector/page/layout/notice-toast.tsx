import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Notice } from "../session/session.ts";

const SHOWN_FOR = 5000;

/** Shows what happened for a moment; screen readers say it. */
export function NoticeToast({ notice }: { readonly notice: Notice | undefined }): VNode {
  const [over, setOver] = useState<Notice>();
  useEffect(() => {
    const timer = setTimeout(() => setOver(notice), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [notice]);
  const shown = notice !== undefined && notice !== over;
  return (
    <div role="status" class={`notice ${notice?.bad ? "notice-bad" : ""}`}>
      {shown && <p>{notice.text}</p>}
    </div>
  );
}
