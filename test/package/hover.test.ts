import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { versionNames } from "../../scripts/entry-points.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

const file = `${root}test/package/user.ts`;

/** The parsed declarations, which all editors share. */
const registry = ts.createDocumentRegistry();

/** An editor with an open program. */
function editor(program: string): ts.LanguageService {
  const host: ts.LanguageServiceHost = {
    ...ts.sys,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    fileExists: (path) => path === file || ts.sys.fileExists(path),
    readFile: (path) => (path === file ? program : ts.sys.readFile(path)),
    getCompilationSettings: () => ({ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, strict: true }),
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => [file],
    getScriptVersion: (path) => (path === file ? program : ""),
    getScriptSnapshot: (path) => {
      const text = path === file ? program : ts.sys.readFile(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
  };
  return ts.createLanguageService(host, registry);
}

/** Returns the hover text of a name in an editor: its signature, and its description with the tags. */
function textOf(info: ts.QuickInfo | undefined): { signature: string; docs: string } {
  const { displayPartsToString: text } = ts;
  const tags = info?.tags?.map((tag) => `@${tag.name} ${text(tag.text)}`);
  return { signature: text(info?.displayParts), docs: [text(info?.documentation), ...(tags ?? [])].join("\n") };
}

/** The signature and the description that an editor shows for each of some texts. */
type Hovers = Readonly<Record<string, readonly [signature: string | RegExp, docs?: RegExp | undefined]>>;

function expectHovers(program: string, expected: Hovers): void {
  const service = editor(program);
  expect(service.getSemanticDiagnostics(file).map(({ messageText }) => messageText)).toEqual([]);
  for (const [name, [signature, docs = /^/]] of Object.entries(expected)) {
    const shown = textOf(service.getQuickInfoAtPosition(file, program.lastIndexOf(name)));
    expect(shown.signature).toEqual(typeof signature === "string" ? signature : expect.stringMatching(signature));
    expect(shown.docs).toMatch(docs);
  }
}

// The API reports have the signatures of all methods; this is how an editor shows them.
describe.each(versionNames())("an editor, over the declarations of %s", (version) => {
  const program = `
    import { createClient } from "@billing-service/sdk/${version}";
    const billing = createClient({ accessToken: "token" });
    await billing.webhooks.getEndpoint("id");
    const { error: failure } = await billing.events.ingest([]).safe();
    if (failure?.name === "ApiError") { const rejection = failure; const status = rejection.status; }
  `;
  const states = [/^@deprecated The release between /m, /^Creates a client/, /This version is Next/];

  it("shows named types, declared failures without a list of other statuses, purpose and scopes", () => {
    const expected: Hovers = {
      createClient: [
        "(alias) createClient(options: ClientOptions): BillingClient\nimport createClient",
        states[versionNames().indexOf(version)],
      ],
      getEndpoint: [
        "(method) Webhooks.getEndpoint(id: string, options?: CallOptions): Call<WebhookEndpoint, OperationError<GetWebhookEndpointFailures>>",
        /^Gets a webhook endpoint by its id\. Requires the scope.*^@param id.*^@throws /ms,
      ],
      "rejection = ": [/(?=.*ApiError<422, HTTPValidationError)(?=.*UndeclaredApiError)/s],
      "status = ": ["const status: number"],
    };
    expectHovers(program, expected);
  });

  it("shows the options and events of webhooks by their names", () => {
    const webhooks = `
      import { createWebhookHandler, verifyWebhook } from "@billing-service/sdk/${version}/webhooks";
      createWebhookHandler({ secret: "", on: { "order.paid": (paid) => paid, "*": (other) => other } });
      const event = await verifyWebhook(new Request(""), { secret: "" });
    `;
    expectHovers(webhooks, {
      "createWebhookHandler(": [/^[^|]+\(options: WebhookHandlerOptions<WebhookSchemas>\): DeliveryHandler\n/],
      "paid) =>": ['(parameter) paid: KnownWebhookEvent<"order.paid", unknown>'],
      "other) =>": ["(parameter) other: WebhookEvent<WebhookSchemas>"],
      "event =": ["const event: WebhookEvent<WebhookSchemas>"],
    });
  });
});
