/** An answer of the control interface that is no success. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;

  constructor(status: number, detail: string) {
    super(detail);
    this.status = status;
  }
}

/** The methods that the page uses. */
export type Method = "GET" | "POST" | "PATCH" | "DELETE";

const PASSWORD_KEY = "billing-mock password";

/** Calls the control interface of the server that the page came from. */
export class Api {
  #password = sessionStorage.getItem(PASSWORD_KEY);

  /** The password to send from now on; it is kept until the browser's tab is closed. */
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
   * Makes one call.
   *
   * @throws Refusal when the server does not do it; TypeError when there is no server.
   */
  async call<Result>(method: Method, path: string, body?: unknown, signal?: AbortSignal): Promise<Result> {
    const response = await this.#fetch(method, path, body, signal);
    const text = await response.text();
    return (text === "" ? undefined : JSON.parse(text)) as Result;
  }

  /** Reads all items of a list, page by page. */
  async list<Item>(path: string, signal?: AbortSignal): Promise<readonly Item[]> {
    const items: Item[] = [];
    for (let next: string | undefined = path; next !== undefined; ) {
      const response = await this.#fetch("GET", next, undefined, signal);
      for (const item of (await response.json()) as readonly Item[]) items.push(item);
      next = /^<\/__mock([^>]+)>; rel="next"$/.exec(response.headers.get("link") ?? "")?.[1];
    }
    return items;
  }

  async #fetch(method: Method, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
    const response = await fetch(`/__mock${path}`, {
      method,
      headers: this.#headers(body),
      // Without credentials the browser never asks for a password itself.
      credentials: "omit",
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    if (!response.ok) throw new Refusal(response.status, detailOf(await response.text()));
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

/** What a refusal says to people. */
function detailOf(text: string): string {
  try {
    const { detail } = JSON.parse(text) as { readonly detail?: unknown };
    return String(detail);
  } catch {
    return text;
  }
}

/** Base64 of UTF-8: a header takes no other letters. */
function base64(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)));
}
