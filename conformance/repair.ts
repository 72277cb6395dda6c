import { NotObservable } from "./report.ts";
import type { Problem, ServiceResponse } from "./service-response.ts";
import type { Settings } from "./settings.ts";

/** The body of a request. */
export type Fields = Readonly<Record<string, unknown>>;

/** A body that the service accepts, and the response to it. */
export interface Accepted {
  readonly fields: Fields;
  readonly response: ServiceResponse;
}

/** What a body may be filled in with. */
interface Filling {
  readonly settings: Pick<Settings, "customerId">;
  newId(): string;
  unusedUrl(scheme?: string): string;
  ownOrganization(token: string): Promise<string>;
}

/** What a 422 may lead to: the number of attempts, the longest name, and the longest body. */
const [MAX_REPAIRS, MAX_NAME, MAX_BODY] = [12, 100_000, 1024 * 1024];

/** Sends a body until the service accepts it, and fills in or changes the fields that its 422 names, at a depth of `loc`. */
export async function repaired(
  service: Filling,
  token: string,
  send: (fields: Fields) => Promise<ServiceResponse>,
  first: Fields,
  depth: number,
): Promise<Accepted> {
  let fields = first;
  for (let attempt = 0; attempt < MAX_REPAIRS; attempt++) {
    const response = await send(fields);
    if (response.status < 300) return { fields, response };
    const before = JSON.stringify(fields);
    for (const problem of response.problems) {
      const field = String(problem.loc[depth]);
      const change =
        problem.type === "missing"
          ? { [field]: await valueFor(service, token, field) }
          : REPAIRS[field]?.(service, problem, String(fields[field]));
      fields = { ...fields, ...change };
    }
    const after = JSON.stringify(fields);
    if (after !== before && after.length <= MAX_BODY) continue;
    const isAboutCustomer = ({ loc }: Problem) => loc.some((each) => String(each).includes("customer_id"));
    const needsCustomer = response.problems.some(isAboutCustomer) && !service.settings.customerId;
    const reason = `no accepted ${response.request.split(" ", 2).join(" ")}: ${response.summary}`;
    throw new NotObservable(needsCustomer ? `${reason} (--customer)` : reason);
  }
  throw new NotObservable(`no request was accepted after ${MAX_REPAIRS} attempts`);
}

/** The changes of a field that was rejected. */
const REPAIRS: Readonly<Record<string, (service: Filling, problem: Problem, value: string) => Fields>> = {
  customer_id: (service) => ({ customer_id: undefined, external_customer_id: service.newId() }),
  organization_id: () => ({ organization_id: undefined }),
  timestamp: () => ({ timestamp: "2020-01-01T00:00:00Z" }),
  name: (_, { ctx = {} }, name) => {
    const { min_length: least = 0, max_length: most = Math.max(least, name.length) } = ctx as Record<string, number>;
    return { name: name.padEnd(Math.min(least, MAX_NAME), "x").slice(0, most) };
  },
  url: (service) => ({ url: service.unusedUrl("http") }),
};

async function valueFor(service: Filling, token: string, field: string): Promise<unknown> {
  if (field === "organization_id") return service.ownOrganization(token);
  if (field === "timestamp") return new Date(Date.now() - 300_000).toISOString();
  return field === "metadata" ? {} : service.newId();
}
