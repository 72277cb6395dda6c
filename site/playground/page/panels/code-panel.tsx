import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import type { RecordedRequest } from "../../../../mock/journal/requests.ts";
import { MAX_SHOWN_REQUESTS, type OutputLine } from "../../protocol.ts";
import { EditorField } from "../elements/editor-field.tsx";
import type { Playground, PlaygroundProps } from "../playground.ts";
import { describeEnd, type ProgramEnd, ProgramRun, TIME_LIMIT } from "../session/program-run.ts";
import { ProgramOutput } from "./program-output.tsx";

/** Edits a program, runs it, and shows its output. */
export function CodePanel({ playground }: PlaygroundProps): VNode {
  const { content, edit, announce } = playground;
  const running = useRef<ProgramRun | undefined>(undefined);
  const [isRunning, setRunning] = useState(false);
  const [lines, setLines] = useState<readonly OutputLine[]>([]);
  const [end, setEnd] = useState<ProgramEnd>();
  const run = async () => {
    if (running.current) return;
    setLines([]);
    setEnd(undefined);
    setRunning(true);
    announce("The program is running.");
    const first = playground.session.mock.requests.count;
    running.current = startProgram(playground, (line) => setLines((printed) => [...printed, line]));
    const ended = await running.current.ended;
    running.current = undefined;
    setRunning(false);
    setEnd({ ...ended, requests: [...requestsSince(playground, first), ...ended.requests] });
    announce(describeEnd(ended));
    playground.refresh();
  };
  return (
    <div class="playground-columns">
      <div class="playground-form">
        <EditorField
          label="Program"
          language="javascript"
          value={content.code}
          onChange={(code) => edit({ code })}
          onSubmit={() => void run()}
        />
        <div class="playground-actions">
          <button type="button" class="playground-primary" aria-disabled={isRunning} onClick={() => void run()}>
            Run the program
          </button>
          <button type="button" aria-disabled={!isRunning} onClick={() => running.current?.stop()}>
            Stop
          </button>
        </div>
        <p class="playground-hint">
          JavaScript, without type annotations. <code>fetch</code> calls the mock of this page, and{" "}
          <code>process.env.BILLING_TOKEN</code> is the token. Ctrl+Enter or ⌘+Enter runs the program, Tab leaves the
          editor, and a program is stopped after {TIME_LIMIT / 1000} seconds.
        </p>
      </div>
      <ProgramOutput lines={lines} end={end} />
    </div>
  );
}

function startProgram(playground: Playground, onLine: (line: OutputLine) => void): ProgramRun {
  const { session, content, data, workerScript: script } = playground;
  return new ProgramRun({
    code: content.code,
    env: { BILLING_TOKEN: session.token(content), WEBHOOK_SECRET: session.secret },
    importPaths: data.importPaths,
    script,
    fetch: (request) => session.mock.fetch(request),
    onLine,
  });
}

/** Returns the requests to the mock of the page that arrived after a number of requests. */
function requestsSince({ session }: Playground, first: number): readonly RecordedRequest[] {
  const { requests } = session.mock;
  return requests.count === first
    ? []
    : requests
        .list()
        .slice(first - requests.count)
        .slice(-MAX_SHOWN_REQUESTS);
}
