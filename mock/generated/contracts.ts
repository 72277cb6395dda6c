// Written by `npm run generate` from the folders in versions/.
import type { Contract } from "../../src/contract/index.ts";
import { contract as contract202410 } from "../../versions/2024-10/contract.ts";
import { contract as contract202501 } from "../../versions/2025-01/contract.ts";
import { contract as contract202504 } from "../../versions/2025-04/contract.ts";

/** The contract of every version that the package holds, oldest first. */
export const contracts: readonly Contract[] = [contract202410, contract202501, contract202504];
