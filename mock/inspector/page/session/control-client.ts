import {
  type AsyncControlApi,
  asyncControlClient,
  isPaged,
  nextTarget,
  targetOf,
} from "../../../control/routes/client.ts";
import type { ControlMethod, ControlRequest, ControlRoute } from "../../../control/routes/route.ts";

/** An error response of the control API. */
export class ControlError extends Error {
  override readonly name = "ControlError";
  readonly status: number;

  constructor(status: number, detail: string) {
    super(detail);
    this.status = status;
  }
}

const PASSWORD_KEY = "billing-mock password";

/** Calls the control API of the server that served the page. */
export class ControlClient {
  #password = sessionStorage.getItem(PASSWORD_KEY);

  /** The password to send. It is stored until the browser tab is closed. */
  set password(password: string) {
    this.#password = password;
    sessionStorage.setItem(PASSWORD_KEY, password);
  }

  get hasPassword(): boolean {
    return this.#password !== null;
  }

  forgetPassword(): void {
    this.#password = null;
    sessionStorage.removeItem(PASSWORD_KEY);
  }

  /**
   * Returns the control API. Its functions throw a ControlError when the server responds with an error, and a TypeError
   * when the server cannot be reached.
   */
  api(signal?: AbortSignal): AsyncControlApi {
    return asyncControlClient((route, request) => this.#send(route, request, signal));
  }

  async #send(route: ControlRoute, request: ControlRequest, signal: AbortSignal | undefined): Promise<unknown> {
    const { method } = route;
    const { body } = request;
    if (isPaged(route)) return this.#everyPage(targetOf(route, request), signal);
    const response = await this.#fetch(method, targetOf(route, request), body, signal);
    const text = await response.text();
    return text === "" ? undefined : JSON.parse(text);
  }

  async #everyPage(target: string, signal: AbortSignal | undefined): Promise<readonly unknown[]> {
    const items: unknown[] = [];
    for (let next: string | undefined = target; next !== undefined; ) {
      const response = await this.#fetch("GET", next, undefined, signal);
      for (const item of (await response.json()) as readonly unknown[]) items.push(item);
      next = nextTarget(response.headers.get("link"));
    }
    return items;
  }

  async #fetch(
    method: ControlMethod,
    target: string,
    body: object | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    const response = await fetch(target, {
      method,
      headers: this.#headers(body),
      // With credentials, the browser would show its own password prompt on 401.
      credentials: "omit",
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    if (!response.ok) throw new ControlError(response.status, detailOf(await response.text()));
    return response;
  }

  #headers(body: unknown): Record<string, string> {
    return {
      Accept: "application/json",
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(this.#password !== null && { Authorization: `Basic ${base64(`inspector:${this.#password}`)}` }),
    };
  }
}

/** Returns the message in the body of an error response. */
function detailOf(text: string): string {
  try {
    const { detail } = JSON.parse(text) as { readonly detail?: unknown };
    return String(detail);
  } catch {
    return text;
  }
}

/** Encodes a string as UTF-8 in Base64, because a header cannot contain other characters. */
function base64(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)));
}
