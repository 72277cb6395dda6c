import type { VNode } from "preact";
import type { PlaygroundContent } from "../../link/content.ts";
import type { Change, ReleaseRow } from "../session/compare-release.ts";

interface ReleaseReportProps {
  readonly rows: readonly ReleaseRow[];
  readonly content: PlaygroundContent;
}

/** Shows what a release changed: the state of each version, and the response to the request. */
export function ReleaseReport({ rows, content: { method, path } }: ReleaseReportProps): VNode {
  return (
    <>
      <h3>What the release changed</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard can scroll the table. */}
      <section class="playground-table" aria-label="Changes" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Service-Version</th>
              <th scope="col">State</th>
              <th scope="col">
                Response to{" "}
                <code>
                  {method} {path}
                </code>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ version, states, responses }) => (
              <tr key={version}>
                <th scope="row">{version === "" ? "none" : <code>{version}</code>}</th>
                <td>{version === "" ? "" : <ChangeView change={states} created="new" />}</td>
                <td>
                  <ChangeView change={responses} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

function ChangeView({
  change: { before, after },
  created = "",
}: {
  readonly change: Change;
  readonly created?: string;
}): VNode {
  if (before === after) return <span>{after}</span>;
  return (
    <span>
      {before === "" ? created : before} → <strong>{after}</strong>
    </span>
  );
}
