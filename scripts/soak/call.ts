import type { Report } from "./report.ts";

/** After so many milliseconds an answer counts as lost. */
const PATIENCE = 60_000;

/** Sends a request and notes how it went; undefined where it got no answer. */
export async function call(report: Report, url: string, init: RequestInit = {}): Promise<Response | undefined> {
  const started = performance.now();
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE), ...init });
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

/** Asks for a short answer again and again while something else goes on; gives the longest wait in milliseconds. */
export async function whileAnswering(
  report: Report,
  { url, token }: { readonly url: string; readonly token: string },
  work: () => Promise<unknown>,
): Promise<number> {
  let [longest, over] = [0, false];
  const working = work().finally(() => {
    over = true;
  });
  while (!over) {
    const started = performance.now();
    const answer = await call(report, `${url}/v1/products/`, { headers: { Authorization: `Bearer ${token}` } });
    longest = Math.max(longest, performance.now() - started);
    if (answer?.status !== 200) report.violation(`a short request was answered ${answer?.status ?? "by nothing"}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await working;
  return longest;
}
