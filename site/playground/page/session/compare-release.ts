import type { SupportedVersions } from "../../../../mock/index.ts";
import { type RequestContent, sendRequest } from "./exchange.ts";
import type { MockSession } from "./mock-session.ts";

/** What a release changes for one value of `Service-Version`. */
export interface ReleaseRow {
  /** The version that the request names; empty for none. */
  readonly version: string;
  readonly states: Change;
  /** The status of the request, and the version that processed it. */
  readonly responses: Change;
}

/** Something before and after a release. */
export interface Change {
  readonly before: string;
  readonly after: string;
}

/**
 * Makes a release in the mock, and sends the same request for each version to two copies: before and after the release.
 *
 * @throws TypeError if the request is invalid; the release is not made then.
 */
export async function makeRelease(session: MockSession, content: RequestContent): Promise<readonly ReleaseRow[]> {
  const before = session.copy();
  const after = session.copy();
  after.mock.release();
  const names = [...new Set(["", ...namesOf(before.mock.versions), ...namesOf(after.mock.versions)])];
  const rows: ReleaseRow[] = [];
  for (const version of names) rows.push(await compare(version, before, after, content));
  session.mock.release();
  return rows;
}

function namesOf({ deprecated, current, next }: SupportedVersions): readonly string[] {
  return [deprecated, current, next];
}

async function compare(
  version: string,
  before: MockSession,
  after: MockSession,
  content: RequestContent,
): Promise<ReleaseRow> {
  const isNew = !namesOf(before.mock.versions).includes(version);
  const request = { ...content, version, headers: withoutVersion(content.headers) };
  const responses = { before: await outcome(before, request), after: await outcome(after, request) };
  if (version === "") return { version, responses, states: { before: "", after: "" } };
  return {
    version,
    responses,
    states: { before: isNew ? "" : before.stateOf(version), after: after.stateOf(version) },
  };
}

function withoutVersion(headers: string): string {
  const lines = headers.split("\n");
  return lines.filter((line) => !/^\s*service-version\s*:/i.test(line)).join("\n");
}

async function outcome(session: MockSession, content: RequestContent): Promise<string> {
  const { status, response } = await sendRequest(session, content);
  const version = response.headers.find(([name]) => name === "service-version")?.[1];
  // The 404 of a version that is not supported names Current, which did not process the request.
  const isAsked = content.version === "" || content.version === version;
  return isAsked && version !== undefined ? `${status}, processed by ${version}` : String(status);
}
