import type { Mock } from "../../mock/index.ts";
import { CURRENT } from "../support/versions.ts";

/** A request or a response that a deviation may change. */
export interface Exchange {
  readonly line: string;
  /** The query with its question mark; empty for none. */
  readonly search: string;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a deviation changes a field of one known body.
  readonly body: any;
  /** The status of a response. */
  readonly status: number;
  readonly mock: Mock;
}

/** A change of requests or responses, by which a service deviates from the specification. */
export interface Deviation {
  /** Changes a request before the mock receives it. Returns a response instead of sending it. */
  readonly request?: (sent: Exchange) => unknown;
  readonly response?: (answer: Exchange, sent: Exchange) => unknown;
}

type Line = string | RegExp;

const fits = (line: Line, exchange: Exchange) =>
  typeof line === "string" ? line === exchange.line : line.test(exchange.line);

/** Changes the requests whose line fits, if a condition is true. The function may return a response. */
export function requests(
  line: Line,
  change: (sent: Exchange) => unknown,
  when: (sent: Exchange) => unknown = () => true,
) {
  return { request: (sent: Exchange) => (fits(line, sent) && when(sent) ? change(sent) : undefined) };
}

/** Changes the responses to the requests whose line fits, if a condition is true. */
export function answers(
  line: Line,
  change: (answer: Exchange, sent: Exchange) => unknown,
  when: (answer: Exchange, sent: Exchange) => unknown = () => true,
): Deviation {
  return {
    response: (answer, sent) => (fits(line, answer) && when(answer, sent) ? change(answer, sent) : undefined),
  };
}

/** Returns a response of the mock's Current version. */
export function respond(status: number, body: unknown = { error: "Rejected" }): Response {
  return Response.json(body, { status, headers: { "Service-Version": CURRENT } });
}

/** Rejects the requests whose line fits, if a condition is true: with a status, or with a 422 that names a place. */
export function rejects(line: Line, reply: number | readonly (string | number)[], when?: (sent: Exchange) => unknown) {
  const detail = [{ loc: reply, msg: "Invalid", type: "value_error" }];
  return requests(line, () => (typeof reply === "number" ? respond(reply) : respond(422, { detail })), when);
}

/** Returns the fetch of a mock with a deviation. */
export function deviating(mock: Mock, { request: before, response: after }: Deviation): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { url, method } = request;
    const { pathname, search } = new URL(url);
    const text = method === "GET" ? "" : await request.text();
    // Large bodies have nothing that a deviation changes.
    if (text.length >= 10_000) return mock.fetch(url, { method, headers: request.headers, body: text });
    const common = { line: `${method} ${pathname}`, search, mock };
    const sent: Exchange = { ...common, headers: new Headers(request.headers), body: parsed(text) ?? {}, status: 0 };
    const instead = await before?.(sent);
    if (instead instanceof Response) return instead;
    const body = parsed(text) === undefined ? text : JSON.stringify(sent.body);
    const response = await mock.fetch(url, { method, headers: sent.headers, ...(text !== "" && { body }) });
    const [content, { status }, headers] = [await response.text(), response, new Headers(response.headers)];
    const answer: Exchange = { ...common, headers, body: parsed(content) ?? {}, status };
    after?.(answer, sent);
    const written = answer.body === undefined ? null : JSON.stringify(answer.body);
    return new Response(parsed(content) === undefined ? content || null : written, answer);
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
