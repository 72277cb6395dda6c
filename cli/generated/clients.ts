// Written by `npm run generate` from the folders in versions/.
import { createClient as createClient202410 } from "../../versions/2024-10/index.ts";
import { createClient as createClient202501 } from "../../versions/2025-01/index.ts";
import { createClient as createClient202504 } from "../../versions/2025-04/index.ts";

/** The function that creates a client of each version that the package holds, oldest version first. */
export const clients = {
  "2024-10": createClient202410,
  "2025-01": createClient202501,
  "2025-04": createClient202504,
} as const;
