import type { Assumptions, Step } from "../assumptions/assumptions.ts";
import type { Credential } from "../state/records.ts";
import type { State } from "../state/state.ts";
import { problemsOf } from "../validation/problems.ts";
import { authenticate, authorize, identify } from "./credentials.ts";
import { discover } from "./discovery.ts";
import type { Exchange, Reply } from "./exchange.ts";
import type { RateCounter } from "./rate-counter.ts";
import { readBody } from "./read-body.ts";
import { invalid, refusal, tooLarge } from "./refusals.ts";
import { type Route, routesOf } from "./routes.ts";

/** What a step works with besides the exchange. */
export interface Surroundings {
  readonly state: State;
  readonly assumptions: Assumptions;
  readonly rates: RateCounter;
}

/** A check of a request: a reply ends it, undefined lets it go on. */
export type Check = (exchange: Exchange, around: Surroundings) => Reply | undefined | Promise<Reply | undefined>;

/** Every check, by the name that the order of the checks uses (G-ORDER). */
export const checks: Readonly<Record<Step, Check>> = {
  version: (exchange, { state: { versions }, assumptions }) => {
    const contract = versions.contracts.get(exchange.versionAsked ?? versions.current);
    if (!contract) return refusal(404, assumptions.unsupportedVersion.body);
    exchange.contract = contract;
    return undefined;
  },

  size: (exchange, { assumptions }) => {
    const { method, request } = exchange;
    if (method === "GET" || method === "HEAD") return undefined;
    if (assumptions.bodyWithoutLength === "reject" && request.hasLength === false && HAS_BODY.has(method))
      return lengthRequired();
    return request.body === null ? undefined : readText(exchange, assumptions);
  },

  rate: (exchange, { rates, assumptions }) => rates.check(exchange, assumptions),

  token: (exchange, { state, assumptions }) => identify(exchange, state, assumptions),

  route: (exchange, { assumptions }) => {
    const routes = routesOf(exchange.contract as NonNullable<Exchange["contract"]>);
    const match = routes.find(exchange.method, exchange.path);
    if (match && served(match.route, assumptions)) {
      exchange.route = match.route;
      exchange.pathParameters = match.parameters;
      return undefined;
    }
    const { notFound, methodNotAllowed } = assumptions.unknownRoute;
    const others = routes.at(exchange.path).filter((route) => served(route, assumptions));
    if (others.length === 0) return discover(exchange, assumptions) ?? refusal(404, notFound);
    return refusal(405, methodNotAllowed, { Allow: others.map(({ operation }) => operation.method).join(", ") });
  },

  credential: (exchange, { assumptions }) => authenticate(exchange, assumptions),

  scope: (exchange, { assumptions }) => authorize(exchange, assumptions),

  parameters: (exchange, { assumptions }) => {
    const { operation, readQuery } = exchange.route as Route;
    const path = operation.request.path?.safeParse(exchange.pathParameters);
    if (path && !path.success) {
      return invalid(problemsOf(path.error.issues, exchange.pathParameters, ["path"]), assumptions);
    }
    if (!operation.request.query) return undefined;
    const sent = readQuery(exchange.search);
    const query = operation.request.query.safeParse(sent);
    if (!query.success) {
      const asText = Object.fromEntries(new URLSearchParams(exchange.search));
      return invalid(problemsOf(query.error.issues, asText, ["query"]), assumptions);
    }
    exchange.query = query.data;
    return undefined;
  },

  body: (exchange, { state, assumptions }) => {
    const { operation, body } = exchange.route as Route;
    const { receivedAt, credential } = exchange as Exchange & { readonly credential: Credential };
    const judgement = { state, assumptions, credential, receivedAt };
    // While a large body is checked in pieces, the credential may be revoked or the mock reset.
    const resume = () => identify(exchange, state, assumptions);
    return body && readBody({ exchange, operation, body, judgement, resume });
  },
};

/** Whether an operation that rests on an assumption is there at all. */
function served({ operation }: Route, { endpointWrites, products }: Assumptions): boolean {
  if (operation.gap === "G-WHE-PATHS") return endpointWrites === "served";
  if (operation.gap === "G-PRODUCTS") return products.list === "served";
  return true;
}

/** The methods whose requests carry a body (RFC 9110, section 9.3; RFC 5789). */
const HAS_BODY: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/** 411: the request does not tell how long its body is (RFC 9110, section 15.5.12; G-LENGTH). */
function lengthRequired(): Reply {
  return refusal(411, { error: "LengthRequired", detail: "Send the Content-Length header." });
}

async function readText(exchange: Exchange, assumptions: Assumptions): Promise<Reply | undefined> {
  const { request } = exchange;
  const { maxBodyBytes } = assumptions;
  if (Number(request.headers.get("content-length") ?? 0) > maxBodyBytes) return tooLarge(maxBodyBytes, assumptions);
  exchange.reading = true;
  const bytes = await request.arrayBuffer();
  exchange.reading = false;
  if (bytes.byteLength > maxBodyBytes) return tooLarge(maxBodyBytes, assumptions);
  decodeInto(exchange, bytes);
  return undefined;
}

const strict = new TextDecoder("utf-8", { fatal: true });
const lenient = new TextDecoder();

function decodeInto(exchange: Exchange, bytes: ArrayBuffer | Uint8Array): void {
  try {
    exchange.text = strict.decode(bytes);
  } catch {
    exchange.text = lenient.decode(bytes);
    exchange.garbled = true;
  }
}
