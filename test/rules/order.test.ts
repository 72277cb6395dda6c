import { describe, expect, it } from "vitest";
import type { MockOptions } from "../../mock/index.ts";
import { type Adapter, openAdapter, type Received, type Sent } from "../support/adapter.ts";
import { NOBODY, usage } from "../support/samples.ts";

type Step = "version" | "size" | "rate" | "token" | "route" | "credential" | "scope" | "parameters" | "body";

const SMALL = { maxBodyBytes: 10 };
const SLOW = { rateLimit: { requests: 0, windowSeconds: 60 } };
const INGEST = "POST /v1/events/ingest";
const LARGE: Sent = { json: { events: [usage()] } };

/** A request that two adjacent checks reject, and the response of each. */
interface Clash {
  readonly checks: readonly [Step, Step];
  readonly answers: readonly [string, string];
  readonly assumptions?: NonNullable<MockOptions["assumptions"]>;
  readonly ask: (adapter: Adapter) => Promise<Received>;
}

function withoutScope({ mock }: Adapter, type: "oat" | "oidc" = "oat"): Sent {
  return { token: mock.issueToken({ type, scopes: [] }) };
}

const CLASHES: readonly Clash[] = [
  {
    checks: ["version", "size"],
    answers: ["404", "413 RequestBodyTooLarge"],
    assumptions: SMALL,
    ask: ({ send }) => send(INGEST, { ...LARGE, version: "2020-01" }),
  },
  {
    checks: ["size", "rate"],
    answers: ["413 RequestBodyTooLarge", "429"],
    assumptions: { ...SMALL, ...SLOW },
    ask: ({ send }) => send(INGEST, LARGE),
  },
  {
    checks: ["rate", "token"],
    answers: ["429", "401 invalid_token"],
    assumptions: SLOW,
    ask: ({ send }) => send("GET /v1/products/", { token: "unknown" }),
  },
  {
    checks: ["token", "route"],
    answers: ["401 invalid_token", "404"],
    ask: ({ send }) => send("GET /v1/nowhere", { token: "unknown" }),
  },
  {
    checks: ["route", "credential"],
    answers: ["405", "401 Unauthorized"],
    ask: ({ send }) => send("DELETE /v1/products/", { token: null }),
  },
  {
    checks: ["credential", "scope"],
    answers: ["401 invalid_token", "403 insufficient_scope"],
    ask: (adapter) => adapter.send(INGEST, { ...withoutScope(adapter, "oidc"), ...LARGE }),
  },
  {
    checks: ["scope", "parameters"],
    answers: ["403 insufficient_scope", "422 path"],
    ask: (adapter) => adapter.send("GET /v1/webhooks/endpoints/nonsense", withoutScope(adapter)),
  },
  {
    checks: ["parameters", "body"],
    answers: ["422 path", "422 body"],
    ask: ({ send }) => send("PATCH /v1/webhooks/endpoints/nonsense", { json: { enabled: "yes" } }),
  },
];

/** The status, and the part that distinguishes responses of the same status. */
function summary({ status, body }: Received): string {
  const { error, detail } = (body ?? {}) as { error?: string; detail?: { loc: string[] }[] };
  const more = Array.isArray(detail) ? detail[0]?.loc[0] : error;
  return more === undefined ? `${status}` : `${status} ${more}`;
}

describe("the order of the checks", () => {
  it.each(CLASHES)("G-ORDER: $checks.0 comes before $checks.1", async ({ answers, assumptions = {}, ask }) => {
    const adapter = await openAdapter({ assumptions });
    expect(summary(await ask(adapter))).toBe(answers[0]);
  });

  it("G-ORDER: the body is checked before the endpoint is looked up", async () => {
    const { send } = await openAdapter();
    const answer = await send(`PATCH /v1/webhooks/endpoints/${NOBODY}`, { json: { enabled: "yes" } });
    expect(summary(answer)).toBe("422 body");
  });
});
