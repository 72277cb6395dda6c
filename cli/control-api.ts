import { type AsyncControlApi, asyncControlClient, targetOf } from "../mock/control/routes/client.ts";
import { type ControlRequest, type ControlRoute, PASSWORD_REQUIRED } from "../mock/control/routes/route.ts";
import { PASSWORD_VARIABLE } from "../terminal/mock-server.ts";

/** A running mock. */
export interface RunningMock {
  /** Its base URL, without a trailing slash. */
  readonly url: string;
  readonly password: string | undefined;
}

/** Returns the control API of a running mock. Each error says what to do. */
export function controlApiOf(mock: RunningMock): AsyncControlApi {
  return asyncControlClient((route, request) => send(route, request, mock));
}

async function send(route: ControlRoute, request: ControlRequest, { url, password }: RunningMock): Promise<unknown> {
  const headers: Record<string, string> = password === undefined ? {} : { authorization: `Bearer ${password}` };
  const body = request.body === undefined ? null : JSON.stringify(request.body);
  const response = await fetch(url + targetOf(route, request), { method: route.method, headers, body }).catch(
    (error: unknown) => {
      throw new Error(
        `cannot reach a mock at ${url} (${codeOf(error)}). Start it with npx billing-mock, or set --url.`,
      );
    },
  );
  return resultOf(response.status, await response.text(), route, url);
}

function codeOf(error: unknown): string {
  const { cause, message } = error as Error & {
    readonly cause?: { readonly code?: string; readonly message?: string };
  };
  return cause?.code ?? cause?.message ?? message;
}

function resultOf(status: number, text: string, route: ControlRoute, url: string): unknown {
  const { absent } = route;
  if (status === 204 && route.status === undefined) return undefined;
  const value = parse(text);
  if (status < 300 && value !== undefined) return value;
  const { error, detail } = (value ?? {}) as { readonly error?: string; readonly detail?: string };
  if (status === 404 && error === "NotFound" && absent) return absent.value;
  if (error === PASSWORD_REQUIRED) {
    throw new Error(
      `the control API at ${url} requires a password; it was missing or wrong. Check ${PASSWORD_VARIABLE} or --control-password-file.`,
    );
  }
  if (error === undefined || detail === undefined || status === 401) {
    throw new Error(`${url} does not serve the control API of a mock (status ${status}). Check --url.`);
  }
  throw new Error(detail);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
