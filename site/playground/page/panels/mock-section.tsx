import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { PlaygroundProps } from "../playground.ts";
import { makeRelease, type ReleaseRow } from "../session/compare-release.ts";
import { ReleaseReport } from "./release-report.tsx";
import { StoredEvents } from "./stored-events.tsx";

/** Shows the state of the mock, and makes releases. */
export function MockSection({ playground }: PlaygroundProps): VNode {
  const { session, content, announce, refresh } = playground;
  const [report, setReport] = useState<readonly ReleaseRow[]>();
  const release = async () => {
    try {
      setReport(await makeRelease(session, content));
      announce(`The release is made. Current is ${session.mock.versions.current} now.`);
    } catch (error) {
      announce(`The release was not made. ${(error as Error).message}`);
    }
    refresh();
  };
  const reset = () => {
    session.reset();
    setReport(undefined);
    announce("The mock is reset.");
    refresh();
  };
  const { deprecated, current, next } = session.mock.versions;
  return (
    <section class="playground-mock" aria-labelledby="playground-mock">
      <h2 id="playground-mock">The mock</h2>
      <p>
        Deprecated <code>{deprecated}</code>, Current <code>{current}</code>, Next <code>{next}</code>
      </p>
      <div class="playground-actions">
        <button type="button" onClick={() => void release()}>
          Make a release
        </button>
        <button type="button" onClick={reset}>
          Reset the mock
        </button>
      </div>
      {report && <ReleaseReport rows={report} content={content} />}
      <StoredEvents events={session.mock.events} />
    </section>
  );
}
