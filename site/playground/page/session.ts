import { nextSample } from "../../../examples/next-sample/contract.ts";
import { contracts } from "../../../mock/generated/contracts.ts";
import { createMock, type Mock } from "../../../mock/index.ts";
import type { Contract } from "../../../src/contract/index.ts";
import type { PlaygroundContent } from "../link.ts";

/** An HTTP message as the page shows it. */
export interface ShownMessage {
  readonly headers: readonly (readonly [name: string, value: string])[];
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

/** The request as the reader edited it. */
export type RequestContent = Pick<
  PlaygroundContent,
  "version" | "credential" | "scopes" | "method" | "path" | "headers" | "body"
>;

/** The effect of a release on one value of `Service-Version`. */
export interface ReleaseRow {
  /** The version that the request names; empty for none. */
  readonly version: string;
  /** The states before and after. */
  readonly states: readonly [string, string];
  /** The response's status before and after. */
  readonly statuses: readonly [number, number];
}

export type VersionState = "Deprecated" | "Current" | "Next" | "Removed" | "Unknown";

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
  readonly #endpointId: string;
  readonly #known: string[];
  readonly #tokens = new Map<string, string>();
  #mock: Mock;

  constructor(endpointId: string) {
    this.#endpointId = endpointId;
    this.#mock = createSampleMock(endpointId);
    this.#known = [...this.#supported()];
  }

  get mock(): Mock {
    return this.#mock;
  }

  /** The versions that the mock supports or supported, the newest first. */
  get versions(): readonly string[] {
    return [...this.#known].sort().reverse();
  }

  /** The secret of the endpoint that exists in the mock. */
  get secret(): string {
    return this.#mock.webhookEndpoints.get(this.#endpointId)?.secret ?? "";
  }

  /** Replaces the mock with a new one. */
  reset(): void {
    this.#tokens.clear();
    this.#mock = createSampleMock(this.#endpointId);
    this.#known.splice(0, this.#known.length, ...this.#supported());
  }

  /** Returns a version's state in the mock. */
  stateOf(version: string): VersionState {
    const { deprecated, current, next } = this.#mock.versions;
    if (version === current) return "Current";
    if (version === next) return "Next";
    if (version === deprecated) return "Deprecated";
    return this.#known.includes(version) ? "Removed" : "Unknown";
  }

  /** Returns the value of `Authorization` for the token that the reader chose; undefined for none. */
  token({ credential, scopes }: Pick<PlaygroundContent, "credential" | "scopes">): string | undefined {
    if (credential === "none") return undefined;
    const key = `${credential} ${scopes}`;
    const type = credential === "expired" ? "oat" : credential;
    const token =
      this.#tokens.get(key) ??
      this.#mock.issueToken({
        type,
        ...(scopes !== "all" && { scopes: scopes as never }),
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
  async fetch(request: Request): Promise<Response> {
    const { origin, host } = new URL(request.url);
    if (!this.#mock.baseUrls.some((url) => new URL(url).origin === origin)) throw new BlockedRequestError(host);
    return this.#mock.fetch(request);
  }

  /**
   * Sends the request that the reader edited.
   *
   * @throws TypeError if the path or a header is invalid, or the path is a URL of another host.
   */
  async send(content: RequestContent): Promise<Exchange> {
    const request = this.#request(content);
    const body = await request.clone().text();
    const sent = { method: request.method, url: request.url, headers: [...request.headers], body };
    const response = await this.fetch(request);
    const { status, headers } = response;
    const asked = request.headers.get("service-version");
    const used = asked === null || this.#supported().includes(asked) ? headers.get("service-version") : null;
    return { request: sent, response: { status, headers: [...headers], body: await response.text() }, asked, used };
  }

  /**
   * Makes a release in the mock, and sends the same request for each version to two copies: before and after the release.
   *
   * @throws TypeError if the request is invalid; the release is not made then.
   */
  async release(content: RequestContent): Promise<readonly ReleaseRow[]> {
    const [before, after] = [this.#copy(), this.#copy()];
    after.advance();
    const headers = content.headers.replaceAll(/^\s*service-version\s*:.*$/gim, "");
    const rows = ["", ...after.versions].map(async (version): Promise<ReleaseRow> => {
      const answers = [before, after].map((session) => session.send({ ...content, headers, version }));
      const [one, other] = (await Promise.all(answers)) as [Exchange, Exchange];
      return {
        version,
        states: [before.stateOf(version), after.stateOf(version)],
        statuses: [one.response.status, other.response.status],
      };
    });
    const all = await Promise.all(rows);
    this.advance();
    return all;
  }

  /** Makes a release in the mock. */
  advance(): void {
    this.#mock.release();
    this.#known.push(this.#mock.versions.next);
  }

  /** Returns another mock after the same number of releases. */
  #copy(): MockSession {
    const copy = new MockSession(this.#endpointId);
    while (copy.mock.versions.current < this.#mock.versions.current) copy.advance();
    return copy;
  }

  #supported(): readonly string[] {
    const { deprecated, current, next } = this.#mock.versions;
    return [deprecated, current, next];
  }

  #request({ method, path, headers, body, version, ...token }: RequestContent): Request {
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
function createSampleMock(endpointId: string): Mock {
  const mock = createMock({ contracts: [...contracts, nextSample(contracts.at(-1) as Contract)] });
  mock.products.create({ name: "Starter" });
  mock.webhookEndpoints.create({
    id: endpointId,
    url: "https://shop.example/webhooks",
    name: "Shop",
    events: ["order.paid"],
  });
  return mock;
}
