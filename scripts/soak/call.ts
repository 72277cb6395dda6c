import type { Report } from "./report.ts";

/** The timeout of a request, in milliseconds. */
const TIMEOUT = 60_000;

/** Sends a request and reports its outcome. Returns undefined if no response arrives. */
export async function call(report: Report, url: string, init: RequestInit = {}): Promise<Response | undefined> {
  const started = performance.now();
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT), ...init });
    const text = await response.text();
    report.answered(response.status, performance.now() - started);
    const { status, headers } = response;
    return new Response(status === 204 ? null : text, { status, headers });
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } };
    report.answered(cause?.code ?? name, performance.now() - started);
    return undefined;
  }
}
