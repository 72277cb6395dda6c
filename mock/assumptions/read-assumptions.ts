import { amount, callable, finite, from, isOrigin, object, oneOf, text, texts, whole } from "../options/field-kinds.ts";
import { frozenCopy } from "../options/frozen.ts";
import { type FieldKind, isObject, requireShape, type Shape, stated } from "../options/shape.ts";
import type { AssumptionChoices, Assumptions } from "./assumptions.ts";
import { defaultAssumptions } from "./default-assumptions.ts";

const status: FieldKind = {
  name: "a status from 200 to 599",
  fits: (value) => Number.isInteger(value) && (value as number) >= 200 && (value as number) <= 599,
};
const fromOne: FieldKind = {
  name: "a whole number from 1",
  fits: (value) => whole.fits(value) && (value as number) >= 1,
};
const acceptOrReject = oneOf("accept", "reject");
const presence = oneOf("optional", "required", "forbidden");
const variant = oneOf("user", "organization");

const limit: FieldKind = {
  name: "an object with requests and windowSeconds, both numbers",
  fits: (value) => isObject(value) && finite.fits(value["requests"]) && finite.fits(value["windowSeconds"]),
};

const metadata: Readonly<Record<keyof Assumptions["metadata"], FieldKind>> = {
  values: oneOf("any", "scalars"),
  objectKeys: texts,
  maxPairs: amount,
  minKeyLength: amount,
  maxKeyLength: amount,
  minValueLength: amount,
  maxValueLength: amount,
};

const signature: Readonly<Record<keyof Assumptions["signature"], FieldKind>> = {
  idHeader: text,
  timestampHeader: text,
  signatureHeader: text,
  label: text,
  text: callable,
};

const retry: Readonly<Record<keyof Assumptions["retry"], FieldKind>> = {
  attempts: fromOne,
  timeoutMs: amount,
  firstDelayMs: amount,
  maxDelayMs: amount,
  jitter: from(0, 1),
};

const origins: FieldKind = {
  name: '"*" or a list of origins, as in ["http://localhost:5173"]',
  fits: (value) => value === "*" || (Array.isArray(value) && value.every(isOrigin)),
};

/** What each choice may be. A shape stands for a group: the fields that are left out keep their defaults. */
const CHOICES: Readonly<Record<keyof Assumptions, FieldKind | { readonly group: Shape }>> = {
  baseUrls: texts,
  ingestStatus: status,
  requiredEventFields: texts,
  uuidEventFields: texts,
  eventName: { group: { minLength: amount, maxLength: amount } },
  externalCustomers: acceptOrReject,
  bothCustomerIds: acceptOrReject,
  futureEvents: acceptOrReject,
  metadata: { group: metadata },
  unknownCustomers: acceptOrReject,
  duplicateKey: callable,
  ambiguousOrganization: oneOf("reject", "first"),
  organizationField: { group: { oidc: presence, pat: presence, oat: presence } },
  maxBatchSize: amount,
  maxBodyBytes: amount,
  bodyWithoutLength: acceptOrReject,
  cors: origins,
  maxBodyDepth: amount,
  maxBodyValues: amount,
  tooLargeBody: object,
  maxProblems: fromOne,
  nullFields: acceptOrReject,
  rateLimit: limit,
  authorizeVariant: { group: { oidc: variant, pat: variant, oat: variant } },
  authorizeSubType: oneOf("follow-credential", "follow-query"),
  authorizeQuery: { group: { unknownClient: oneOf("reject", "default"), unknownScope: oneOf("reject", "ignore") } },
  authorizeNulls: oneOf("null", "filled"),
  unauthorized: { group: { body: object, realm: text } },
  invalidTokenStatus: status,
  invalidTokenBody: object,
  insufficientScopeStatus: status,
  insufficientScopeBody: object,
  resourceNotFoundDetail: text,
  unsupportedVersion: { group: { body: object } },
  unknownRoute: { group: { notFound: object, methodNotAllowed: object } },
  order: texts,
  foreignEndpoint: oneOf("not-found", "forbidden"),
  unknownFields: oneOf("ignore", "reject"),
  validationTypes: object,
  otherContentTypes: acceptOrReject,
  protoFields: acceptOrReject,
  endpointWrites: oneOf("served", "absent"),
  endpointUrl: { group: { protocols: texts, credentials: acceptOrReject, hosts: oneOf("any", "public") } },
  unsupportedApiVersionStatus: status,
  secretPrefix: text,
  products: { group: { list: oneOf("served", "absent"), defaultLimit: fromOne, maxLimit: fromOne } },
  discovery: object,
  deliverTo: texts,
  signature: { group: signature },
  envelope: callable,
  discordPayload: callable,
  slackPayload: callable,
  retry: { group: retry },
  disableAfter: amount,
  removedVersions: oneOf("keep-delivering", "stop"),
  nextContract: callable,
  emptyBodies: acceptOrReject,
};

/** The choices of one mock: the defaults with the given ones in their place. What is no choice is refused. */
export function assume(given: AssumptionChoices = {}): Assumptions {
  requireShape("createMock: assumptions", given, undefined);
  const chosen = Object.entries(stated(given)).map(([name, value]) => [name, chosenOf(name, value)]);
  return frozenCopy<Assumptions>({ ...defaultAssumptions, ...Object.fromEntries(chosen) });
}

function chosenOf(name: string, value: unknown): unknown {
  if (!Object.hasOwn(CHOICES, name)) throw new TypeError(`createMock: there is no assumption named "${name}".`);
  const choice = CHOICES[name as keyof Assumptions];
  const place = `createMock: assumptions.${name}`;
  if ("group" in choice) {
    requireShape(place, value, choice.group);
    return { ...(defaultAssumptions[name as keyof Assumptions] as object), ...stated(value as object) };
  }
  if (choice.fits(value)) return value;
  throw new TypeError(`${place}: it must be ${choice.name}.`);
}
