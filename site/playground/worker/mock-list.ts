import type { createMock, Mock } from "../../../mock/index.ts";
import type { RecordedRequest } from "../../../mock/journal/requests.ts";
import { MAX_SHOWN_REQUESTS } from "../protocol.ts";
import type { Modules } from "./import-urls.ts";

/** The mocks that a program creates, so that the page can show their requests. */
export class MockList {
  readonly #mocks: Mock[] = [];

  /** Returns the modules with a `createMock` that adds the mock to this list. */
  observe(modules: Modules): Modules {
    const observed = Object.entries(modules).map(([path, module]) => [path, this.#observeModule(module)]);
    return Object.fromEntries(observed);
  }

  /** Returns the newest requests to the mocks. */
  requests(): readonly RecordedRequest[] {
    return this.#mocks.flatMap(({ requests }) => requests.list()).slice(-MAX_SHOWN_REQUESTS);
  }

  #observeModule(module: Modules[string]): Modules[string] {
    if (!("createMock" in module)) return module;
    const create = module["createMock"] as typeof createMock;
    return {
      ...module,
      createMock: (...options: Parameters<typeof createMock>) => {
        const mock = create(...options);
        this.#mocks.push(mock);
        return mock;
      },
    };
  }
}
