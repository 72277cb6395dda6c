import { createClient as createDeprecated, contract as deprecated } from "../versions/2024-10/index.ts";
import { createClient as createCurrent, contract as current } from "../versions/2025-01/index.ts";
import { createClient as createNext, contract as next } from "../versions/2025-04/index.ts";

/** The contract of every version that the package holds, and the function that creates its client, oldest first. */
export const versions = [
  { contract: deprecated, createClient: createDeprecated },
  { contract: current, createClient: createCurrent },
  { contract: next, createClient: createNext },
] as const;
