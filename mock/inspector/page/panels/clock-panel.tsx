import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { formatDateTime } from "../elements/format.ts";
import type { Session } from "../session/session.ts";
import { AdvanceForm } from "./advance-form.tsx";
import type { PanelProps } from "./panel-props.ts";
import { pendingRetries, RetryList } from "./retry-list.tsx";

/** Shows the time of the mock and the retries that are due next, and advances the clock. */
export function ClockPanel({ data, session }: PanelProps): VNode {
  return (
    <div class="sides">
      <div class="cards">
        <MockTime known={data.now} session={session} />
        <RetryList retries={pendingRetries(data)} data={data} session={session} />
      </div>
      <AdvanceForm data={data} session={session} />
    </div>
  );
}

/** How often the page asks for the time, in milliseconds. */
const ASK_EVERY = 1000;

/** Shows the time of the mock, and keeps it up to date. */
function MockTime({ known, session }: { readonly known: string; readonly session: Session }): VNode {
  const [now, setNow] = useState(known);
  useEffect(() => {
    setNow(known);
    const ask = () => {
      if (!document.hidden) session.api("GET /clock").then(({ now }) => setNow(now), ignore);
    };
    const timer = setInterval(ask, ASK_EVERY);
    return () => clearInterval(timer);
  }, [known, session]);
  return (
    <section class="card" aria-labelledby="time-title">
      <h2 id="time-title">Time of the mock</h2>
      <p class="clock-time">
        <time dateTime={now}>{formatDateTime(now)}</time>
      </p>
      <p class="muted tabular">{now.slice(0, 19).replace("T", " ")} UTC</p>
    </section>
  );
}

/** The connection banner already tells that the server cannot be reached. */
const ignore = (): void => {};
