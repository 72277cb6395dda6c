import type { Mock } from "../../mock/index.ts";

/** A request or a response that a deviation may change. */
export interface Exchange {
  readonly line: string;
  /** The query with its question mark; empty for none. */
  readonly search: string;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a deviation changes a field of one known body.
  readonly body: any;
  /** The status of the response. */
  readonly status: number;
  readonly mock: Mock;
}

/** A change of requests or responses, by which a service breaks a rule. */
export interface Deviation {
  /** Changes a request before the mock receives it. Returns a response instead of sending it. */
  readonly request?: (exchange: Exchange) => Response | undefined | void | Promise<void>;
  /** Changes a response. `sent` is the request. */
  readonly response?: (exchange: Exchange, sent: Exchange) => void;
}

/** Returns the fetch of a mock with a deviation. */
export function deviating(mock: Mock, { request: before, response: after }: Deviation): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const line = `${request.method} ${pathname}`;
    const text = request.method === "GET" ? "" : await request.text();
    // Large bodies have nothing that a deviation changes.
    const isSmall = text.length < 10_000;
    const sent: Exchange = {
      line,
      search,
      headers: new Headers(request.headers),
      body: isSmall ? parsed(text) : undefined,
      status: 0,
      mock,
    };
    const instead = isSmall ? await before?.(sent) : undefined;
    if (instead) return instead;
    const body = isSmall && sent.body !== undefined ? JSON.stringify(sent.body) : text;
    const response = await mock.fetch(request.url, {
      method: request.method,
      headers: sent.headers,
      ...(text !== "" && { body }),
    });
    const answer: Exchange = {
      line,
      search,
      headers: new Headers(response.headers),
      body: parsed(await response.text()),
      status: response.status,
      mock,
    };
    after?.(answer, sent);
    return new Response(answer.body === undefined ? null : JSON.stringify(answer.body), answer);
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
