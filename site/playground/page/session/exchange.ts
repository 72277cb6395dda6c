import type { PlaygroundContent } from "../../link/content.ts";
import type { MockSession } from "./mock-session.ts";

/** A message of HTTP as the page shows it. */
export interface ShownMessage {
  /** The first line: `POST https://…` or `200 OK`. */
  readonly title: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** A request with its response. */
export interface Exchange {
  readonly request: ShownMessage;
  readonly response: ShownMessage;
  readonly status: number;
}

/** What is sent: the request as the reader edited it. */
export type RequestContent = Pick<
  PlaygroundContent,
  "version" | "credential" | "scopes" | "method" | "path" | "query" | "headers" | "body"
>;

/**
 * Sends a request to the mock.
 *
 * @throws TypeError if the path or a header is invalid.
 */
export async function sendRequest(session: MockSession, content: RequestContent): Promise<Exchange> {
  const request = toRequest(session, content);
  const sent = { title: `${request.method} ${request.url}`, headers: [...request.headers] };
  const body = await request.clone().text();
  const response = await session.mock.fetch(request);
  return { request: { ...sent, body }, response: await shownResponse(response), status: response.status };
}

async function shownResponse(response: Response): Promise<ShownMessage> {
  const title = `${response.status} ${response.statusText}`.trim();
  return { title, headers: [...response.headers], body: await response.text() };
}

function toRequest(session: MockSession, content: RequestContent): Request {
  const { method, path, query, body } = content;
  if (!path.startsWith("/")) throw new TypeError(`The path must start with "/"; received ${JSON.stringify(path)}.`);
  const url = `${session.mock.baseUrls[0]}${path}${query === "" ? "" : `?${query}`}`;
  const hasBody = method !== "GET" && body !== "";
  return new Request(url, { method, headers: headersOf(session, content), ...(hasBody && { body }) });
}

function headersOf(session: MockSession, { version, headers, ...token }: RequestContent): Headers {
  const all = new Headers({ Authorization: `Bearer ${session.token(token)}` });
  if (version !== "") all.set("Service-Version", version);
  for (const [index, line] of headers.split("\n").entries()) {
    if (line.trim() === "") continue;
    const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      throw new TypeError(`Line ${index + 1} of the headers must have the form "Name: value"; received "${line}".`);
    }
    all.set(name, value);
  }
  return all;
}
