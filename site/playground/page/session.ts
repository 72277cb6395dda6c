import { nextSample } from "../../../examples/next-sample/contract.ts";
import { createMock, type Mock } from "../../../mock/index.ts";
import { contracts } from "../../../mock/lifecycle/versions.ts";
import type { Contract } from "../../../src/contract/index.ts";
import { SAMPLE_ID } from "../../operations/sample-of.ts";
import type { PlaygroundContent } from "../link.ts";

/** An HTTP message as the page shows it. */
export interface ShownMessage {
  readonly headers: [name: string, value: string][];
  readonly body: string;
}

/** A request with its response. */
export interface Exchange {
  readonly request: ShownMessage & { readonly method: string; readonly url: string };
  readonly response: ShownMessage & { readonly status: number };
  /** The version that the request named; null if it named none. */
  readonly asked: string | null;
  /** The version that processed the request; null if none did. */
  readonly used: string | null;
}

/** The effect of a release on one value of `Service-Version`. */
export interface ReleaseRow {
  /** The version that the request names; empty for none. */
  readonly version: string;
  /** The states before and after. */
  readonly states: readonly [string, string];
  /** The response's status before and after. */
  readonly statuses: readonly [number, number];
}

/** A request to a host that is not the mock's. */
export class BlockedRequestError extends TypeError {
  override readonly name = "BlockedRequestError";
  readonly host: string;

  constructor(host: string) {
    super(`The request to ${host} was blocked: the playground sends requests only to the mock in this page.`);
    this.host = host;
  }
}

/** The page's mock. */
export class MockSession {
  readonly #tokens = new Map<string, string>();
  #mock = createSampleMock();
  /** The versions that the mock supports or supported, the oldest first. */
  #known = this.#supported();

  get mock(): Mock {
    return this.#mock;
  }

  /** The versions that the mock supports or supported, the newest first. */
  get versions(): readonly string[] {
    return this.#known.toReversed();
  }

  /** The secret of the endpoint that exists in the mock. */
  get secret(): string {
    return this.#mock.webhookEndpoints.get(SAMPLE_ID)?.secret ?? "";
  }

  /** Replaces the mock with a new one. */
  reset(): void {
    this.#tokens.clear();
    this.#mock = createSampleMock();
    this.#known = this.#supported();
  }

  /** Makes releases until the mock has made this many. Starts with a new mock if it has made more. */
  release(count: number): void {
    const made = () => this.#known.length - this.#supported().length;
    if (made() > count) this.reset();
    while (made() < count) this.#known.push(this.#mock.release().next);
  }

  /** Returns a version's state in the mock. */
  stateOf(version: string): string {
    const state = Object.entries(this.#mock.versions).find(([, name]) => name === version)?.[0];
    if (state !== undefined) return state.replace(/^./, (first) => first.toUpperCase());
    return this.#known.includes(version) ? "Removed" : "Unknown";
  }

  /** Returns the value of `Authorization` for the token that the reader chose; undefined for none. */
  token({ credential, scopes }: Pick<PlaygroundContent, "credential" | "scopes">): string | undefined {
    if (credential === "none") return undefined;
    const key = `${credential} ${scopes}`;
    const token =
      this.#tokens.get(key) ??
      this.#mock.issueToken({
        type: credential === "expired" ? "oat" : credential,
        ...(scopes !== "all" && { scopes: scopes.split(" ").filter(Boolean) as never[] }),
        ...(credential === "expired" && { expiresIn: -60 }),
      });
    this.#tokens.set(key, token);
    return token;
  }

  /**
   * Answers a request as the service does.
   *
   * @throws BlockedRequestError if the request is for another host.
   */
  async fetch(request: Request): Promise<Exchange> {
    const { origin, host } = new URL(request.url);
    if (!this.#mock.baseUrls.some((url) => new URL(url).origin === origin)) throw new BlockedRequestError(host);
    const { method, url, headers } = request;
    const sent = { method, url, headers: [...headers], body: await request.clone().text() };
    const response = await this.#mock.fetch(request);
    const asked = headers.get("service-version");
    const isSupported = asked === null || this.#supported().includes(asked);
    return {
      request: sent,
      response: { status: response.status, headers: [...response.headers], body: await response.text() },
      asked,
      used: isSupported ? response.headers.get("service-version") : null,
    };
  }

  /**
   * Sends the request that the reader edited.
   *
   * @throws TypeError if the path or a header is invalid, or the path is a URL of another host.
   */
  async send(content: PlaygroundContent): Promise<Exchange> {
    return this.fetch(this.#request(content));
  }

  /**
   * Sends the same request for each version to two new mocks: one like this, and one after another release.
   *
   * @throws TypeError if the request is invalid.
   */
  async compareRelease(content: PlaygroundContent): Promise<readonly ReleaseRow[]> {
    const made = Number(content.releases);
    const sessions = [new MockSession(), new MockSession()] as const;
    sessions.forEach((session, index) => {
      session.release(made + index);
    });
    const headers = content.headers.replaceAll(/^\s*service-version\s*:.*$/gim, "");
    const rows = ["", ...sessions[1].versions].map(async (version): Promise<ReleaseRow> => {
      const exchanges = sessions.map((session) => session.send({ ...content, headers, version }));
      const [before, after] = (await Promise.all(exchanges)) as [Exchange, Exchange];
      return {
        version,
        states: [sessions[0].stateOf(version), sessions[1].stateOf(version)],
        statuses: [before.response.status, after.response.status],
      };
    });
    return Promise.all(rows);
  }

  #supported(): string[] {
    return Object.values(this.#mock.versions).sort();
  }

  #request({ method, path, headers, body, version, ...token }: PlaygroundContent): Request {
    if (!/^(?:\/|https?:\/\/)/.test(path))
      throw new TypeError(`The path must start with "/"; received ${JSON.stringify(path)}.`);
    const url = path.startsWith("/") ? `${this.#mock.baseUrls[0]}${path}` : path;
    const all = new Headers();
    const authorization = this.token(token);
    if (authorization !== undefined) all.set("Authorization", `Bearer ${authorization}`);
    if (version !== "") all.set("Service-Version", version);
    for (const [index, line] of headers.split("\n").entries()) {
      if (line.trim() === "") continue;
      const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
      if (name === undefined || value === undefined)
        throw new TypeError(`Line ${index + 1} of the headers must have the form "Name: value"; received "${line}".`);
      all.set(name, value);
    }
    const hasBody = method !== "GET" && body !== "";
    return new Request(url, { method, headers: all, ...(hasBody && { body }) });
  }
}

/** Creates a mock with the records that the examples read. Its first release creates the example of a new Next. */
function createSampleMock(): Mock {
  const mock = createMock({ contracts: [...contracts, nextSample(contracts.at(-1) as Contract)] });
  mock.products.create({ name: "Starter" });
  mock.webhookEndpoints.create({
    id: SAMPLE_ID,
    url: "https://shop.example/webhooks",
    name: "Shop",
    events: ["order.paid"],
  });
  return mock;
}
