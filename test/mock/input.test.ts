import { describe, expect, it, test } from "vitest";
import { createMock, defaultAssumptions, strict } from "../../mock/index.ts";
import { openAdapter } from "../support/adapter.ts";
import { contractsWith } from "../support/contracts.ts";

/** Any value, as JavaScript code could pass it. */
const any = <Value>(value: unknown) => value as Value;
const mock = createMock();
const nowhere = "4a7e3c52-8f1d-4b6a-9c0e-2d5b7f8a1e34";

describe("the options of createMock", () => {
  test.each([
    [{ sed: 1 }, ' unknown option "sed". Did you mean "seed"?'],
    [{ seed: Number.NaN }, " `seed` must be an integer; received "],
    [{ maxEvents: null }, " `maxEvents` must be a number of at least 0; received null."],
    [{ baseUrl: 5 }, " `baseUrl` must be a string or an array of strings; received 5."],
    [{ contracts: "all" }, ' `contracts` must be an array of contracts; received "all".'],
    [{ now: "yesterday" }, ' `now` must be a valid date in the years 0 to 9999; received "yesterday".'],
    [{ now: Date.UTC(10_000, 0) }, " `now` must be a valid date in the years 0 to 9999; received 253402300800000."],
  ])("rejects %o", (options, message) => {
    expect(() => createMock(any(options))).toThrow(`createMock:${message}`);
  });

  const hosts = ": `deliverTo` must be an array of names of hosts";
  const rate = "an object with only `requests`, an integer of at least 0, and `windowSeconds`, a number above 0";
  const rates = [{ requests: -1 }, { windowSeconds: 0 }, { perToken: true }, { windowSeconds: undefined }];
  const valid = { requests: 1, windowSeconds: 60 };

  it.each<[assumptions: object, message: string]>([
    [{ unknwn: 1 }, ': unknown field "unknwn".'],
    [{ unknownFields: "rejct" }, ': `unknownFields` must be "ignore" or "reject"; received "rejct".'],
    [{ maxBatchSize: Number.NaN }, ": `maxBatchSize` must be a finite number of at least 0; received NaN."],
    [{ retry: 3 }, ": `retry` must be an object; received 3."],
    [{ retry: { atempts: 3 } }, '.retry: unknown field "atempts". Did you mean "attempts"?'],
    [{ retry: { attempts: 1_001 } }, ".retry: `attempts` must be an integer from 1 to 1000; received 1001."],
    [{ endpointUrl: { protocols: ["ftp:"] } }, '.endpointUrl: `protocols` must be an array of "http:" or "https:"'],
    [{ deliverTo: ["https://hooks.example"] }, hosts],
    [{ cors: ["nope", 5] }, "; received array."],
    ...rates.map((each): [object, string] => [{ rateLimit: { ...valid, ...each } }, `: \`rateLimit\` must be ${rate}`]),
  ])("rejects the assumptions %o", (assumptions, message) => {
    expect(() => createMock({ assumptions })).toThrow(/^createMock: assumptions/);
    expect(() => createMock({ assumptions })).toThrow(message);
  });

  it("assumptions are JSON values, so that a file can hold them, and every default is valid", () => {
    for (const each of [defaultAssumptions, strict]) expect(JSON.parse(JSON.stringify(each))).toEqual(each);
    expect(createMock({ assumptions: defaultAssumptions }).assumptions).toEqual(defaultAssumptions);
  });

  it("omitted and undefined fields of an assumption keep their defaults", () => {
    const { retry, maxBatchSize } = createMock({
      assumptions: { retry: { attempts: 3 }, maxBatchSize: undefined },
    }).assumptions;
    expect(retry).toEqual({ ...defaultAssumptions.retry, attempts: 3 });
    expect(maxBatchSize).toBe(defaultAssumptions.maxBatchSize);
  });
});

describe("the fields of a record", () => {
  test.each([
    [{ id: nowhere }, "customer: the id of a record must not change."],
    [{ nme: "x" }, 'customer: unknown field "nme". Did you mean "name"?'],
    [{ email: 5 }, "customer: `email` must be a valid email; received 5."],
  ])("rejects an update with %o, and changes nothing", (changes, message) => {
    const customer = mock.customers.create();
    expect(() => mock.customers.update(customer.id, any(changes))).toThrow(message);
    expect(mock.customers.get(customer.id)).toEqual(customer);
    expect(mock.customers.get(nowhere)).toBeUndefined();
  });

  it("treat undefined as omitted", () => {
    const { id, email } = mock.customers.create(any({ email: undefined }));
    expect(email).toMatch(/@example\.com$/);
    expect(mock.customers.update(id, any({ email: undefined })).email).toBe(email);
  });

  it("may have any name if the mock has its own contracts, which may declare them", () => {
    const other = createMock({ contracts: contractsWith({}) });
    expect(other.customers.create(any({ colour: "brown" }))).toMatchObject({ colour: "brown" });
    expect(() => other.customers.create(any({ email: 5 }))).toThrow(
      "customer: `email` must be a valid email; received 5.",
    );
  });
});

test.each([
  [{ scope: ["products:read"] }, 'issueToken: unknown option "scope". Did you mean "scopes"?'],
  [{ organization: {} }, "issueToken: `organization` must be a record or its id; received "],
  [{ scopes: ["webhooks:reed"] }, 'issueToken: unknown scope "webhooks:reed". Did you mean "webhooks:read"?'],
  [{ type: "pat", user: "x" }, 'issueToken: unknown user "x"'],
  [{ type: "pat", organization: "x" }, '`organization` is not allowed with the type "pat"'],
  [{ user: "x" }, '`user` is not allowed with the type "oat"'],
  [{ type: 10n }, 'issueToken: `type` must be "oidc", "pat" or "oat"; received bigint.'],
  [{ token: "für-dich" }, "issueToken: `token` must be visible ASCII characters, without spaces."],
])("issueToken rejects the options %o", (input, message) => {
  expect(() => mock.issueToken(any(input))).toThrow(message);
});

test.each([
  [() => mock.revokeToken("secret-thing"), "was not issued by this mock"],
  [() => mock.users.update("x", {}), 'Unknown user "x"'],
])("methods of a mock reject invalid arguments: %s", (act, message) => {
  expect(act).toThrow(message);
});

describe("the journal", () => {
  it("rejects filters that no request can match", () => {
    expect(() => mock.requests.to(any("events.ingest"))).toThrow(
      'requests: unknown operation "events.ingest". Did you mean "events:ingest"?',
    );
    expect(() => mock.requests.list(any({ stat: 200 }))).toThrow(
      'requests: unknown field "stat". Did you mean "status"',
    );
  });

  it("finds operations of a version that a release has removed", async () => {
    const { mock: released, send } = await openAdapter();
    await send("GET /v1/products/");
    for (let release = 0; release < 4; release++) released.release();
    expect(released.requests.to("products:list")).toHaveLength(1);
  });
});
