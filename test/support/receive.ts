/** A raw request. */
export interface Sent {
  /** The token; null for none. */
  readonly token?: string | null;
  /** The version that the header names; null for no header. */
  readonly version?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** A value to send as JSON. */
  readonly json?: unknown;
  /** A body to send unchanged, as JSON unless the headers set another content type. */
  readonly body?: string;
}

/** A response. */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; undefined when the body is empty. */
  readonly body: unknown;
}

/** Sends one request, written as `METHOD /path`. */
export async function receive(send: typeof fetch, baseUrl: string, line: string, sent: Sent): Promise<Received> {
  const [method = "", path = ""] = line.split(" ");
  const body = sent.json === undefined ? sent.body : JSON.stringify(sent.json);
  const headers = new Headers(body === undefined ? {} : { "Content-Type": "application/json" });
  if (sent.token != null) headers.set("Authorization", `Bearer ${sent.token}`);
  if (sent.version != null) headers.set("Service-Version", sent.version);
  for (const [name, value] of Object.entries(sent.headers ?? {})) headers.set(name, value);
  const response = await send(baseUrl + path, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
}

/** Returns the loc and type of each problem of a 422: `["body.events.0.name missing"]`. */
export function problems({ status, body }: Received): string[] {
  if (status !== 422) throw new Error(`Expected 422, got ${status}: ${JSON.stringify(body)}`);
  const { detail } = body as { detail: { loc: (string | number)[]; type: string }[] };
  return detail.map(({ loc, type }) => `${loc.join(".")} ${type}`);
}
