import type { Check } from "../check.ts";
import { NOBODY } from "../fixtures.ts";

/** Sections 2.5 and 7: errors. */
export const errorChecks: readonly Check[] = [
  {
    kind: "rule",
    id: "ERR-1",
    section: "2.5",
    title: 'ResourceNotFound is {error: "ResourceNotFound", detail: string}, both required.',
    requests: 1,
    run: async (service) => {
      const body = { error: "ResourceNotFound", detail: String };
      await service.expect(`GET /v1/webhooks/endpoints/${NOBODY}`, {}, { status: 404, body });
    },
  },
];
