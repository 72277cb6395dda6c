// Written by `npm run generate` from the folders in versions/.
import * as version202410 from "../../versions/2024-10/index.ts";
import * as version202501 from "../../versions/2025-01/index.ts";
import * as version202504 from "../../versions/2025-04/index.ts";

/** The module of every version that the package holds, oldest first. */
export const versions = [version202410, version202501, version202504] as const;
