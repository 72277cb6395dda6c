import { nextVersion } from "../../src/lifecycle/index.ts";
import { Answer } from "../answer.ts";
import { assumption, type Check, rule } from "../check.ts";
import { NotObservable } from "../outcome.ts";
import type { Pattern } from "../pattern.ts";
import { INGEST, LOOKUP, PRODUCTS, READ, type Service, UNKNOWN } from "../service.ts";
import { ENDPOINTS, type Sent } from "../session.ts";
import { versions } from "../versions.ts";
import { lookUp } from "./authorize.ts";

/** A version that was removed long ago, or never was. */
export const UNSUPPORTED = "1999-01";

const VERSION = /^\d{4}-(0[1-9]|1[0-2])$/;

/** The versions around the package's own, from a year before the oldest to half a year after the newest. */
function candidates(): string[] {
  const [oldest = ""] = versions.map(({ contract }) => contract.version);
  const names = [`${Number(oldest.slice(0, 4)) - 1}${oldest.slice(4)}`];
  while (names.length < 4 + versions.length + 2) names.push(nextVersion(names.at(-1) as string));
  return names;
}

/** Returns the versions that the service supports, of those around the package's. */
function supportedVersions(service: Service): Promise<readonly string[]> {
  const find = async () => {
    const supported = [];
    for (const version of candidates())
      if ((await service.send(LOOKUP, { version })).status !== 404) supported.push(version);
    return supported;
  };
  return service.session.once("supported versions", find);
}

/** Returns Current: the second of the three supported versions. */
export async function currentVersion(service: Service): Promise<string> {
  const supported = await supportedVersions(service);
  if (supported.length === 3) return supported[1] as string;
  const found = supported.join(", ") || "none";
  throw new NotObservable(`Current is the second of three supported versions; supported: ${found}`);
}

/** Expects the version that a response names. */
async function expectVersion(service: Service, sent: Sent, pattern: Pattern, { must = /./ } = {}): Promise<void> {
  const answer = await service.send(LOOKUP, sent);
  const named = answer.headers.get("service-version");
  if (named === null || !must.test(named)) throw new NotObservable("the response names no version (VER-1, VER-5)");
  service.check(answer, { headers: { "service-version": pattern } });
}

/** Sections 3.2 and 9: versions. */
export const versionChecks: readonly Check[] = [
  rule("LIF-1", { requests: 9, once: true }, async (service) => {
    const supported = await supportedVersions(service);
    if (supported.length === 0) throw new NotObservable(`${LOOKUP} returns 404 for every version`);
    if (supported.length === 3) return;
    const asked = `${LOOKUP}, Service-Version: ${candidates()[0]} to ${candidates().at(-1)}`;
    throw service.deviation(asked, "three supported versions", supported.join(", "));
  }),
  rule("VER-1", {}, (service) => expectVersion(service, {}, VERSION)),
  rule("VER-3", {}, (service) => expectVersion(service, {}, service.version, { must: VERSION })),
  rule("VER-4", { requests: 10, once: true }, async (service) =>
    expectVersion(service, { version: null }, await currentVersion(service)),
  ),
  rule("VER-5", { requests: 5 }, async (service) => {
    const requests = [[LOOKUP], [UNKNOWN], [`${READ}/1`], [LOOKUP, { token: null }], ["GET /v1/conformance"]] as const;
    for (const [line, sent = {}] of requests) await service.expect(line, sent, { headers: { "service-version": /./ } });
  }),
  rule("VER-6", { writes: "endpoints", requests: 8 }, async (service) => {
    const { id } = await service.endpoint();
    const before = (await service.send(`${READ}/${id}`)).fields;
    const json = { name: `conformance ${service.session.run}` };
    for (const { version } of versions.map(({ contract }) => contract)) {
      await service.send(`PATCH ${ENDPOINTS}/${id}`, { version, json });
      const answer = await service.send(`${READ}/${id}`, { version });
      if (answer.status !== 404) service.check(answer, { body: { api_version: String(before["api_version"] ?? "") } });
    }
  }),
  rule("ERR-3", { requests: 6 }, async (service) => {
    const control = await service.send(LOOKUP);
    if (control.status === 404) throw new NotObservable(`${LOOKUP} returns 404 for ${service.version}, too`);
    const requests = [
      [LOOKUP, "latest"],
      [LOOKUP, UNSUPPORTED],
      [UNKNOWN, "9999-01"],
      [PRODUCTS, service.version.replace("-", "")],
      [INGEST, UNSUPPORTED],
    ] as const;
    for (const [line, version] of requests) {
      const answer = await service.send(line, { version, token: service.settings.tokens[0]?.token ?? null });
      service.check(new Answer(`${line}, Service-Version: ${version}`, answer), { status: 404 });
    }
  }),
  assumption("G-404-VER", "unsupportedVersionHeader", "current", { requests: 10 }, async (service) => {
    await lookUp(service);
    const answer = await service.send(LOOKUP, { version: UNSUPPORTED });
    const named = answer.headers.get("service-version");
    if (answer.status !== 404) throw new NotObservable(`an unsupported version: ${answer.summary}`);
    if (named === null) return { value: "none", evidence: "404 without Service-Version" };
    const evidence = `404 with Service-Version: ${named}`;
    if (named === (await currentVersion(service))) return { value: "current", evidence };
    throw new NotObservable(`${evidence}, which is not Current`);
  }),
];
