import type { ConformanceToken } from "./options.ts";
import { NotObservable } from "./outcome.ts";
import { OBJECT } from "./pattern.ts";
import type { Requester } from "./requester.ts";
import { LOOKUP, PRODUCTS, READ, type Service } from "./service.ts";
import type { ServiceResponse } from "./service-response.ts";

/** What a run found before it checked anything. */
export interface Survey {
  /** The services of the versions that are served. */
  readonly served: readonly Service[];
  /** What is not as the run's options say: a version that is not served, a token that is rejected. */
  readonly notes: readonly string[];
  /** Why nothing can be checked; undefined if something can. */
  readonly problem: string | undefined;
}

/** Requests that any credential may send, and that change nothing. The id is invalid, so that a 404 is about the path. */
const PROBES = [LOOKUP, PRODUCTS, `${READ}/1`];

/** Finds which versions are served, and which tokens are accepted. The requester then uses only those. */
export async function survey(requester: Requester, services: readonly Service[]): Promise<Survey> {
  // A release keeps two of three versions, so the middle one is served most probably.
  const ordered = services.toSorted((one, other) => distance(services, one) - distance(services, other));
  const seen: ServiceResponse[] = [];
  const tokens: ConformanceToken[] = [];
  const notes: string[] = [];
  for (const token of requester.settings.tokens) {
    const responses = await knock(ordered, token.token);
    seen.push(...responses);
    const isRejected = responses.length > 0 && responses.every(({ status }) => status === 401);
    if (isRejected) notes.push(`a token of the kind ${token.kind} is rejected: ${responses[0]?.summary}`);
    else tokens.push(token);
  }
  requester.tokens = tokens;
  const problem = (await olderPackage(seen, services)) ?? problemOf(seen, requester);
  if (tokens.length === 0 || problem !== undefined)
    return { served: services, notes, problem: problem ?? (notes.join("; ") || "needs a token") };
  const served: Service[] = [];
  for (const service of services) {
    const responses: ServiceResponse[] = [];
    for (const { token } of tokens) {
      if (responses.length === 0 || !responses.some(isServed)) responses.push(...(await knock([service], token)));
    }
    if (responses.length === 0 || responses.some(isServed)) served.push(service);
    else notes.push(`${service.version} is not served: ${responses[0]?.summary}`);
  }
  const none = served.length === 0 ? `none of the versions is served: ${notes.join("; ")}` : undefined;
  return { served: none ? services : served, notes, problem: none };
}

/** Says which version answers without the header, if none of the package's does. */
async function olderPackage(
  responses: readonly ServiceResponse[],
  [service]: readonly Service[],
): Promise<string | undefined> {
  if (!service || responses.length === 0 || responses.some(isServed)) return undefined;
  for (const line of PROBES) {
    const { token } = service.settings.tokens[0] as ConformanceToken;
    const response = await service.send(line, { token, version: null }).catch(ignoreUnobservable);
    const named = response?.headers.get("service-version");
    if (named && isServed(response as ServiceResponse))
      return `none of the versions is served: ${named} is; use a newer package`;
  }
  return undefined;
}

const isServed = ({ status }: ServiceResponse) => status !== 404;

const distance = (services: readonly Service[], service: Service) =>
  Math.abs(services.indexOf(service) - Math.floor(services.length / 2));

/** Sends a token to one probe after another, until one is answered. Returns all responses. */
async function knock(services: readonly Service[], token: string): Promise<ServiceResponse[]> {
  const responses: ServiceResponse[] = [];
  for (const service of services) {
    for (const line of PROBES) {
      const response = await service.send(line, { token }).catch(ignoreUnobservable);
      if (response) responses.push(response);
      if (response && ![401, 404].includes(response.status) && response.status < 500 && !isRedirect(response))
        return responses;
    }
  }
  return responses;
}

function ignoreUnobservable(error: unknown): undefined {
  if (!(error instanceof NotObservable)) throw error;
}

const isRedirect = ({ status, headers }: ServiceResponse) => status >= 300 && status < 400 && headers.has("location");

/** Says what a person probably mistyped, if no response is from the service. */
function problemOf(
  responses: readonly ServiceResponse[],
  { settings: { baseUrl }, lastFailure }: Requester,
): string | undefined {
  const [first] = responses;
  if (!first) return lastFailure ?? "needs a token";
  const location = responses.every(isRedirect) && first.headers.get("location");
  if (location)
    return `every request is redirected, the first to ${new URL(location, baseUrl).origin}: is the base URL right?`;
  if (responses.every(({ status }) => status === 404))
    return `every request gets ${first.summary}: is the base URL right? It does not contain /v1`;
  if (responses.every(({ body, headers }) => !OBJECT.fits(body) && !headers.has("service-version")))
    return `every response is ${first.summary}: this is not the service`;
  return undefined;
}
