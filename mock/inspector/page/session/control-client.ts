import type { ControlMethod } from "../../../control/route.ts";

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
   * Calls one route.
   *
   * @throws ControlError when the server responds with an error; TypeError when the server cannot be reached.
   */
  async call<Result>(method: ControlMethod, path: string, body?: unknown, signal?: AbortSignal): Promise<Result> {
    const response = await this.#fetch(method, path, body, signal);
    const text = await response.text();
    return (text === "" ? undefined : JSON.parse(text)) as Result;
  }

  /** Returns all items of a list, read page by page. */
  async list<Item>(path: string, signal?: AbortSignal): Promise<readonly Item[]> {
    const items: Item[] = [];
    for (let next: string | undefined = path; next !== undefined; ) {
      const response = await this.#fetch("GET", next, undefined, signal);
      for (const item of (await response.json()) as readonly Item[]) items.push(item);
      next = /^<\/__mock([^>]+)>; rel="next"$/.exec(response.headers.get("link") ?? "")?.[1];
    }
    return items;
  }

  async #fetch(method: ControlMethod, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
    const response = await fetch(`/__mock${path}`, {
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
