import type { Check } from "../check.ts";
import { NOBODY } from "../fixtures.ts";

const UNKNOWN = `GET /v1/webhooks/endpoints/${NOBODY}`;

/** Sections 2.1 and 4.1: webhook endpoints. */
export const webhookEndpointChecks: readonly Check[] = [
  {
    kind: "rule",
    id: "GET-2",
    section: "4.1",
    title: "An unknown id returns 404 ResourceNotFound.",
    requests: 1,
    run: async (service) => {
      await service.expect(UNKNOWN, {}, { status: 404, body: { error: "ResourceNotFound" } });
    },
  },
];
