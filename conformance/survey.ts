import { OBJECT } from "./pattern.ts";
import { NotObservable } from "./report.ts";
import type { Requester } from "./requester.ts";
import { PROBES, type Service } from "./service.ts";
import type { ServiceResponse } from "./service-response.ts";
import { type ConformanceToken, contracts } from "./settings.ts";

/** What a run found before it checked anything. */
export interface Survey {
  /** The services of the versions that are served. */
  readonly served: readonly Service[];
  /** What is not as the run's options say: a version that is not served, a token that is rejected. */
  readonly notes: readonly string[];
  /** Why nothing can be checked; undefined if something can. */
  readonly problem: string | undefined;
}

/** The response to a token in a version. */
interface Seen {
  readonly service: Service;
  readonly token: ConformanceToken;
  readonly response: ServiceResponse;
}

/** Finds which versions are served, and which tokens are accepted. The requester then uses only those. */
export async function survey(requester: Requester, services: readonly Service[]): Promise<Survey> {
  const { tokens } = requester.settings;
  const seen: Seen[] = [];
  for (const token of tokens) {
    for (const service of services) {
      const response = await knock(service, token, service.version);
      if (response) seen.push({ service, token, response });
    }
  }
  const of = (given: ConformanceToken | Service) =>
    seen.flatMap(({ token, service, response }) => (token === given || service === given ? response : []));
  const rejected = tokens.filter((token) => isRejected(of(token)));
  const isServed = (service: Service) => of(service).length === 0 || of(service).some(({ status }) => status !== 404);
  const served = services.filter(isServed);
  requester.tokens = tokens.filter((token) => !rejected.includes(token));
  const notes = [
    ...rejected.map((token) => `a token of the kind ${token.kind} is rejected: ${of(token)[0]?.summary}`),
    ...services.flatMap((each) => (isServed(each) ? [] : `${each.version} is not served: ${of(each)[0]?.summary}`)),
  ];
  const other = served.length === 0 ? await otherVersion(services[0], tokens[0]) : undefined;
  const problem = other ?? problemOf(seen, requester);
  const nothing = requester.tokens.length === 0 ? notes.join("; ") || "needs a token" : undefined;
  return { served: served.length === 0 ? services : served, notes, problem: problem ?? nothing };
}

/** Sends a token to one probe after another. Returns the response that says most. */
async function knock(
  service: Service,
  { token }: ConformanceToken,
  version: string | null,
): Promise<ServiceResponse | undefined> {
  let best: ServiceResponse | undefined;
  for (const line of PROBES) {
    const response = await service.send(line, { token, version }).catch(ignoreUnobservable);
    if (response && ![401, 404].includes(response.status) && response.status < 500 && !isRedirect(response))
      return response;
    if (best?.status !== 401) best = response ?? best;
  }
  return best;
}

/** Whether every version that is served rejects a token. */
const isRejected = (responses: readonly ServiceResponse[]) =>
  responses.some(({ status }) => status === 401) && responses.every(({ status }) => status === 401 || status === 404);

/** Says which version answers without the header, if none of the run's does. */
async function otherVersion(service?: Service, token?: ConformanceToken): Promise<string | undefined> {
  const response = service && token && (await knock(service, token, null));
  const named = response?.headers.get("service-version");
  if (!named || response?.status === 404) return undefined;
  const isKnown = contracts.some(({ version }) => version === named);
  return `none of the versions is served: ${named} is; use ${isKnown ? "--version" : "a newer package"}`;
}

function ignoreUnobservable(error: unknown): undefined {
  if (!(error instanceof NotObservable)) throw error;
}

const isRedirect = ({ status, headers }: ServiceResponse) => status >= 300 && status < 400 && headers.has("location");

/** Says what a person probably mistyped, if no response is from the service. */
function problemOf(seen: readonly Seen[], { settings: { baseUrl }, lastFailure }: Requester): string | undefined {
  const responses = seen.map(({ response }) => response);
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
