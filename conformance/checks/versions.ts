import { nextVersion } from "../../src/lifecycle/index.ts";
import { assumption, type Check, rule } from "../check.ts";
import { endpoint, NOBODY } from "../fixtures.ts";
import { versions } from "../generated/versions.ts";
import { NotObservable } from "../outcome.ts";
import { type Service, summaryOf } from "../service.ts";
import { LOOKUP, lookUp } from "./authorize.ts";

/** A version that was removed long ago, or never was. */
export const UNSUPPORTED = "1999-01";

const VERSION = /^\d{4}-(0[1-9]|1[0-2])$/;
const READ = `GET /v1/webhooks/endpoints/${NOBODY}`;
const header = (pattern: string | RegExp) => ({ headers: { "service-version": pattern } });

/** The versions around the package's own, from a year before the oldest to half a year after the newest. */
function candidates(): string[] {
  const [oldest = ""] = versions.map(({ contract }) => contract.version);
  const names = [`${Number(oldest.slice(0, 4)) - 1}${oldest.slice(4)}`];
  while (names.length < 4 + versions.length + 2) names.push(nextVersion(names.at(-1) as string));
  return names;
}

/** Returns the versions that the service supports, of those around the package's. */
function supportedVersions(service: Service): Promise<readonly string[]> {
  return service.shared("supported versions", async () => {
    const supported = [];
    for (const version of candidates()) {
      if ((await service.send(LOOKUP, { version })).status !== 404) supported.push(version);
    }
    return supported;
  });
}

/** Returns Current: the second of the three supported versions. */
export async function currentVersion(service: Service): Promise<string> {
  const supported = await supportedVersions(service);
  if (supported.length === 3) return supported[1] as string;
  throw new NotObservable(
    `Current is the second of three supported versions; supported: ${supported.join(", ") || "none"}`,
  );
}

/** Sections 3.2 and 9: versions. */
export const versionChecks: readonly Check[] = [
  rule("LIF-1", { requests: 9, once: true }, async (service) => {
    const supported = await supportedVersions(service);
    if (supported.length === 0) throw new NotObservable(`${LOOKUP} returns 404 for every version`);
    if (supported.length === 3) return;
    const asked = candidates();
    throw service.deviation(
      `${LOOKUP}, Service-Version: ${asked[0]} to ${asked.at(-1)}`,
      "three supported versions",
      supported.join(", "),
    );
  }),
  rule("VER-1", { requests: 1 }, async (service) => {
    const answer = await service.send(LOOKUP);
    if (answer.headers.has("service-version")) service.check(answer, header(VERSION));
    else throw new NotObservable("the response has no Service-Version (VER-5)");
  }),
  rule("VER-3", { requests: 1 }, async (service) => {
    const answer = await service.send(LOOKUP);
    const named = answer.headers.get("service-version");
    if (named === null || !VERSION.test(named)) throw new NotObservable("the response names no version (VER-1, VER-5)");
    service.check(answer, { ...header(service.version) });
  }),
  rule("VER-4", { requests: 10, once: true }, async (service) => {
    const current = await currentVersion(service);
    const answer = await service.send(LOOKUP, { version: null });
    if (answer.headers.has("service-version")) service.check(answer, header(current));
    else throw new NotObservable("the response has no Service-Version (VER-5)");
  }),
  rule("VER-5", { requests: 5 }, async (service) => {
    const any = header(/./);
    await service.expect(LOOKUP, {}, any);
    await service.expect(READ, {}, any);
    await service.expect("GET /v1/webhooks/endpoints/1", {}, any);
    await service.expect(LOOKUP, { token: null }, any);
    await service.expect("GET /v1/conformance", {}, any);
  }),
  rule("VER-6", { writes: "endpoints", requests: 8 }, async (service) => {
    const { id } = await endpoint(service);
    const { api_version } = ((await service.send(`GET /v1/webhooks/endpoints/${id}`)).body ?? {}) as {
      api_version?: string;
    };
    for (const { contract } of versions) {
      const { version } = contract;
      const json = { name: `conformance ${service.session.run}` };
      await service.send(`PATCH /v1/webhooks/endpoints/${id}`, { version, json });
      const answer = await service.send(`GET /v1/webhooks/endpoints/${id}`, { version });
      if (answer.status !== 404) service.check(answer, { body: { api_version: api_version ?? "" } });
    }
  }),
  rule("ERR-3", { requests: 6 }, async (service) => {
    const control = await service.send(LOOKUP);
    if (control.status === 404) throw new NotObservable(`${LOOKUP} returns 404 for ${service.version}, too`);
    const requests = [
      [LOOKUP, "latest"],
      [LOOKUP, UNSUPPORTED],
      [`${READ}`, "9999-01"],
      ["GET /v1/products/", service.version.replace("-", "")],
      ["POST /v1/events/ingest", UNSUPPORTED],
    ] as const;
    for (const [line, version] of requests) {
      const answer = await service.send(line, { version, token: service.anyToken() });
      service.check({ ...answer, request: `${line}, Service-Version: ${version}` }, { status: 404 });
    }
  }),
  assumption("G-404-VER", "unsupportedVersionHeader", "current", { requests: 10 }, async (service) => {
    await lookUp(service);
    const answer = await service.send(LOOKUP, { version: UNSUPPORTED });
    const named = answer.headers.get("service-version");
    if (answer.status !== 404) throw new NotObservable(`an unsupported version: ${summaryOf(answer)}`);
    if (named === null) return { value: "none", evidence: "404 without Service-Version" };
    if (named === (await currentVersion(service)))
      return { value: "current", evidence: `404 with Service-Version: ${named}` };
    throw new NotObservable(`404 with Service-Version: ${named}, which is not Current`);
  }),
];
