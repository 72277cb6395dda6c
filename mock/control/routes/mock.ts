import type { Assumptions } from "../../assumptions/assumptions.ts";
import type { SupportedVersions } from "../../lifecycle/versions.ts";
import type { RoutesOf } from "./route.ts";
import type { Encoded } from "./wire.ts";

/** Operations on the mock as a whole. */
export interface MockOperations {
  about(): MockDescription;
  assumptions(): Encoded<Assumptions>;
  reset(): void;
  openapi(): object;
}

/** The fixed properties of a mock. */
export interface MockDescription {
  readonly baseUrls: readonly string[];
  readonly versions: SupportedVersions;
  readonly assumptions: Encoded<Assumptions>;
}

export const mockRoutes: RoutesOf<MockOperations> = {
  about: {
    method: "GET",
    path: "/about",
    summary: "Returns the base URLs, supported versions and assumptions of the mock.",
  },
  assumptions: {
    method: "GET",
    path: "/assumptions",
    summary: "Returns the assumptions of the mock, where the specification leaves something open.",
  },
  reset: {
    method: "POST",
    path: "/reset",
    summary: "Restores the initial state, removes all faults and clears the journal.",
  },
  openapi: {
    method: "GET",
    path: "/openapi.json",
    summary: "Returns the OpenAPI 3.1 description of the control API.",
  },
};
