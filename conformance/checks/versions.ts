import { type Check, eachOf, rule, untried } from "../check.ts";
import { OBJECT } from "../pattern.ts";
import { NotObservable } from "../report.ts";
import { ENDPOINTS, type Sent } from "../requester.ts";
import { CANDIDATES, INGEST, LOOKUP, PRODUCTS, READ, type Service, UNKNOWN } from "../service.ts";
import { ServiceResponse } from "../service-response.ts";

/** A version that was removed long ago, or never was. */
export const UNSUPPORTED = "1999-01";

const VERSION = /^\d{4}-(0[1-9]|1[0-2])$/;

/** Returns the version that a response names. Throws {@link NotObservable} if it names none, which VER-5 checks. */
async function namedVersion(service: Service, sent: Sent): Promise<readonly [named: string, ServiceResponse]> {
  const response = await service.send(await service.anyRequest(), sent);
  const named = response.headers.get("service-version");
  if (named !== null && VERSION.test(named)) return [named, response];
  throw new NotObservable("the response names no version (VER-1, VER-5)");
}

/** Returns Current: the version that answers without the header, unless it is not the second of three (VER-4). */
export async function currentVersion(service: Service): Promise<string> {
  const [named] = await namedVersion(service, { version: null });
  const supported = await service.supported();
  if (supported.length !== 3 || supported[1] === named) return named;
  throw new NotObservable(`${named} answers without the header (VER-4)`);
}

/** Returns versions that are malformed, unknown and removed. */
async function unsupported(service: Service): Promise<readonly string[]> {
  const [oldest = ""] = await service.supported();
  const removed = CANDIDATES.filter((each) => each < oldest).slice(-1);
  return ["latest", service.version.replace("-", ""), UNSUPPORTED, "9999-01", ...removed];
}

/** Sections 3.2 and 9: versions. */
export const versionChecks: readonly Check[] = [
  rule(
    "LIF-1",
    async (service) => {
      const supported = await service.supported();
      if (supported.length === 3) return;
      const found = supported.join(", ") || "none";
      // Others may have names that were not tried.
      if (supported.length < 3) throw new NotObservable(`of the names that were tried, these are served: ${found}`);
      throw service.deviation(`${await service.anyRequest()}, with other versions`, "three supported versions", found);
    },
    { once: true },
  ),
  rule("VER-1", async (service) => {
    const response = await service.send(await service.anyRequest());
    if (response.headers.get("service-version") === null) throw new NotObservable("the response names none (VER-5)");
    service.check(response, { headers: { "service-version": VERSION } });
  }),
  rule("VER-3", async (service) => {
    const [, response] = await namedVersion(service, {});
    service.check(response, { headers: { "service-version": service.version } });
  }),
  rule(
    "VER-4",
    {
      "Current is used": async (service) => {
        const [named, response] = await namedVersion(service, { version: null });
        const supported = await service.supported();
        if (supported.length !== 3 && supported.includes(named))
          throw new NotObservable(`${named} answers; not all three versions are known`);
        service.check(response, { headers: { "service-version": supported[1] ?? named } });
      },
      "a release changes it": untried("no request makes one"),
    },
    { once: true },
  ),
  rule("VER-5", {
    success: async (service) => expectNamed(service, await service.anyRequest()),
    "404": (service) => expectNamed(service, UNKNOWN),
    "422": (service) => expectNamed(service, `${READ}/1`),
    "401": async (service) => expectNamed(service, await service.anyRequest(), { token: null }),
    "an unknown path": (service) => expectNamed(service, "GET /v1/conformance"),
  }),
  rule(
    "VER-6",
    async (service) => {
      const { id } = await service.endpoint();
      await service.endpointField("api_version");
      const { api_version } = (await service.send(`${READ}/${id}`)).fields as { api_version: string };
      const json = { name: `conformance ${service.requester.run}` };
      for (const version of await service.supported()) {
        await service.send(`PATCH ${ENDPOINTS}/${id}`, { version, json });
        service.check(await service.send(`${READ}/${id}`, { version }), { body: { api_version } });
      }
    },
    { writes: "endpoints" },
  ),
  rule(
    "ERR-3",
    eachOf([LOOKUP, `${READ}/1`, PRODUCTS, INGEST], async (service, line) => {
      const token = await service.tokenFor(line);
      for (const version of await unsupported(service)) {
        const response = await service.send(line, { version, token });
        service.check(new ServiceResponse(`${line}, Service-Version: ${version}`, response, true), { status: 404 });
      }
    }),
  ),
];

/** Expects that a response names a version, whatever else it contains, unless a gateway may have sent it. */
async function expectNamed(service: Service, line: string, sent: Sent = {}): Promise<void> {
  const response = await service.send(line, sent);
  if (!response.headers.has("service-version") && !OBJECT.fits(response.body))
    throw new NotObservable(`${response.summary}, which a gateway may have sent`);
  service.check(response, { headers: { "service-version": /./ } });
}
