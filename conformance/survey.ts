import type { Answer } from "./answer.ts";
import type { ConformanceToken } from "./options.ts";
import { NotObservable } from "./outcome.ts";
import { OBJECT } from "./pattern.ts";
import { LOOKUP, PRODUCTS, READ, type Service } from "./service.ts";
import type { Session } from "./session.ts";

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
const DOORS = [LOOKUP, PRODUCTS, `${READ}/1`];

/** Finds which versions are served, and which tokens are accepted. The session then uses only those. */
export async function survey(session: Session, services: readonly Service[]): Promise<Survey> {
  // A release keeps two of three versions, so the middle one is served most probably.
  const ordered = services.toSorted((one, other) => distance(services, one) - distance(services, other));
  const seen: Answer[] = [];
  const tokens: ConformanceToken[] = [];
  const notes: string[] = [];
  for (const token of session.settings.tokens) {
    const answers = await knock(ordered, token.token);
    seen.push(...answers);
    const isRejected = answers.length > 0 && answers.every(({ status }) => status === 401);
    if (isRejected) notes.push(`a token of the kind ${token.kind} is rejected: ${answers[0]?.summary}`);
    else tokens.push(token);
  }
  session.tokens = tokens;
  const problem = (await olderPackage(seen, services)) ?? problemOf(seen, session);
  if (tokens.length === 0 || problem !== undefined)
    return { served: services, notes, problem: problem ?? (notes.join("; ") || "needs a token") };
  const served: Service[] = [];
  for (const service of services) {
    const answers: Answer[] = [];
    for (const { token } of tokens) {
      if (answers.length === 0 || !answers.some(isServed)) answers.push(...(await knock([service], token)));
    }
    if (answers.length === 0 || answers.some(isServed)) served.push(service);
    else notes.push(`${service.version} is not served: ${answers[0]?.summary}`);
  }
  const none = served.length === 0 ? `none of the versions is served: ${notes.join("; ")}` : undefined;
  return { served: none ? services : served, notes, problem: none };
}

/** Says which version answers without the header, if none of the package's does. */
async function olderPackage(answers: readonly Answer[], [service]: readonly Service[]): Promise<string | undefined> {
  if (!service || answers.length === 0 || answers.some(isServed)) return undefined;
  for (const door of DOORS) {
    const { token } = service.settings.tokens[0] as ConformanceToken;
    const answer = await service.send(door, { token, version: null }).catch(ignoreUnobservable);
    const named = answer?.headers.get("service-version");
    if (named && isServed(answer as Answer)) return `none of the versions is served: ${named} is; use a newer package`;
  }
  return undefined;
}

const isServed = ({ status }: Answer) => status !== 404;

const distance = (services: readonly Service[], service: Service) =>
  Math.abs(services.indexOf(service) - Math.floor(services.length / 2));

/** Sends a token to one door after another, until one opens. Returns all responses. */
async function knock(services: readonly Service[], token: string): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const service of services) {
    for (const door of DOORS) {
      const answer = await service.send(door, { token }).catch(ignoreUnobservable);
      if (answer) answers.push(answer);
      if (answer && ![401, 404].includes(answer.status) && answer.status < 500 && !isRedirect(answer)) return answers;
    }
  }
  return answers;
}

function ignoreUnobservable(error: unknown): undefined {
  if (!(error instanceof NotObservable)) throw error;
}

const isRedirect = ({ status, headers }: Answer) => status >= 300 && status < 400 && headers.has("location");

/** Says what a person probably mistyped, if no response is from the service. */
function problemOf(answers: readonly Answer[], { settings: { baseUrl }, lastFailure }: Session): string | undefined {
  const [first] = answers;
  if (!first) return lastFailure ?? "needs a token";
  const location = answers.every(isRedirect) && first.headers.get("location");
  if (location)
    return `every request is redirected, the first to ${new URL(location, baseUrl).origin}: is the base URL right?`;
  if (answers.every(({ status }) => status === 404))
    return `every request gets ${first.summary}: is the base URL right? It does not contain /v1`;
  if (answers.every(({ body, headers }) => !OBJECT.fits(body) && !headers.has("service-version")))
    return `every response is ${first.summary}: this is not the service`;
  return undefined;
}
