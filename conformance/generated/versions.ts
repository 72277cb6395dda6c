// Written by `npm run generate` from the folders in versions/.
import { contract as contract202410, createClient as createClient202410 } from "../../versions/2024-10/index.ts";
import { contract as contract202501, createClient as createClient202501 } from "../../versions/2025-01/index.ts";
import { contract as contract202504, createClient as createClient202504 } from "../../versions/2025-04/index.ts";

/** The contract of every version that the package holds, and the function that creates its client, oldest first. */
export const versions = [
  { contract: contract202410, createClient: createClient202410 },
  { contract: contract202501, createClient: createClient202501 },
  { contract: contract202504, createClient: createClient202504 },
] as const;
