// The program for a worker: responds with the report.
import type { Target } from "./calls.ts";
import { exercise } from "./exercise.ts";

export default {
  fetch: async (_request: Request, target: Target): Promise<Response> => Response.json(await exercise(target)),
};
