import type { IncomingMessage } from "node:http";
import type { ControlAnswer } from "./control.ts";
import { CONTROL_PATH } from "./routes.ts";

/** A page that the control interface serves. It holds nothing of the mock, so it is open to everybody. */
export interface Page {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The inspector, for a browser that asks for it; undefined for every other request, one with curl among them. */
export function pageFor({ method, url, headers }: IncomingMessage): Promise<ControlAnswer> | undefined {
  const path = url?.replace(/\?.*$/, "").replace(/\/$/, "");
  return method === "GET" && path === CONTROL_PATH && headers.accept?.includes("text/html") ? inspector() : undefined;
}

/** Loaded when it is first asked for: a server that nobody looks at starts without it. */
async function inspector(): Promise<ControlAnswer> {
  const { page } = await import("../inspector/built.ts");
  const { headers, text } = await page();
  return { status: 200, headers, body: text };
}
