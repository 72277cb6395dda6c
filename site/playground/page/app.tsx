import type { VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { PlaygroundContent } from "../link/content.ts";
import { readLink } from "../link/read-link.ts";
import { Tabs } from "./elements/tabs.tsx";
import { CodePanel } from "./panels/code-panel.tsx";
import { CopyLink } from "./panels/copy-link.tsx";
import { MockSection } from "./panels/mock-section.tsx";
import { RequestPanel } from "./panels/request-panel.tsx";
import { Settings } from "./panels/settings.tsx";
import { WebhookPanel } from "./panels/webhook-panel.tsx";
import type { Playground } from "./playground.ts";
import { MockSession } from "./session/mock-session.ts";

/** What the page starts with. */
export interface AppProps extends Pick<Playground, "data" | "verifiers" | "workerScript"> {
  /** The version of the section of the site. */
  readonly version: string;
}

const panels = { request: RequestPanel, code: CodePanel, webhook: WebhookPanel };

/** The whole playground. */
export function App({ version, ...given }: AppProps): VNode {
  const session = useMemo(() => new MockSession(given.data.endpointId), []);
  const read = () => readLink(location.hash.slice(1), given.data, version);
  const [{ content, problems }, setShared] = useState(read);
  const [status, announce] = useState("");
  const [, setRevision] = useState(0);
  useEffect(() => {
    const onHashChange = () => setShared(read());
    addEventListener("hashchange", onHashChange);
    return () => removeEventListener("hashchange", onHashChange);
  }, []);
  const edit = (changes: Partial<PlaygroundContent>) =>
    setShared((shared) => ({ ...shared, content: { ...shared.content, ...changes } }));
  const refresh = () => setRevision((revision) => revision + 1);
  const playground: Playground = { ...given, session, content, edit, announce, refresh };
  return (
    <>
      {problems.length > 0 && (
        <div class="playground-problems" role="alert">
          {problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </div>
      )}
      <Settings playground={playground} />
      <div class="playground-bar">
        <p role="status" aria-live="polite">
          {status}
        </p>
        <CopyLink playground={playground} />
      </div>
      <Tabs selected={content.panel} select={(panel) => edit({ panel })}>
        {Object.entries(panels).map(([name, Panel]) => (
          <div key={name} hidden={name !== content.panel}>
            <Panel playground={playground} />
          </div>
        ))}
      </Tabs>
      <MockSection playground={playground} />
    </>
  );
}
