import { createMock, type Mock } from "../../../../mock/index.ts";
import type { PlaygroundContent } from "../../link/content.ts";

const RECEIVER = "https://shop.example/webhooks";

/** The mock of the page. */
export class MockSession {
  readonly #endpointId: string;
  readonly #tokens = new Map<string, string>();
  #mock: Mock;

  constructor(endpointId: string) {
    this.#endpointId = endpointId;
    this.#mock = createSampleMock(endpointId);
  }

  get mock(): Mock {
    return this.#mock;
  }

  /** Replaces the mock with a new one. */
  reset(): void {
    this.#tokens.clear();
    this.#mock = createSampleMock(this.#endpointId);
  }

  /** Returns another mock in which as many releases were made as in this one. */
  copy(): MockSession {
    const copy = new MockSession(this.#endpointId);
    while (copy.mock.versions.current < this.#mock.versions.current) copy.mock.release();
    return copy;
  }

  /** Returns a token with the credential and the scopes that the reader chose. */
  token({ credential: type, scopes }: Pick<PlaygroundContent, "credential" | "scopes">): string {
    const key = `${type} ${scopes}`;
    const known = this.#tokens.get(key);
    if (known !== undefined) return known;
    const token = this.#mock.issueToken(scopes === "all" ? { type } : { type, scopes: scopes as never });
    this.#tokens.set(key, token);
    return token;
  }

  /** The secret of the endpoint that exists in the mock. */
  get secret(): string {
    return this.#mock.webhookEndpoints.get(this.#endpointId)?.secret ?? "";
  }

  /** Returns the state of a version in the mock. */
  stateOf(version: string): "Deprecated" | "Current" | "Next" | "Removed" {
    const { deprecated, current, next } = this.#mock.versions;
    if (version === current) return "Current";
    if (version === next) return "Next";
    return version === deprecated ? "Deprecated" : "Removed";
  }
}

/** Creates a mock with the records that the examples read. */
function createSampleMock(endpointId: string): Mock {
  const mock = createMock();
  mock.products.create({ name: "Starter" });
  mock.webhookEndpoints.create({ id: endpointId, url: RECEIVER, name: "Shop", events: ["order.paid"] });
  mock.webhooks.receive(RECEIVER, () => new Response(null, { status: 204 }));
  return mock;
}
