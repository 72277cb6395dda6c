import { createClient as createCurrent, contract as current } from "#current";
import { createClient as createDeprecated, contract as deprecated } from "#deprecated";
import { createClient as createNext, contract as next } from "#next";

/** The contract of every version that the package holds, and the function that creates its client, oldest first. */
export const versions = [
  { contract: deprecated, createClient: createDeprecated },
  { contract: current, createClient: createCurrent },
  { contract: next, createClient: createNext },
] as const;
