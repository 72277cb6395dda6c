import { fileURLToPath } from "node:url";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";
import { versionNames } from "../../scripts/entry-points.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The hover text of a name in an editor. */
interface Hover {
  readonly signature: string;
  readonly docs: string;
  readonly tags: readonly string[];
}

const file = `${root}test/package/user.ts`;

/** An editor with an open program. */
function editor(program: string): ts.LanguageService {
  return ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    fileExists: (path) => path === file || ts.sys.fileExists(path),
    readFile: (path) => (path === file ? program : ts.sys.readFile(path)),
    getCompilationSettings: () => ({ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, strict: true }),
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (path) => {
      const text = path === file ? program : ts.sys.readFile(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
  });
}

/** Returns the hover text of the last occurrence of each name. */
function hovers(program: string, names: readonly string[]): Map<string, Hover> {
  const service = editor(program);
  expect(service.getSemanticDiagnostics(file).map(({ messageText }) => messageText)).toEqual([]);
  return new Map(names.map((name) => [name, hover(service.getQuickInfoAtPosition(file, program.lastIndexOf(name)))]));
}

function hover(info: ts.QuickInfo | undefined): Hover {
  return {
    signature: ts.displayPartsToString(info?.displayParts),
    docs: ts.displayPartsToString(info?.documentation),
    tags: (info?.tags ?? []).map(({ name, text }) => `@${name} ${ts.displayPartsToString(text)}`),
  };
}

describe.each(versionNames())("an editor, over the declarations of %s", (version) => {
  const program = `
    import { createClient, isApiError } from "@billing-service/sdk/${version}";
    const billing = createClient({ accessToken: "token" });
    const endpoint = await billing.webhooks.getEndpoint("id");
    const modified = endpoint.modified_at;
    const counts = await billing.events.ingest([]);
    const response = await billing.webhooks.updateEndpoint("id", { enabled: true }).withResponse();
    const { error: failure } = await billing.events.ingest([]).safe();
    if (failure?.name === "ApiError") { const rejection = failure; const status = rejection.status; }
    try {} catch (caught) { if (isApiError(caught, 422)) { const invalid = caught; } }
  `;
  const names = [
    ...["createClient", "billing.", "getEndpoint", "endpoint.", "modified_at", "ingest([]);", "updateEndpoint"],
    ...["rejection = ", "status = ", "invalid = "],
  ];
  let shown: ReadonlyMap<string, Hover>;
  beforeAll(() => {
    shown = hovers(program, names);
  });

  it.each([
    ["createClient", "(alias) createClient(options: ClientOptions): BillingClient\nimport createClient"],
    ["billing.", "const billing: BillingClient"],
    [
      "getEndpoint",
      "(method) Webhooks.getEndpoint(id: string, options?: CallOptions): Call<WebhookEndpoint, GetWebhookEndpointError>",
    ],
    ["endpoint.", "const endpoint: WebhookEndpoint"],
    ["modified_at", "(property) WebhookEndpoint.modified_at: string | null"],
    [
      "ingest([]);",
      "(method) Events.ingest(events: readonly Event[], options?: CallOptions): Call<IngestResponse, IngestEventsError>",
    ],
  ])("shows named types for %s", (name, signature) => {
    expect(shown.get(name)?.signature).toBe(signature);
  });

  it("shows the state of the version on createClient", () => {
    const { docs = "", tags = [] } = shown.get("createClient") ?? {};
    const isDeprecated = tags.some((tag) => tag.startsWith("@deprecated The release between "));
    expect({ isDeprecated, isNext: docs.includes("This version is Next") }).toEqual({
      isDeprecated: version === versionNames()[0],
      isNext: version === versionNames()[2],
    });
  });

  it("shows declared failures by name, without a list of other statuses", () => {
    const rejection = shown.get("rejection = ")?.signature;
    expect(rejection).toContain("ApiError<422, HTTPValidationError");
    expect(rejection).toContain("UndeclaredApiError<ScopedFailures>");
    expect(shown.get("status = ")?.signature).toMatch(
      /^const status: (?:4\d\d \| ){4}UndeclaredStatus<ScopedFailures>$/,
    );
    expect(shown.get("invalid = ")?.signature).toBe("const invalid: ApiError<422, HTTPValidationError, ApiErrorName>");
  });

  it("shows the purpose, scopes and errors of an operation", () => {
    const hover = shown.get("getEndpoint");
    expect(hover?.docs).toMatch(/^Gets a webhook endpoint by its id\. Requires the scope/);
    expect(hover?.tags).toEqual(
      expect.arrayContaining([expect.stringMatching(/^@throws /), expect.stringMatching(/^@param id/)]),
    );
  });

  it("shows the description of a field", () => {
    expect(shown.get("modified_at")?.docs).toBe("The time at which the endpoint was last modified; null if never.");
  });

  it("shows an operation that rests on an assumption as beta, with the id of the assumption", () => {
    expect(shown.get("updateEndpoint")?.tags).toContainEqual(expect.stringMatching(/^@beta .*G-WHE-PATHS/s));
  });
});

describe("an editor completes arguments of the mock", () => {
  it.each([
    ["mock.webhooks.emit", "", "order.paid"],
    ["mock.requests.to", "", "events:ingest"],
    ["mock.requests.list", "operation", "webhooks:get_webhook_endpoint"],
    ["mock.fault", "operation", "products:list"],
    ["mock.issueToken", "scopes", "webhooks:write"],
  ])("%s %s: with %s among others", (call, field, expected) => {
    const given = { "": '("', operation: '({ operation: "', scopes: '({ scopes: ["' }[field];
    const before = `import { createMock } from "@billing-service/sdk/mock"; const mock = createMock(); ${call}${given}`;
    const completions = editor(`${before}" `).getCompletionsAtPosition(file, before.length, {});
    expect(completions?.entries.map(({ name }) => name)).toContain(expected);
  });
});
